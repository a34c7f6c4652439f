import InternetMessage
import Ledger
import PCRE2

/// What a template's author should mend although it loads.
public struct LintFinding: Sendable {
    public var template: String
    public var path: String
    public var message: String
    public var remedy: String
}

extension ProfileSet {
    /// Templates without proof: patterns that no sample hits, no sample that must not match, groups that nothing reads.
    public func lint() -> [LintFinding] {
        banks.flatMap { bank in bank.templates.flatMap { findings($0) } }
    }

    private func findings(_ template: Template) -> [LintFinding] {
        var found: [LintFinding] = []
        func add(_ message: String, _ remedy: String) {
            found.append(LintFinding(template: template.name, path: template.path, message: message, remedy: remedy))
        }
        var positive = 0
        var negative = 0
        for sample in template.samples {
            if case .none = sample.expectation { negative += 1 } else { positive += 1 }
        }
        if positive == 0 { add("no sample shows what it claims", "Add one with its expected fields, or 'expect: ignored'.") }
        if negative == 0 { add("no sample shows what it must not claim", "Add the nearest other mail of the bank with 'expect: none'.") }
        guard case .transaction(let extraction) = template.kind, let matcher = Matcher() else { return found }
        var hit = Set<Int>()
        for sample in template.samples {
            guard case .fields = sample.expectation else { continue }
            let text = sample.canonicalText
            if let index = extraction.bodies.firstIndex(where: { (try? matcher.firstMatch(of: $0.pattern, in: text)) == true }) { hit.insert(index) }
        }
        for index in extraction.bodies.indices where !hit.contains(index) {
            add("body_pattern \(index + 1) of \(extraction.bodies.count) is hit by no sample", "Add a sample that only it reads, or remove it.")
        }
        for (field, pattern) in extraction.fields {
            let isHit = template.samples.contains { sample in
                guard case .fields = sample.expectation else { return false }
                return (try? matcher.firstMatch(of: pattern, in: sample.canonicalText)) == true
            }
            if !isHit { add("\(field.rawValue)_regex is hit by no sample", "Add a sample that it reads, or remove it.") }
        }
        return found
    }
}

extension Sample {
    /// What patterns see of it.
    var canonicalText: [UInt8] {
        switch body {
        case .text(let text): CanonicalText(plain: Array(text.utf8)).bytes
        case .html(let html): CanonicalText(html: Array(html.utf8)).bytes
        }
    }
}
