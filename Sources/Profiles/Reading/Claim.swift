public import Chronology
public import InternetMessage
public import Ledger
package import PCRE2
public import YAMLSource

/// A message with the bank that its sender address names. Lives on one thread, as its message does.
public struct Claim {
    public enum Sender: Sendable {
        /// The sender is from no bank of the profiles.
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
    let common: CommonReader
    package let message: Message
    /// Set if the message is an SMS.
    public let smsHeader: SMSHeader?

    init(sender: Sender, common: CommonReader, message: Message, smsHeader: SMSHeader? = nil) {
        (self.sender, self.common, self.message, self.smsHeader) = (sender, common, message, smsHeader)
    }

    package var medium: AlertMedium { smsHeader == nil ? .mail : .sms }

    /// The subject on which conditions run; `nil` for an SMS, which has none.
    package var subject: [UInt8]? { smsHeader == nil ? Array(message.subject.utf8) : nil }

    /// Reads the templates of the message's bank, and the common wording, if that has not happened.
    public func load() throws(SourceErrors) {
        guard let bank = sender.bank else { return }
        try bank.load()
        _ = try common.generic()
    }

    /// Decides about the message: authenticity, then the one template that claims it or the generic reader, then doubts
    /// and confidence.
    ///
    /// A pure function of the message, the profiles and its arguments.
    /// - Parameters:
    ///   - policy: whose statement about authenticity counts.
    ///   - receivedAt: INTERNALDATE in seconds since 1970; used if the message has no readable Date.
    ///   - autoConfirmAt: the confidence from which a draft is booked, unless the bank has its own.
    ///   - signatures: the check that ``AuthenticationPolicy/verified(authservID:forwarders:)`` and forwarders need;
    ///     the one argument whose answer may change with time.
    public func decide(
        trusting policy: AuthenticationPolicy, receivedAt: UnixTime?, autoConfirmAt: Double = Decision.usualThreshold,
        signatures: (any SignatureChecker)? = nil
    ) -> Decision {
        guard let bank = sender.bank, policy.admits(medium) else { return Decision(.unclaimed) }
        let authenticity = message.authentication(
            policy,
            signatures: {
                signatures?.finding(for: message, pinned: bank.signingKeys, receivedAt: receivedAt) ?? .notChecked
            },
            seals: {
                signatures?.finding(for: message, vouchedBy: $0, receivedAt: receivedAt) ?? .notChecked
            })
        let source = Decision.Source(
            profile: bank.key, bank: bank.name, version: bank.version, authentication: authenticity.phrase,
            isAuthentic: authenticity.isProven)
        if authenticity == .undecided { return Decision(.failed(.signingKeyUnavailable), by: source) }
        if let objection = objection(to: authenticity) {
            return Decision(.quarantined, by: source, reasons: [objection])
        }
        guard let matcher = Matcher() else { return Decision(.failed(.outOfMemory), by: source) }
        let generic: GenericReader
        do throws(Failure) { generic = try prepare(bank) } catch { return Decision(.failed(error), by: source) }
        let reader = DraftReader(
            claim: self, bank: bank, generic: generic, text: searchedText(),
            context: ReadingContext(bank: bank, message: message, receivedAt: receivedAt), matcher: matcher)
        var findings = Findings()
        do throws(MatchError) {
            try reader.read(into: &findings)
            if !findings.isIgnored { try reader.addDoubts(to: &findings) }
        } catch {
            return findings.decision(failing: Failure(error), by: source)
        }
        if !findings.isIgnored { addDoubts(about: authenticity, to: &findings) }
        return findings.decision(
            by: source, threshold: bank.autoConfirmAt ?? autoConfirmAt, mayBook: authenticity.mayBook)
    }

    private func addDoubts(about authenticity: AuthenticationVerdict, to findings: inout Findings) {
        if case .unconfirmed = authenticity { findings.add(.signatureUnverified, 0, authenticity.description) }
        if case .claimed(books: false) = authenticity { findings.add(.smsSender, 1, authenticity.description) }
        guard smsHeader?.category == .promotional else { return }
        if TemplateName.template(findings.template) == nil {
            // Advertising prints amounts, which the common words may take for a payment.
            findings.ignore(Reason(.advert))
        } else {
            findings.add(.promotionalSender, 0, "the sender's header is registered for advertising")
        }
    }

    /// The reason to quarantine the message, if there is one.
    private func objection(to authenticity: AuthenticationVerdict) -> Reason? {
        if case .ambiguous = sender {
            return Reason(.severalSenders, weight: 0, note: "the mail has more than one From address")
        }
        if authenticity.isAccepted { return nil }
        return Reason(
            authenticity == .disagreement ? .verificationDisagrees : .notAuthentic, weight: 0,
            note: authenticity.description)
    }

    /// Decodes the message's text and compiles the bank's templates and the common wording: the text's words are looked
    /// up among those of their patterns.
    ///
    /// Throws the reason why the message cannot be read.
    private func prepare(_ bank: Bank) throws(Failure) -> GenericReader {
        _ = message.text
        if let limit = message.limitHit { throw Failure(limit) }
        do throws(SourceErrors) {
            try bank.load()
            return try common.generic()
        } catch {
            throw .templates(bank: bank.key, detail: "\(error)")
        }
    }

    /// The message's text with the words of the profiles' patterns that occur in it. The bank's patterns must be
    /// loaded.
    func searchedText() -> SearchedText { SearchedText(message.text.bytes, words: common.words) }

    /// The same, after loading all patterns of the bank.
    package func searched() -> SearchedText {
        _ = sender.bank?.shared
        return searchedText()
    }

    /// The templates that claim the message: the bank's own, or, if none of them does, the shared ones. Only one may.
    package func templateClaims(
        _ bank: Bank, in text: SearchedText, with matcher: Matcher
    ) throws(MatchError) -> [TemplateClaim] {
        let subject = subject
        var found: [TemplateClaim] = []
        if let groups = try? bank.groups.get() {
            found = try claims(of: groups.own, subject: subject, in: text, with: matcher)
            if found.isEmpty, !groups.shared.isEmpty {
                let shared: [TemplateGroup]
                do throws(SourceErrors) { shared = try groups.loadedShared() } catch {
                    throw MatchError.outOfMemory
                }
                text.include(common.words)
                for group in shared { found += try claims(of: group, subject: subject, in: text, with: matcher) }
            }
        }
        if bank.accounts.templates.isEmpty { return found }
        let accounts = try claims(of: bank.accounts, subject: subject, in: text, with: matcher)
        // A person's own template takes precedence over a file's that reads the same amount. If they disagree, or the
        // file's template books nothing, a person decides.
        return accounts.count == 1 && found.allSatisfy({ $0.readsSameAmount(as: accounts[0]) })
            ? accounts : accounts + found
    }

    private func claims(
        of group: TemplateGroup, subject: [UInt8]?, in text: SearchedText, with matcher: Matcher
    ) throws(MatchError) -> [TemplateClaim] {
        let address = message.from.first?.addrSpec ?? ""
        var found: [TemplateClaim] = []
        for index in group.candidates(for: text) {
            let template = group.templates[index]
            guard template.media.contains(medium) else { continue }
            if let fields = try template.claims(from: address, subject: subject, in: text, with: matcher) {
                found.append(TemplateClaim(template: template, fields: fields))
            }
        }
        return found
    }
}

extension AuthenticationPolicy {
    /// A phone passes on SMS only, and no mailbox delivers one: a mail that has the form of an SMS is no bank's.
    fileprivate func admits(_ medium: AlertMedium) -> Bool {
        switch self {
        case .phone: medium == .sms
        case .unverified: true
        case .pinned, .verified, .trustDelivery, .noTrustedServer: medium == .mail
        }
    }
}

extension AuthenticationVerdict {
    /// `pass: genuine by dmarc`.
    var phrase: String {
        switch self {
        case .pass: AuthenticationWord.pass.phrase(description)
        // It begins with its word.
        case .vouched: description
        case .trustedDelivery: AuthenticationWord.trusted.phrase(description)
        case .unverified: AuthenticationWord.unverified.rawValue
        case .claimed: AuthenticationWord.phone.phrase(description)
        case .unconfirmed: AuthenticationWord.unverified.phrase(description)
        case .undecided: AuthenticationWord.undecided.phrase(description)
        case .fail, .refuted, .disagreement: AuthenticationWord.fail.phrase(description)
        case .missing: AuthenticationWord.missing.phrase(description)
        }
    }
}
