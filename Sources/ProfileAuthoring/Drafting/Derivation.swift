import Chronology
import InternetMessage
import Ledger
public import Profiles

/// Derives a proven template file from mails and the values that they print.
public struct Derivation {
    public struct Result: Sendable {
        public var yaml: String
        /// Set for a bank without a profile.
        public var bankYAML: String?
        /// Notes about the choices and findings, for a person.
        public var notes: [String]
        /// Other templates of the bank that claimed the mails, with an exception for them.
        public var changed: [Change] = []

        public init(yaml: String, bankYAML: String?, notes: [String]) {
            self.yaml = yaml
            self.bankYAML = bankYAML
            self.notes = notes
        }
    }

    /// A template as it is and as it would be.
    public struct Change: Sendable {
        /// Name such as `hdfc/card-spend`.
        public var template: String
        public var old: String
        public var yaml: String
    }

    /// The template to be made.
    public struct Target: Sendable {
        /// The bank's key.
        public var bank: String
        /// The template's name in the bank's folder.
        public var name: String
        /// Display name of a bank without a profile.
        public var bankName: String?
        /// Allows an existing template of that name.
        public var replaces: Bool

        public init(bank: String, name: String, bankName: String? = nil, replaces: Bool = false) {
            self.bank = bank
            self.name = name
            self.bankName = bankName
            self.replaces = replaces
        }

        /// Name such as `hdfc/card-spend`.
        var template: String { "\(bank)/\(name)" }
    }

    let base: ProfileSet
    let proof: TemplateProof
    let template: String
    let mails: [ExampleMail]
    let messages: [Message]
    let bank: String
    let bankFile: String?
    private let zone: IANATimeZone
    /// The bank's currency; of a new bank, the one that its mails show.
    let currency: Currency
    var options: DraftOptions
    var notes: [String]
    private let words: Set<String>
    /// The bank's templates that claim the mails and must except them.
    var exceptions: [TemplateException] = []

    /// - Parameter isAlone: true reads only the target's bank, which must have a profile: it needs less memory.
    /// - Throws: ``DerivationError``, or the errors of the folders.
    public init(
        folders: ProfileFolders, target: Target, mails: [ExampleMail], options: DraftOptions, isAlone: Bool = false
    ) throws {
        base = try isAlone ? ProfileSet(directories: folders, only: target.bank) : ProfileSet(directories: folders)
        template = target.template
        self.mails = mails
        bank = target.bank
        let messages = mails.map { Message(parsing: $0.bytes) }
        self.messages = messages
        let known = base.banks.first { $0.key == target.bank }
        let senders = try ExampleSenders(mails, messages, of: target.bank, in: base)
        if let known {
            bankFile = nil
            (zone, currency) = (known.timeZone, known.currency)
            notes = senders.notes(about: known)
            if !target.replaces, known.templates.contains(where: { $0.name == target.template }) {
                throw DerivationError(
                    .notProvable, "there is a template \(target.template) already",
                    remedy: "Give another --name, or --force to replace it.")
            }
        } else {
            let locale = ExampleLocale(mails, messages, try PrintedForms())
            (zone, currency) = (IANATimeZone(identifier: locale.timeZone) ?? .kolkata, locale.currency)
            bankFile = senders.bankFile(for: target, named: messages.first?.from.first?.displayName, locale)
            notes =
                ["a new bank: look through \(bank)/_bank.yaml (domains, addresses, time zone, currency)"] + locale.notes
        }
        words = base.bankWords().union(BankWords.lowercased((known?.name ?? "") + " " + bank)).union(
            messages.flatMap {
                $0.from.first.map { BankWords.lowercased(($0.displayName ?? "") + " " + $0.domain) } ?? []
            })
        proof = try TemplateProof(folders: folders, base: base, bank: bank, template: template, bankFile: bankFile)
        self.options = options
        self.options.knownWords = words
        self.options.statusRow = base.negatives?.row.pattern
        try checkClaimants()
    }

    /// Tries ways from the most general to the most specific, and gives the first that is proven.
    ///
    /// - Parameters:
    ///   - keepValues: true writes the mails into the samples unredacted.
    ///   - retained: further mails, none of which may get a claim conflict.
    public mutating func run(keepValues: Bool, retained: [TemplateProof.RetainedMails] = []) throws -> Result {
        let marked = zip(messages, mails).map { message, mail in
            var marked = MarkedMail(message, values: mail.values, zone: zone)
            if mail.values[.merchant] == nil, mail.values[.vpa] == nil, options.ignore == nil {
                marked.hidden = base.counterparty(in: marked.text).map { [$0] } ?? []
            }
            return marked
        }
        var first: (any Error)?
        let most = TemplateDraft.greatestSpecificity
        for guarded in options.ignore == nil ? [true, false] : [true] {
            for specificity in (onlySubjectDiffers ? most : 0)...most {
                do {
                    var draft = try TemplateDraft.derive(from: marked, options: options, specificity: specificity)
                    if !guarded { draft.unlessPattern = nil }
                    var result = try prove(draft, retained, keepValues)
                    result.notes = notes + draft.notes + result.notes
                    return result
                } catch let error as DerivationError {
                    // More specific choices do not help against a missing value.
                    if [.missingValue, .valueNotFound, .ambiguous, .internal].contains(error.cause) { throw error }
                    first = first ?? error
                }
            }
        }
        throw first ?? DerivationError(.notProvable, "no template could be derived")
    }

    /// The mails as samples, with the spans that the template reads in each.
    private func readSamples(
        by bare: ProfileSet, _ keepValues: Bool
    ) throws -> (samples: [TemplateDraft.WrittenSample], spans: [[Field: Range<Int>]]) {
        var samples: [TemplateDraft.WrittenSample] = []
        var spans: [[Field: Range<Int>]] = []
        for (mail, message) in zip(mails, messages) {
            let claim = bare.claim(message)
            if keepValues {
                let decision = claim.decide(trusting: .unverified, receivedAt: nil)
                samples.append(
                    sample(
                        of: message.text.bytes, mail.name, message, message.subject, message.date.map(Self.written),
                        expectation(decision)))
                spans.append(decision.draft?.spans ?? [:])
            } else if claim.claimants() == [template] {
                let redaction = try bare.redact(mail.bytes, knownWords: words)
                samples.append(
                    sample(
                        of: redaction.text, mail.name, message, redaction.subject, redaction.date,
                        expectation(redaction.decision)))
                spans.append(redaction.decision.draft?.spans ?? [:])
            }
        }
        return (samples, spans)
    }

    private func prove(
        _ draft: TemplateDraft, _ retained: [TemplateProof.RetainedMails], _ keepValues: Bool
    ) throws -> Result {
        let ignores = options.ignore != nil
        // First with the given mails, then with the samples of the file.
        let bare = try proof.loaded(draft.yaml(named: template, samples: []), changed(draft, nil))
        let read = try readSamples(by: bare, keepValues)
        var samples = read.samples
        for index in samples.indices { samples[index].name = Self.sampleName(index, ignores) }
        var failure: DerivationError?
        for counterexample in counterexamples(samples, read.spans) {
            let yaml = draft.yaml(named: template, samples: samples + [counterexample])
            do {
                let changed = try changed(draft, samples.first)
                let set = try proof.loaded(yaml, changed)
                try proof.check(set, given: mails, ignores: ignores)
                let result = try proof.check(set, retained: retained, given: Set(mails.map(\.bytes)))
                var found: [String] = []
                if !ignores { found += doubts(of: set) }
                if !retained.isEmpty {
                    found.append(
                        "tried on \(result.mails) mails of this bank; \(result.newlyRead) more than the given ones are now read"
                    )
                }
                var proven = Result(yaml: yaml, bankYAML: bankFile, notes: found)
                proven.changed = exceptions.compactMap { exception in
                    changed[exception.template].map {
                        Change(template: exception.template, old: exception.text, yaml: $0)
                    }
                }
                return proven
            } catch let error as DerivationError { failure = failure ?? error }
        }
        throw failure ?? DerivationError(.notProvable, "nothing was found that the template must not claim")
    }

    /// Reasons why mails of this form would wait for a person although the template reads them.
    private func doubts(of set: ProfileSet) -> [String] {
        zip(mails, messages).compactMap { mail, message in
            let decision = set.claim(message).decide(trusting: .unverified, receivedAt: nil)
            guard decision.outcome == .review else { return nil }
            let doubts = decision.reasons.filter { $0.weight < 1 }
            let remedy =
                doubts.contains { $0.factor == .secondAmount }
                ? ": if it is the balance or the limit, give it with --balance or --limit" : ""
            return
                "\(mail.name) is read, and would still wait for review: \(doubts.map(\.note).joined(separator: "; "))\(remedy)"
        }
    }

    private static func sampleName(_ index: Int, _ ignores: Bool) -> String {
        let number = index == 0 ? "" : " \(index + 1)"
        return (ignores ? "not a transaction" : "as the bank writes it") + number
    }

    private func sample(
        of text: [UInt8], _ name: String, _ message: Message, _ subject: String, _ date: String?,
        _ expect: TemplateDraft.WrittenSample.Expectation?
    ) -> TemplateDraft.WrittenSample {
        .init(
            name: name, from: message.from.first?.addrSpec ?? "", date: date, subject: subject, text: text,
            expect: expect ?? .none)
    }

    private func expectation(_ decision: Decision) -> TemplateDraft.WrittenSample.Expectation {
        decision.draft.map { .fields(Sample.fields(of: $0)) } ?? (decision.outcome == .ignored ? .ignored : .none)
    }

    private static func written(_ date: HeaderDate) -> String {
        RFC5322Date.text(date.instant, offset: Int(date.offsetSeconds))
    }

    /// The texts that the template must not claim, the most significant first.
    private func counterexamples(
        _ samples: [TemplateDraft.WrittenSample], _ spans: [[Field: Range<Int>]]
    ) -> [TemplateDraft.WrittenSample] {
        guard let first = samples.first else { return [] }
        func none(_ name: String, _ subject: String, _ text: [UInt8]) -> TemplateDraft.WrittenSample {
            .init(name: name, from: first.from, date: nil, subject: subject, text: text, expect: .none)
        }
        var found: [TemplateDraft.WrittenSample] = []
        if let amount = spans.first?[.amount], let text = Counterexample.undone(first.text, around: amount) {
            found.append(none("what could not be done is not claimed", first.subject, Array(text.utf8)))
        }
        if let bank = base.banks.first(where: { $0.key == bank }),
            let other = bank.nearestSample(to: first.text, except: template)
        {
            found.append(
                none(
                    "\(other.template.split(separator: "/").last ?? "another template") is not claimed",
                    other.sample.subject, other.text))
        }
        if case .fields(let fields) = first.expect {
            found.append(
                none(
                    "a one-time password is not claimed", first.subject,
                    Array(Counterexample.password(amount: fields[.amount] ?? "500.00").utf8)))
        } else {
            found.append(none("a transaction is not claimed", "", Array(Counterexample.transaction.utf8)))
        }
        return found
    }
}
