import Dispatch
import InternetMessage
import Ledger
import PCRE2
public import Profiles
import Synchronization

/// A fault of a template that loads, for its author.
public struct LintFinding: Sendable, Hashable {
    public var template: String
    public var path: String
    /// Line of the pattern or sample; `nil` means the whole file.
    public var line: Int?
    public var message: String
    public var remedy: String
}

extension ProfileSet {
    /// Returns templates without proof, templates that conflict, and captures without an end; with `attacks` also
    /// templates that book a sample that was changed to mean otherwise, and patterns that hostile text can stall, which
    /// takes some hundredths of a second for each pattern.
    ///
    /// - Parameters:
    ///   - names: the banks (`hdfc`) and templates (`hdfc/otp`) to check; empty: all.
    ///   - progress: called on any thread with each template whose patterns have been attacked.
    public func lint(
        _ names: Set<String> = [], attacks: Bool = false, progress: @Sendable (_ template: String) -> Void = { _ in }
    ) -> [LintFinding] {
        let set = proving()
        let chosen = set.banks.map { bank in
            (bank, bank.templates.filter { names.isEmpty || names.contains(bank.key) || names.contains($0.name) })
        }
        let wording = wordingPatterns.filter { pattern in
            names.isEmpty || names.contains(pattern.name) || names.contains { pattern.name.hasPrefix($0 + "/") }
        }
        let faults = attacks ? Backtracking.faults(of: chosen.flatMap(\.1), progress: progress) : [:]
        let mutations = attacks ? MutationProof(of: chosen.flatMap(\.1), in: set).findings : []
        let provenBySMS = set.templatesWithSMS
        return wording.flatMap { $0.findings() + (attacks ? $0.attackFindings() : []) }
            + chosen.flatMap { bank, templates in
                let isWhole = names.isEmpty || names.contains(bank.key)
                if templates.isEmpty, !isWhole { return [LintFinding]() }
                let conflicts = ClaimConflicts(bank, in: set)
                var found: [LintFinding] = []
                if isWhole {
                    found = sharingFindings(bank)
                    found += conflicts.bankFindings(in: bank.samples.first?.path ?? bank.path)
                }
                for template in templates {
                    found += template.proofFindings() + template.smsFindings(provenBySMS)
                    found += conflicts.findings(template) + template.fenceFindings()
                    found += template.backtrackingFindings(faults)
                }
                return found
            } + mutations
    }
}

extension ProfileSet {
    /// Shared templates that no bank uses, or that a bank uses without proof.
    private func sharingFindings(_ bank: Bank) -> [LintFinding] {
        func finding(_ message: String, _ remedy: String, path: String? = nil, line: Int? = nil) -> LintFinding {
            LintFinding(template: bank.key, path: path ?? bank.path, line: line, message: message, remedy: remedy)
        }
        if shared.contains(where: { $0.key == bank.key }),
            !banks.contains(where: { $0.shared.contains { $0.folder == bank.key } })
        {
            return [
                finding(
                    "no bank uses the templates of '\(bank.key)'",
                    "Name the folder under 'shared' in a bank's _bank.yaml, or remove it.")
            ]
        }
        var found: [LintFinding] = []
        for item in bank.samples {
            guard case .missing = item.sample.expectation else { continue }
            found.append(
                finding(
                    "sample '\(item.sample.name)' has no 'expect:'",
                    "Run 'parserctl test --accept' and read what it writes.", path: item.path, line: item.sample.line))
        }
        for group in bank.shared {
            let isProven = bank.samples.contains { item in
                guard item.template.hasPrefix(group.folder + "/") else { return false }
                if case .none = item.sample.expectation { return false }
                return true
            }
            if !isProven {
                found.append(
                    finding(
                        "no sample shows that '\(group.folder)' reads this bank's mails",
                        "Add a mail of the bank to _samples.yaml in its folder, with the template that must claim it."))
            }
        }
        return found
    }
}

extension ProfileSet {
    /// The templates that an SMS among the samples proves.
    fileprivate var templatesWithSMS: Set<String> {
        var found: Set<String> = []
        for bank in banks {
            for template in bank.templates where template.samples.contains(where: \.isClaimedSMS) {
                found.insert(template.name)
            }
            for item in bank.samples where item.sample.isClaimedSMS { found.insert(item.template) }
        }
        return found
    }
}

extension Sample {
    fileprivate var isClaimedSMS: Bool {
        if case .none = expectation { return false }
        return smsHeader != nil
    }
}

extension Template {
    /// A template for SMS that no SMS proves.
    fileprivate func smsFindings(_ proven: Set<String>) -> [LintFinding] {
        guard media.contains(.sms), !proven.contains(name) else { return [] }
        return [
            LintFinding(
                template: name, path: path, line: nil, message: "no sample shows that it reads an SMS",
                remedy: "Add an SMS with 'sms: HEADER', here or in the _samples.yaml of a bank that uses it.")
        ]
    }

    fileprivate func finding(_ place: PatternPlace, _ message: String, _ remedy: String) -> LintFinding {
        LintFinding(template: name, path: path, line: place.line(in: path), message: message, remedy: remedy)
    }

    /// Checks that a sample matches every pattern, and that samples of both kinds exist.
    fileprivate func proofFindings() -> [LintFinding] {
        var found: [LintFinding] = []
        func add(_ message: String, _ remedy: String, line: Int? = nil) {
            found.append(LintFinding(template: name, path: path, line: line, message: message, remedy: remedy))
        }
        var (positive, negative) = (0, 0)
        for sample in samples {
            switch sample.expectation {
            case .none: negative += 1
            case .ignored, .fields, .notice: positive += 1
            case .missing:
                add(
                    "sample '\(sample.name)' has no 'expect:'",
                    "Run 'parserctl test --accept' and read what it writes.", line: sample.line)
            }
        }
        if positive == 0 {
            add("no sample shows what it claims", "Add one with its expected fields, or 'expect: ignored'.")
        }
        if negative == 0 {
            add("no sample shows what it must not claim", "Add the nearest other mail of the bank with 'expect: none'.")
        }
        return found + unusedPatternFindings()
    }

    /// Patterns that read a field in no sample.
    private func unusedPatternFindings() -> [LintFinding] {
        guard let matcher = Matcher() else { return [] }
        let texts = samples.compactMap { sample in
            switch sample.expectation {
            case .fields, .notice: sample.canonicalText
            case .none, .ignored, .missing: nil
            }
        }
        let bodies = extractions.filter { if case .body = $0.place { true } else { false } }
        var hit = Set<Int>()
        for text in texts {
            if let index = bodies.firstIndex(where: {
                (try? matcher.firstMatch(of: $0.pattern.ready(), in: text)) == true
            }) {
                hit.insert(index)
            }
        }
        var found: [LintFinding] = []
        for (index, body) in bodies.enumerated() where !hit.contains(index) {
            found.append(
                finding(
                    body.place, "body_pattern \(index + 1) of \(bodies.count) is hit by no sample",
                    "Add a sample that only it reads, or remove it."))
        }
        for (place, pattern) in extractions.dropFirst(bodies.count)
        where !texts.contains(where: { (try? matcher.firstMatch(of: pattern.ready(), in: $0)) == true }) {
            found.append(
                finding(place, "\(place.name) is hit by no sample", "Add a sample that it reads, or remove it."))
        }
        return found
    }

    /// Captures without an end.
    fileprivate func fenceFindings() -> [LintFinding] {
        if case .ignore = kind { return [] }
        let fields = Field.allCases.map(\.rawValue) + BankNotice.Field.allCases.map(\.rawValue)
        return patterns.flatMap { place, pattern in
            let groups = Set(pattern.groups.map(\.name)).intersection(fields)
            return CaptureFence(pattern.source).faults(groups).map { fault in
                switch fault {
                case .takesAll(let group):
                    finding(
                        place,
                        "\(place.name): nothing ends the group '\(group)', so it matches whatever follows the name",
                        "Write the bank's next words behind it, or $ for the end of the line.")
                case .takesLeast(let group):
                    finding(
                        place,
                        "\(place.name): nothing that must follow ends the lazy group '\(group)', so it matches as little as possible",
                        "Write the bank's next words behind it, or $ for the end of the line; words in (…)? need not follow."
                    )
                }
            }
        }
    }

    /// Patterns that hostile text can stall.
    fileprivate func backtrackingFindings(_ faults: [String: Backtracking.Fault]) -> [LintFinding] {
        patterns.compactMap { place, pattern in
            faults[pattern.source].map { finding(place, "\(place.name) \($0.description)", Backtracking.remedy) }
        }
    }
}

extension Backtracking {
    /// Faults of all patterns of the templates, by their sources; a shared pattern is tried once. Uses all cores.
    static func faults(of templates: [Template], progress: @Sendable (_ template: String) -> Void) -> [String: Fault] {
        let found = Mutex<[String: Fault]>([:])
        let seen = Mutex<Set<String>>([])
        DispatchQueue.concurrentPerform(iterations: templates.count) { index in
            guard let check = Backtracking() else { return }
            let template = templates[index]
            let texts = template.samples.map(\.canonicalText)
            for (place, pattern) in template.patterns where seen.withLock({ $0.insert(pattern.source).inserted }) {
                guard
                    let fault = check.fault(
                        of: pattern,
                        samples: place == .subject ? template.samples.map { Array($0.subject.utf8) } : texts)
                else { continue }
                found.withLock { $0[pattern.source] = fault }
            }
            progress(template.name)
        }
        return found.withLock { $0 }
    }
}

extension Sample {
    /// Text that the patterns are run on.
    var canonicalText: [UInt8] {
        switch body {
        case .text(let text): CanonicalText(plain: Array(text.utf8)).bytes
        case .html(let html): CanonicalText(html: Array(html.utf8)).bytes
        }
    }
}
