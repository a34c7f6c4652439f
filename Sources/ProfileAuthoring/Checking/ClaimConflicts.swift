import InternetMessage
import Profiles

/// Claims of a bank's templates on its samples: exactly one may claim a mail.
struct ClaimConflicts {
    struct Entry {
        var template: String
        var sample: Sample
        var claimants: Set<String>
    }

    private let entries: [Entry]
    /// Samples of `_samples.yaml`.
    private let bankEntries: [Entry]

    /// Runs every sample of the bank through all of its templates.
    init(_ bank: Bank, in profiles: ProfileSet) {
        func entry(_ sample: Sample, of template: String) -> Entry {
            Entry(
                template: template, sample: sample,
                claimants: Set(profiles.claim(Message(parsing: sample.message())).claimants()))
        }
        entries = bank.templates.flatMap { template in template.samples.map { entry($0, of: template.name) } }
        bankEntries = bank.samples.map { entry($0.sample, of: $0.template) }
    }

    /// The findings about the samples of the bank's `_samples.yaml`.
    func bankFindings(in path: String) -> [LintFinding] { bankEntries.compactMap { contested($0, path) } }

    /// The findings about one template's own samples.
    func findings(_ template: Template) -> [LintFinding] {
        let own = entries.filter { $0.template == template.name }
        let positive = own.filter { if case .none = $0.sample.expectation { false } else { true } }
        func finding(_ line: Int?, _ message: String, _ remedy: String) -> LintFinding {
            LintFinding(template: template.name, path: template.path, line: line, message: message, remedy: remedy)
        }
        if !positive.isEmpty, !positive.contains(where: { $0.claimants == [template.name] }) {
            let always = positive.reduce(positive[0].claimants) { $0.intersection($1.claimants) }.subtracting([
                template.name
            ]).sorted()
            if always.isEmpty {
                return [
                    finding(
                        nil, "can never win: it claims none of its own samples alone",
                        "Mend its patterns, or see which template claims them: parserctl test.")
                ]
            }
            return [
                finding(
                    nil, "can never win: \(always.joined(separator: ", ")) claims every one of its samples too",
                    Self.remedy)
            ]
        }
        return own.compactMap { contested($0, template.path) }
    }

    private func contested(_ entry: Entry, _ path: String) -> LintFinding? {
        var others = entry.claimants
        // The test reports a sample with 'expect: none' that its own template claims.
        let isOwn = others.remove(entry.template) != nil
        guard others.count + (isOwn ? 1 : 0) > 1 else { return nil }
        let names = (isOwn ? [entry.template] : []) + others.sorted()
        return LintFinding(
            template: entry.template, path: path, line: entry.sample.line,
            message: "sample '\(entry.sample.name)' is contested: \(names.joined(separator: " and ")) claim it",
            remedy: Self.remedy)
    }

    private static let remedy =
        "Let the sentence of one be in the unless_pattern of the other: a mail that two templates claim is never booked."
}
