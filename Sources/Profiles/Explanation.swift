import InternetMessage
import Ledger
import PCRE2

/// How far one template came with a mail: for a person who asks why nothing, or two, claimed it.
public struct TemplateExplanation: Sendable {
    public enum Step: String, Sendable {
        /// Claims the mail.
        case claims
        case from = "match.from"
        case subject = "match.subject_pattern"
        case matchBody = "match.body_pattern"
        case unless = "match.unless_pattern"
        case extract = "extract"
        case limit = "a limit of a pattern"
    }

    public var template: String
    /// The first condition that did not hold.
    public var step: Step
    /// The words up to which the failing pattern followed the text, and those at which it stopped.
    public var matched: String?
    public var stoppedAt: String?
}

extension Claim {
    /// For every template of the bank, how far it came; the furthest first. The message's words stand in it: for the user's own eyes.
    public func explain() -> [TemplateExplanation] {
        guard let bank = sender.bank, let address = message.from.first?.addrSpec, let matcher = Matcher() else { return [] }
        let text = message.text.bytes
        let subject = Array(message.subject.utf8)
        func explain(_ group: TemplateGroup) -> [TemplateExplanation] {
            let possible = group.prefilter.look(at: text)
            return group.templates.map { self.explain($0, address, subject, text, possible, matcher) }
        }
        let own = explain(bank.own)
        // Behind a template of the bank's own the shared ones are not asked.
        let all = own.contains { $0.step == .claims } ? own : own + bank.shared.flatMap(explain)
        return all
            .sorted { ($0.matched?.utf8.count ?? 0, $1.template) > ($1.matched?.utf8.count ?? 0, $0.template) }
    }

    private func explain(_ template: Template, _ address: String, _ subject: [UInt8], _ text: [UInt8], _ possible: Prefilter.Verdict, _ matcher: Matcher) -> TemplateExplanation {
        do throws(MatchError) {
            if try template.claims(from: address, subject: subject, text: text, possible: possible, with: matcher) != nil {
                return TemplateExplanation(template: template.name, step: .claims)
            }
            if !template.match.from.isEmpty, !template.match.from.contains(address) { return TemplateExplanation(template: template.name, step: .from) }
            if let pattern = template.match.subject, try !matcher.firstMatch(of: pattern, in: subject) {
                return traced(template, .subject, [pattern], subject)
            }
            if let body = template.match.body, try !matcher.firstMatch(of: body.pattern, in: text) { return traced(template, .matchBody, [body.pattern], text) }
            if case .transaction(let extraction) = template.kind, try extraction.spans(in: text, possible: possible, with: matcher) == nil {
                return traced(template, .extract, extraction.bodies.map(\.pattern) + extraction.fields.filter { $0.field == .amount }.map(\.pattern), text)
            }
            return TemplateExplanation(template: template.name, step: .unless)
        } catch {
            return TemplateExplanation(template: template.name, step: .limit)
        }
    }

    private func traced(_ template: Template, _ step: TemplateExplanation.Step, _ patterns: [Pattern], _ text: [UInt8]) -> TemplateExplanation {
        let traces = patterns.compactMap { pattern in (try? Pattern(pattern.source, tracing: true)).flatMap { Matcher.trace($0, in: text) } }
        guard let furthest = traces.max(by: { $0.textOffset - $0.startOffset < $1.textOffset - $1.startOffset }) else {
            return TemplateExplanation(template: template.name, step: step)
        }
        let end = text[furthest.textOffset...].firstIndex { $0 == 0x0A } ?? text.count
        return TemplateExplanation(
            template: template.name, step: step, matched: String(decoding: text[furthest.startOffset..<furthest.textOffset], as: UTF8.self),
            stoppedAt: String(decoding: text[furthest.textOffset..<min(end, furthest.textOffset + 60)], as: UTF8.self))
    }
}
