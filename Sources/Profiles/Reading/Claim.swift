public import InternetMessage
public import Ledger
import PCRE2
import YAMLSource

/// A message with the bank that it says it is from. Lives on one thread, as its message does.
public struct Claim {
    public enum Sender: Sendable {
        /// No bank that the profiles know.
        case none
        /// A listed address of a bank.
        case known(Bank)
        /// An address at a bank's domain that its profile does not list.
        case new(Bank)
        /// Several From mailboxes, one of them a bank's: refused.
        case ambiguous(Bank)

        public var bank: Bank? {
            switch self {
            case .none: nil
            case .known(let bank), .new(let bank), .ambiguous(let bank): bank
            }
        }
    }

    public let sender: Sender
    let generic: GenericReader
    let message: Message

    /// A template that claims the message, with what its patterns read.
    struct Reading {
        var template: Template
        var fields: ReadFields

        func agrees(with other: Reading) -> Bool {
            guard case .transaction = template.kind, let mine = fields.spans[.amount],
                let its = other.fields.spans[.amount]
            else { return false }
            return mine.overlaps(its)
        }
    }

    /// The templates that claim the message: of the bank's own, and only where none of them does, of the shared ones. Exactly one may.
    ///
    func readings(
        _ bank: Bank, from address: String, in text: SearchedText, with matcher: Matcher
    ) throws(MatchError) -> [Reading] {
        let subject = Array(message.subject.utf8)
        let groups = try? bank.groups.get()
        var found: [Reading] = []
        if let groups {
            try addReadings(groups.own, from: address, subject: subject, in: text, with: matcher, to: &found)
            if found.isEmpty {
                for group in groups.shared {
                    try addReadings(group, from: address, subject: subject, in: text, with: matcher, to: &found)
                }
            }
        }
        if bank.accounts.templates.isEmpty { return found }
        var accounts: [Reading] = []
        try addReadings(bank.accounts, from: address, subject: subject, in: text, with: matcher, to: &accounts)
        // A person's own goes before a file's that reads the same amount. Where they disagree, or the file says that nothing is to be booked, a
        // person is asked.
        return accounts.count == 1 && found.allSatisfy({ $0.agrees(with: accounts[0]) }) ? accounts : accounts + found
    }

    /// The message's text with the words that stand in it: those of the bank's patterns, once they are there, among them.
    func searched() -> SearchedText {
        try? sender.bank?.load()
        return searchedLoaded()
    }

    /// The same where the bank's patterns are there.
    private func searchedLoaded() -> SearchedText { SearchedText(message.text.bytes, words: generic.words) }

    private func addReadings(
        _ group: TemplateGroup, from address: String, subject: [UInt8], in text: SearchedText, with matcher: Matcher,
        to found: inout [Reading]
    ) throws(MatchError) {
        for index in group.candidates(for: text) {
            if let fields = try group.templates[index].claims(from: address, subject: subject, in: text, with: matcher)
            {
                found.append(Reading(template: group.templates[index], fields: fields))
            }
        }
    }

    /// Judges the message: authenticity, then the one template that claims it, then its fields and their confidence.
    ///
    /// A pure function of the message, the profiles and its arguments.
    /// - Parameters:
    ///   - policy: whose word on authenticity counts.
    ///   - receivedAt: INTERNALDATE in seconds since 1970; used where the message has no readable Date.
    ///   - autoConfirmAt: the confidence from which a draft is booked; a bank's own setting goes before it.
    public func decide(
        trusting policy: AuthenticationPolicy, receivedAt: Int64?, autoConfirmAt: Double = 0.85
    ) -> Decision {
        guard let bank = sender.bank else { return Decision(outcome: .unclaimed) }
        let verdict = message.authentication(policy)
        var decision = Decision(
            outcome: .review, profile: bank.key, bank: bank.name, profileVersion: bank.version,
            authentication: verdict.phrase)
        if case .ambiguous = sender {
            decision.outcome = .quarantined
            decision.reasons = [Reason("several_senders", weight: 0, note: "the mail has more than one From address")]
            return decision
        }
        guard verdict.isAccepted else {
            decision.outcome = .quarantined
            decision.reasons = [Reason("not_authentic", weight: 0, note: verdict.description)]
            return decision
        }
        guard let matcher = Matcher(), let address = message.from.first?.addrSpec else {
            decision.outcome = .failed
            decision.failure = "out of memory"
            return decision
        }
        let text = message.text
        if let limit = message.limitHit {
            decision.outcome = .failed
            decision.failure = "limit \(limit.rawValue) hit"
            return decision
        }
        // Before the words are looked for, since those of its patterns must be among them.
        do throws(SourceErrors) { try bank.load() } catch {
            decision.outcome = .failed
            decision.failure = "the templates of '\(bank.key)' cannot be made ready: \(error)"
            return decision
        }
        let context = ReadingContext(bank: bank, message: message, text: text.bytes, receivedAt: receivedAt)
        do throws(MatchError) {
            let searched = searchedLoaded()
            let readings = try readings(bank, from: address, in: searched, with: matcher)
            if let reading = readings.first {
                decision.template = reading.template.name
                if readings.count > 1 {
                    let names = readings.map(\.template.name).joined(separator: ", ")
                    decision.reasons.append(
                        Reason("contested", weight: 0.3, note: "claimed by more than one template: \(names)"))
                } else if case .ignore(let reason) = reading.template.kind {
                    decision.outcome = .ignored
                    decision.confidence = 1
                    decision.reasons = [Reason(reason.rawValue, weight: 1, note: reason.sentence)]
                    return decision
                }
                // Of several, the first that reads a transaction gives the draft for the person who decides.
                for reading in readings {
                    guard case .transaction(let extraction) = reading.template.kind else { continue }
                    decision.template = reading.template.name
                    context.draft(from: reading.fields, by: extraction, into: &decision)
                    break
                }
            } else {
                decision.template = GenericReader.templateName
                let read = try generic.read(text.bytes, with: matcher)
                decision.shape = TextShape.shape(subject: message.subject, text: text.bytes, values: read?.spans ?? [:])
                guard let read else {
                    decision.outcome = .ignored
                    decision.confidence = 1
                    decision.reasons = [
                        Reason(
                            "no_transaction_wording", weight: 1,
                            note: "no template claims the mail, and it names no amount with the words of a transaction")
                    ]
                    return decision
                }
                decision.reasons.append(
                    Reason("generic_reader", weight: 0.4, note: "no template of \(bank.name) claims this mail"))
                if read.isDoubtful {
                    decision.reasons.append(
                        Reason(
                            "wording_doubtful", weight: 0.3,
                            note: "the words by the amount may mean that nothing was paid, or not yet"))
                }
                var fields = ReadFields(spans: read.spans)
                if read.spans[.account] == nil {
                    fields.add(told: try generic.account(inSubject: Array(message.subject.utf8), with: matcher))
                }
                context.draft(from: fields, by: read.extraction, into: &decision)
            }
            if let amount = decision.draft?.spans[.amount] {
                let misgivings = try generic.misgivings.reasons(
                    about: amount, in: searched, subject: message.subject, with: matcher)
                decision.reasons += misgivings.filter { new in !decision.reasons.contains { $0.factor == new.factor } }
            }
        } catch {
            decision.outcome = .failed
            decision.failure = error.description
            return decision
        }
        if case .new = sender {
            decision.reasons.append(
                Reason(
                    "new_sender", weight: 0.6,
                    note:
                        "the address is at a domain of \(bank.name) but not in its profile; where nothing else is doubtful, accepting the item trusts it from then on"
                ))
        }
        let draft = decision.draft
        Assessment.add(to: &decision, draft, message: message, text: text)
        do throws(MatchError) {
            if let draft, decision.template != GenericReader.templateName,
                try generic.hasSecondAmount(beside: draft, of: bank, in: text.bytes, with: matcher)
            {
                decision.reasons.append(
                    Reason(
                        "second_amount", weight: 0.8,
                        note: "another amount stands beside the one that was read, and no word says what it is"))
            }
            if let draft, try generic.hasSecondMovement(beside: draft, of: bank, in: text.bytes, with: matcher) {
                decision.reasons.append(
                    Reason(
                        "second_transaction", weight: 0.3,
                        note: "another sentence of the mail tells of money that moved: only one of the two was read"))
            }
        } catch {
            decision.outcome = .failed
            decision.failure = error.description
            return decision
        }
        decision.confidence = draft == nil ? 0 : decision.reasons.reduce(1) { $0 * $1.weight }
        let threshold = bank.autoConfirmAt ?? autoConfirmAt
        decision.outcome =
            draft != nil && decision.confidence >= threshold && decision.template != GenericReader.templateName
            ? .recorded : .review
        return decision
    }
}

extension Template {
    /// What it reads where this template claims the message, otherwise nil.
    func claims(
        from address: String, subject: [UInt8], in text: SearchedText, with matcher: Matcher
    ) throws(MatchError) -> ReadFields? {
        guard match.from.isEmpty || match.from.contains(address) else { return nil }
        var told: [Field: [UInt8]] = [:]
        if let pattern = match.subject {
            guard try matcher.firstMatch(of: pattern, in: subject) else { return nil }
            if let groups = match.told { told = matcher.fields(groups).mapValues { Array(subject[$0]) } }
        }
        // What excepts a mail from an ignore template is mostly its first sentence, found sooner than that nothing else is there.
        func isExcepted() throws(MatchError) -> Bool {
            guard let unless = match.unless else { return false }
            return try text.holds(unless, with: matcher)
        }
        let isIgnored = if case .ignore = kind { true } else { false }
        if isIgnored, try isExcepted() { return nil }
        if let body = match.body, try !text.holds(body, with: matcher) { return nil }
        var fields = ReadFields()
        if case .transaction(let extraction) = kind {
            guard let found = try extraction.read(text, with: matcher) else { return nil }
            if let digits = extraction.accountDigits, let span = found.spans[.account] {
                let printed = String(decoding: text.bytes[span].filter { (0x30...0x39).contains($0) }, as: UTF8.self)
                guard printed.hasSuffix(digits) || digits.hasSuffix(printed) else { return nil }
            }
            fields = found
            if !told.isEmpty { fields.add(told: told) }
        }
        if !isIgnored, try isExcepted() { return nil }
        return fields
    }
}

extension AuthenticationVerdict {
    /// One word for programs, then the reason for people: `pass: genuine by dmarc`.
    var phrase: String {
        switch self {
        case .pass: "pass: \(description)"
        case .trustedDelivery: "trusted: \(description)"
        case .unverified: "unverified"
        case .fail: "fail: \(description)"
        case .missing: "missing: \(description)"
        }
    }
}
