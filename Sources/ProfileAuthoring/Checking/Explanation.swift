import InternetMessage
import Ledger
import PCRE2
public import Profiles

/// The point at which one template stopped matching a mail.
public struct TemplateExplanation: Sendable {
    public enum Step: String, Sendable {
        /// The template claims the mail.
        case claims
        case from = "match.from"
        case subject = "match.subject_pattern"
        case matchBody = "match.body_pattern"
        case unless = "match.unless_pattern"
        case unlessSubject = "match.unless_subject_pattern"
        case extract = "extract"
        case limit = "a limit of a pattern"
    }

    /// The number of templates that tell a person enough.
    public static let usualCount = 8

    public var template: String
    /// The first condition that did not hold.
    public var step: Step
    /// The words up to which the failing pattern followed the text, and those at which it stopped.
    public var matched: String?
    public var stoppedAt: String?
    /// The part of the pattern that did not match, as in the file; `(?&name)` if it is inside a common piece.
    public var wanted: String?
    /// File and line of that pattern; the line is 0 if it is not found.
    public var path = ""
    public var line = 0
}

extension Claim {
    /// Progress of the bank's templates that come nearest to claiming the message, the nearest first: those with the
    /// most of their words in its text, then those that follow it furthest. Contains words of the message, for the
    /// user only.
    ///
    /// - Parameter count: the maximum number of templates; each costs some milliseconds, because its patterns are
    ///   compiled again.
    /// - Returns: also the number of the templates that are left out.
    public func explain(nearest count: Int = .max) -> (nearest: [TemplateExplanation], others: Int) {
        guard let bank = sender.bank, let address = message.from.first?.addrSpec, let matcher = Matcher() else {
            return ([], 0)
        }
        let text = searched()
        let subject = subject
        func relatives(_ group: TemplateGroup) -> [Relative] {
            let candidates = Set(group.candidates(for: text))
            let likenesses = group.likenesses(to: text)
            return group.templates.indices.filter { group.templates[$0].media.contains(medium) }.map { index in
                let template = group.templates[index]
                let claims =
                    candidates.contains(index)
                    && (try? template.claims(from: address, subject: subject, in: text, with: matcher)) != nil
                return Relative(
                    template: template, likeness: likenesses[index], claims: claims, isOwn: group.folder == bank.key)
            }
        }
        let own = relatives(bank.own)
        // If a template of the bank's own claims it, the shared ones are not tried.
        let all =
            relatives(bank.accounts) + own + (own.contains(where: \.claims) ? [] : bank.shared.flatMap(relatives))
        let nearest = all.sorted { $0.precedes($1) }.prefix(count).map {
            (
                relative: $0,
                explanation: $0.claims
                    ? TemplateExplanation(template: $0.template.name, step: .claims)
                    : explain($0.template, address, subject, text, matcher)
            )
        }
        let ordered = nearest.sorted {
            ($0.relative.nearness, $0.explanation.matched?.utf8.count ?? 0)
                > ($1.relative.nearness, $1.explanation.matched?.utf8.count ?? 0)
        }
        return (ordered.map(\.explanation), all.count - nearest.count)
    }

    /// A template of the message's bank, with what tells how near it is.
    private struct Relative {
        var template: Template
        var likeness: Int
        var claims: Bool
        /// False for a shared one.
        var isOwn: Bool

        var nearness: Int { claims ? .max : likeness }

        /// Of equally near ones, those that read a transaction come first, and the bank's own.
        func precedes(_ other: Relative) -> Bool {
            (nearness, readsTransaction, isOwn ? 1 : 0, other.template.name)
                > (other.nearness, other.readsTransaction, other.isOwn ? 1 : 0, template.name)
        }

        private var readsTransaction: Int { if case .transaction = template.kind { 1 } else { 0 } }
    }

    /// The condition of a template that does not claim the message.
    private func explain(
        _ template: Template, _ address: String, _ subject: [UInt8]?, _ searched: SearchedText, _ matcher: Matcher
    ) -> TemplateExplanation {
        let text = searched.bytes
        do throws(MatchError) {
            if subject != nil, !template.match.from.isEmpty, !template.match.from.contains(address) {
                return TemplateExplanation(template: template.name, step: .from)
            }
            if let subject, let pattern = template.match.subject, try !matcher.firstMatch(of: pattern, in: subject) {
                return traced(template, .subject, [(.subject, pattern.source)], subject)
            }
            if let subject, let pattern = template.match.unlessSubject, try matcher.firstMatch(of: pattern, in: subject)
            {
                return TemplateExplanation(
                    template: template.name, step: .unlessSubject, matched: matcher.text(of: 0, in: subject),
                    path: template.path, line: PatternPlace.unlessSubject.line(in: template.path) ?? 0)
            }
            if let body = template.match.body, try !searched.holds(body, with: matcher) {
                return traced(template, .matchBody, [(.matchBody, body.source)], text)
            }
            if case .transaction(let extraction) = template.kind, try extraction.read(searched, with: matcher) == nil {
                let patterns = template.extractions.filter { $0.place.givesAmount }
                return traced(
                    template, .extract, patterns.compactMap { place, text in text.pattern.map { (place, $0.source) } },
                    text)
            }
            var found = TemplateExplanation(
                template: template.name, step: .unless, path: template.path,
                line: PatternPlace.unless.line(in: template.path) ?? 0)
            if let pattern = template.match.unless?.pattern, try matcher.firstMatch(of: pattern, in: text) {
                found.matched = matcher.text(of: 0, in: text)
            }
            return found
        } catch {
            return TemplateExplanation(template: template.name, step: .limit)
        }
    }

    private func traced(
        _ template: Template, _ step: TemplateExplanation.Step, _ patterns: [(place: PatternPlace, source: String)],
        _ text: [UInt8]
    ) -> TemplateExplanation {
        let traces = patterns.compactMap { place, source in
            (try? Pattern(source, tracing: true)).flatMap { Matcher.trace($0, in: text) }.map {
                (place: place, source: source, trace: $0)
            }
        }
        guard
            let (place, source, furthest) = traces.max(by: {
                $0.trace.textOffset - $0.trace.startOffset < $1.trace.textOffset - $1.trace.startOffset
            })
        else {
            return TemplateExplanation(
                template: template.name, step: step, path: template.path,
                line: patterns.first?.place.line(in: template.path) ?? 0)
        }
        let end = text[furthest.textOffset...].firstIndex { $0 == 0x0A } ?? text.count
        return TemplateExplanation(
            template: template.name, step: step,
            matched: String(decoding: text[furthest.startOffset..<furthest.textOffset], as: UTF8.self),
            stoppedAt: String(decoding: text[furthest.textOffset..<min(end, furthest.textOffset + 60)], as: UTF8.self),
            wanted: PatternExcerpt.of(source, at: furthest.patternOffset), path: template.path,
            line: place.line(in: template.path) ?? 0)
    }
}

extension PatternPlace {
    /// Patterns that must match for a claim.
    fileprivate var givesAmount: Bool {
        switch self {
        case .body, .field(.amount): true
        default: false
        }
    }
}

/// Excerpt of a pattern for display.
enum PatternExcerpt {
    private static let maximumLength = 48
    private static let pieces = "(?imx)(?(DEFINE)(?<"

    /// Text at a byte of a pattern's source; inside one of the common pieces before it, the name of that piece.
    static func of(_ source: String, at offset: Int) -> String? {
        let bytes = Array(source.utf8)
        guard bytes.indices.contains(offset) else { return nil }
        // Form written by CommonPieces: a line that ends the last piece and the group.
        let end = Array("\n))\n".utf8)
        let ownStart =
            bytes.starts(with: pieces.utf8)
            ? bytes.indices.first { bytes[$0...].starts(with: end) }.map { $0 + end.count } ?? 0 : 0
        if offset < ownStart {
            let name =
                bytes[..<offset].indices.last {
                    bytes[$0] == UInt8(ascii: "\n") && bytes[$0...].starts(with: Array("\n)(?<".utf8))
                }.map { $0 + 5 } ?? pieces.utf8.count
            return "(?&" + String(decoding: bytes[name...].prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self) + ")"
        }
        let rest = String(decoding: bytes[offset...], as: UTF8.self)
        let line = rest.prefix { !$0.isNewline }
        return line.count > maximumLength ? line.prefix(maximumLength) + "…" : String(line)
    }
}

extension Matcher {
    /// The text of a group of the last match.
    fileprivate func text(of group: Int, in text: [UInt8]) -> String? {
        range(of: group).map { String(decoding: text[$0], as: UTF8.self) }
    }
}
