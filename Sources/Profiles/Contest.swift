import InternetMessage

/// Which templates of a bank claim which of its samples: exactly one may claim a mail.
struct Contest {
    struct Entry {
        var template: String
        var sample: Sample
        var claimants: Set<String>
    }

    private let entries: [Entry]

    /// Runs every sample of the bank through all of its templates.
    init(_ bank: Bank, in profiles: ProfileSet) {
        entries = bank.templates.flatMap { template in
            template.samples.map { Entry(template: template.name, sample: $0, claimants: Set(profiles.claim(Message(parsing: $0.message())).claimants())) }
        }
    }

    /// What is wrong with one template's own samples.
    func findings(_ template: Template) -> [LintFinding] {
        let own = entries.filter { $0.template == template.name }
        let positive = own.filter { if case .none = $0.sample.expectation { false } else { true } }
        func finding(_ line: Int?, _ message: String, _ remedy: String) -> LintFinding {
            LintFinding(template: template.name, path: template.path, line: line, message: message, remedy: remedy)
        }
        let remedy = "Let the sentence of one be in the unless_pattern of the other: a mail that two templates claim is never booked."
        if !positive.isEmpty, !positive.contains(where: { $0.claimants == [template.name] }) {
            let always = positive.reduce(positive[0].claimants) { $0.intersection($1.claimants) }.subtracting([template.name]).sorted()
            if always.isEmpty { return [finding(nil, "can never win: it claims none of its own samples alone", "Mend its patterns, or see which template claims them: parserctl test.")] }
            return [finding(nil, "can never win: \(always.joined(separator: ", ")) claims every one of its samples too", remedy)]
        }
        return own.compactMap { entry in
            var others = entry.claimants
            // That a sample with 'expect: none' is claimed by its own template is for the test to say.
            let isOwn = others.remove(template.name) != nil
            guard others.count + (isOwn ? 1 : 0) > 1 else { return nil }
            let names = (isOwn ? [template.name] : []) + others.sorted()
            return finding(entry.sample.line, "sample '\(entry.sample.name)' is contested: \(names.joined(separator: " and ")) claim it", remedy)
        }
    }
}
