import InternetMessage
public import Ledger
public import Profiles

/// From mails with their values to a proven template file.
public struct Derivation {
    public struct Result: Sendable {
        public var yaml: String
        /// For a bank that had no profile.
        public var bankYAML: String?
        /// What was chosen and what was found, for a person.
        public var notes: [String]

        public init(yaml: String, bankYAML: String?, notes: [String]) {
            self.yaml = yaml
            self.bankYAML = bankYAML
            self.notes = notes
        }
    }

    /// Where everybody has a mailbox: never a bank's domain.
    private static let publicDomains: Set<String> = [
        "gmail.com", "googlemail.com", "outlook.com", "hotmail.com", "live.com", "yahoo.com", "yahoo.co.in",
        "icloud.com", "me.com", "rediffmail.com", "proton.me", "protonmail.com", "zoho.com", "example.com",
    ]

    private let base: ProfileSet
    private let proof: TemplateProof
    private let template: String
    private let mails: [TemplateProof.Given]
    private let messages: [Message]
    private let bank: String
    private let bankFile: String?
    private let zone: BankTimeZone
    private var wish: TemplateDraft.Wish
    private var notes: [String] = []
    private let words: Set<String>

    /// - Parameters:
    ///   - replaces: a template of that name may be there already.
    ///   - isAlone: no other bank is read: for a bank that is there, where memory is short.
    /// - Throws: ``DerivationError``, or what is wrong in the folders.
    public init(
        folders: [String], bank key: String, name: String, bankName: String? = nil, mails: [TemplateProof.Given],
        wish: TemplateDraft.Wish, replaces: Bool, isAlone: Bool = false
    ) throws {
        base = try isAlone ? ProfileSet(directories: folders, only: key) : ProfileSet(directories: folders)
        template = "\(key)/\(name)"
        self.mails = mails
        self.wish = wish
        bank = key
        messages = mails.map { Message(parsing: $0.bytes) }
        let known = base.banks.first { $0.key == key }
        var domains: [String] = []
        var addresses: [String] = []
        for (mail, message) in zip(mails, messages) {
            guard message.from.count == 1, let sender = message.from.first else {
                throw DerivationError(
                    .unlike, "\(mail.name) has \(message.from.count) senders, not one",
                    remedy: "Only a mail with one From address is ever read.")
            }
            if message.text.bytes.isEmpty {
                throw DerivationError(
                    .unlike, "\(mail.name) has no text",
                    remedy: "A profile reads text; this mail has only pictures or attachments.")
            }
            if let limit = message.limitHit {
                throw DerivationError(.unlike, "\(mail.name) hits the limit \(limit.rawValue)")
            }
            if let other = base.bank(ofDomain: sender.domain), other.key != key {
                throw DerivationError(
                    .unlike, "\(mail.name) is from \(sender.addrSpec), a domain of the bank '\(other.key)'",
                    remedy: "Use --bank \(other.key).")
            }
            if known != nil, base.bank(ofDomain: sender.domain) == nil {
                throw DerivationError(
                    .unlike,
                    "\(mail.name) is from \(sender.addrSpec), and \(sender.domain) is no domain of the bank '\(key)'",
                    remedy: "Add it to the domains in \(key)/_bank.yaml if it is the bank's.")
            }
            if known == nil, Self.publicDomains.contains(sender.domain) {
                throw DerivationError(
                    .unlike, "\(mail.name) is from \(sender.addrSpec): at \(sender.domain) everybody has an address",
                    remedy: "Save the bank's own mail, not a forwarded one.")
            }
            if !domains.contains(sender.domain) { domains.append(sender.domain) }
            if !addresses.contains(sender.addrSpec) { addresses.append(sender.addrSpec) }
        }
        if let known {
            bankFile = nil
            zone = known.timeZone
            if !known.addresses.isEmpty {
                for address in addresses where !known.addresses.contains(address) {
                    notes.append(
                        "\(address) is not among the addresses in \(key)/_bank.yaml: add it there, otherwise its mails wait for review"
                    )
                }
            }
            if !replaces, known.templates.contains(where: { $0.name == "\(key)/\(name)" }) {
                throw DerivationError(
                    .notProvable, "there is a template \(key)/\(name) already",
                    remedy: "Give another --name, or --force to replace it.")
            }
        } else {
            guard let zone = BankTimeZone(identifier: "Asia/Kolkata") else {
                throw DerivationError(
                    .internal, "the time zone Asia/Kolkata is not known here",
                    remedy: "Install Debian's package tzdata.")
            }
            self.zone = zone
            let name =
                bankName ?? messages.first?.from.first?.displayName ?? key.prefix(1).uppercased() + key.dropFirst()
            bankFile = TemplateDraft.bankYAML(name: name, domains: domains, addresses: addresses)
            notes.append("a new bank: look through \(key)/_bank.yaml (domains, addresses, time zone, currency)")
        }
        words = base.bankWords().union(BankWords.lowercased((known?.name ?? "") + " " + key)).union(
            messages.flatMap {
                $0.from.first.map { BankWords.lowercased(($0.displayName ?? "") + " " + $0.domain) } ?? []
            })
        proof = try TemplateProof(folders: folders, base: base, bank: key, template: template, bankFile: bankFile)
        self.wish.knownWords = words
        for (mail, message) in zip(mails, messages) {
            let claimants = base.claim(message).claimants().filter { $0 != template }
            // A shared template may well read it: the bank's own go before it.
            if let other = claimants.first(where: { !$0.hasPrefix("_") }) {
                throw DerivationError(
                    .notProvable, "\(mail.name) is read by \(other) already",
                    remedy: "See what it reads with 'parserctl explain'; if it reads it wrong, mend that template.")
            }
            if let other = claimants.first {
                notes.append(
                    "\(mail.name) is read by the shared template \(other) too, which gives way to this one: if that reads it right, this one is not needed"
                )
            }
        }
    }

    /// Tries ways from the most general to the most specific, and gives the first that is proven.
    ///
    /// - Parameters:
    ///   - keepValues: the mails stand in the samples as they are, not redacted.
    ///   - kept: more mails, in which nothing may become contested.
    public mutating func run(keepValues: Bool, kept: [TemplateProof.Kept] = []) throws -> Result {
        let marked = zip(messages, mails).map { MarkedMail($0, values: $1.values, zone: zone) }
        var first: (any Error)?
        for guarded in wish.ignore == nil ? [true, false] : [true] {
            for specificity in 0...TemplateDraft.greatestSpecificity {
                do {
                    var draft = try TemplateDraft.derive(from: marked, wish: wish, specificity: specificity)
                    if !guarded { draft.unlessPattern = nil }
                    var result = try prove(draft, kept, keepValues)
                    result.notes = notes + draft.notes + result.notes
                    return result
                } catch let error as DerivationError {
                    // A value that is not there will not be there next time.
                    if [.missingValue, .valueNotFound, .ambiguous, .internal].contains(error.cause) { throw error }
                    first = first ?? error
                }
            }
        }
        throw first ?? DerivationError(.notProvable, "no template could be derived")
    }

    private func prove(_ draft: TemplateDraft, _ kept: [TemplateProof.Kept], _ keepValues: Bool) throws -> Result {
        let ignores = wish.ignore != nil
        // First with the mails as they are, then with what will stand in the file.
        let asGiven = zip(mails, messages).map { mail, message in
            sample(of: message.text.bytes, mail.name, message, message.subject, message.date.map(Self.written), nil)
        }
        let bare = try proof.loaded(draft.yaml(named: template, samples: []))
        var samples: [TemplateDraft.WrittenSample] = []
        var spans: [[Field: Range<Int>]] = []
        for (index, mail) in mails.enumerated() {
            let decision = bare.claim(messages[index]).decide(trusting: .unverified, receivedAt: nil)
            if keepValues {
                var sample = asGiven[index]
                sample.expect = expectation(decision)
                samples.append(sample)
                spans.append(decision.draft?.spans ?? [:])
            } else if bare.claim(messages[index]).claimants() == [template] {
                let redaction = try bare.redact(mail.bytes, knownWords: words)
                samples.append(
                    sample(
                        of: redaction.text, mail.name, messages[index], redaction.subject, redaction.date,
                        expectation(redaction.decision)))
                spans.append(redaction.decision.draft?.spans ?? [:])
            }
        }
        for index in samples.indices { samples[index].name = Self.sampleName(index, ignores) }
        var failure: DerivationError?
        for counterexample in counterexamples(samples, spans) {
            let yaml = draft.yaml(named: template, samples: samples + [counterexample])
            do {
                let set = try proof.loaded(yaml)
                try proof.check(set, given: mails, ignores: ignores)
                let result = try proof.check(set, kept: kept, given: Set(mails.map(\.bytes)))
                var found: [String] = []
                if !ignores { found += doubts(of: set) }
                if !kept.isEmpty {
                    found.append(
                        "tried on \(result.mails) mails of this bank; \(result.newlyRead) more than the given ones are now read"
                    )
                }
                return Result(yaml: yaml, bankYAML: bankFile, notes: found)
            } catch let error as DerivationError { failure = failure ?? error }
        }
        throw failure ?? DerivationError(.notProvable, "nothing was found that the template must not claim")
    }

    /// Why mails of this form would wait for a person though the template reads them.
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
        RFC5322Date.text(local: date.secondsSince1970 + Int64(date.offsetSeconds), offset: Int(date.offsetSeconds))
    }

    /// What the template must not claim, the most telling first.
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
