import Chronology
import InternetMessage
import Ledger
import Profiles

/// Redacts one mail, the strictest way first, until the result is read like the original.
struct Redactor {
    private let profiles: ProfileSet
    private let message: Message
    private let forms: PrintedForms
    private let bank: Bank?
    private let before: Decision
    /// The ranges that the claiming template matched.
    private let matched: (body: [Range<Int>], subject: [Range<Int>])
    private let pseudonyms: Pseudonyms
    private let guide: RedactedText.Guide
    /// The values that are replaced: those of the draft, and a counterparty that the template does not read.
    private let fields: [Field: Range<Int>]
    /// Reason why the last attempt failed.
    private var failure = ""

    init(_ bytes: [UInt8], by profiles: ProfileSet, knownWords: Set<String>) throws(RedactionError) {
        self.profiles = profiles
        message = Message(parsing: bytes)
        let text = message.text
        if let limit = message.limitHit {
            throw RedactionError(
                message: "the mail hits the limit \(limit.rawValue)",
                remedy: "Only mails that SpendWise can read can be redacted.")
        }
        guard !text.bytes.isEmpty else {
            throw RedactionError(
                message: "the mail has no text", remedy: "There is nothing in it that a profile could read.")
        }
        do throws(DerivationError) { forms = try PrintedForms() } catch { throw RedactionError(message: error.message) }
        let claim = profiles.claim(message)
        before = claim.decide(trusting: .unverified, receivedAt: nil)
        bank = claim.sender.bank
        matched = claim.matched(by: before.template)
        var fields = before.draft?.spans ?? [:]
        if before.draft != nil, fields[.merchant] == nil, fields[.vpa] == nil,
            let name = profiles.counterparty(in: text.bytes), !fields.values.contains(where: { $0.overlaps(name) })
        {
            fields[.merchant] = name
        }
        self.fields = fields
        pseudonyms = Pseudonyms(mail: bytes)
        let subject = Array(message.subject.utf8)
        let dates =
            forms.dates(in: text.bytes).map { Array(text.bytes[$0]) }
            + forms.dates(in: subject).map { Array(subject[$0]) }
        let arrival = message.date?.day
        let orders = Self.dateOrders(of: before.template, bank)
        guide = RedactedText.Guide(
            domains: bank?.domains ?? message.from.prefix(1).map(\.domain),
            knownWords: knownWords.union(bank.map { BankWords.lowercased($0.name + " " + $0.key) } ?? []),
            recipient: Recipient.words(of: message.headerBytes).subtracting(BankWords.usual),
            dateOrders: orders, arrival: arrival,
            shift: ShiftedDate.shift(for: dates, orders: orders, arrival: arrival, pseudonyms: pseudonyms))
    }

    /// The orders in which the template reads numeric dates.
    private static func dateOrders(of name: String?, _ bank: Bank?) -> [DateOrder] {
        guard case .transaction(let extraction)? = bank?.allTemplates.first(where: { $0.name == name })?.kind else {
            return [.dayFirst]
        }
        return extraction.notation.dateOrders
    }

    /// Maximum number of words of a counterparty.
    private static let maximumNameWords = 16

    mutating func run() throws(RedactionError) -> Redaction {
        // If a template reads no fields, a name may be among the words that it matched.
        if before.draft == nil, !matched.body.isEmpty || !matched.subject.isEmpty,
            let result = attempt(.all, keepsMatch: false, keepsDigits: false)
        {
            return result
        }
        // Banks print their own words in a counterparty's place, and patterns may require a number.
        for keepsDigits in [false, true] {
            if let result = attempt(.all, keepsDigits: keepsDigits) ?? attempt(.unknown, keepsDigits: keepsDigits) {
                return result
            }
        }
        // Then word by word: every word of the counterparty that can be replaced.
        guard var best = attempt(.chosen([]), keepsDigits: true) else { throw Self.unredactable(failure) }
        var chosen: Set<Int> = []
        for index in 0..<Self.maximumNameWords {
            guard let better = attempt(.chosen(chosen.union([index])), keepsDigits: true) else { continue }
            chosen.insert(index)
            best = better
        }
        return best
    }

    private mutating func attempt(
        _ names: RedactedText.Names, keepsMatch: Bool = true, keepsDigits: Bool
    ) -> Redaction? {
        let rules = RedactedText.Rules(names: names, keepsDigits: keepsDigits, pseudonyms: pseudonyms, guide: guide)
        let redacted = RedactedText(
            message.text.bytes, fields: fields, kept: keepsMatch ? matched.body : [], rules,
            forms: forms)
        let title = RedactedText(
            Array(message.subject.utf8), fields: [:], kept: keepsMatch ? matched.subject : [], rules, forms: forms)
        let writer = RedactedMessage(
            message, text: redacted.bytes, subject: String(decoding: title.bytes, as: UTF8.self), guide: guide,
            pseudonyms: pseudonyms, isBank: bank != nil)
        for form in [writer.likeSource(), writer.plain()] {
            guard let form else { continue }
            let again = Message(parsing: form)
            guard again.text.bytes == redacted.bytes else {
                failure = "its text is not rendered as the original's"
                continue
            }
            let after = profiles.claim(again).decide(trusting: .unverified, receivedAt: nil)
            if let difference = Self.difference(before, after) {
                failure = difference
                continue
            }
            return Redaction(
                message: form, text: redacted.bytes, subject: again.subject, date: writer.date, decision: after)
        }
        return nil
    }

    private static func unredactable(_ failure: String) -> RedactionError {
        RedactionError(
            message: "the mail cannot be redacted so that it is still read the same: \(failure)",
            remedy: "Redact it by hand, and look with 'parserctl explain' whether it is still read the same.")
    }

    /// The first difference in outcome, template, and the place and shape of the fields; `nil` if there is none.
    private static func difference(_ before: Decision, _ after: Decision) -> String? {
        if before.outcome != after.outcome { return "its outcome becomes \(after.outcome.rawValue)" }
        if before.template != after.template { return "its template becomes \(after.template ?? "none")" }
        guard let old = before.draft, let new = after.draft else {
            return (before.draft == nil) == (after.draft == nil) ? nil : "it is read differently"
        }
        for field in Field.allCases {
            if old.spans[field] != new.spans[field] { return "the \(field.rawValue) is read elsewhere" }
            if field == .date || field == .time { continue }
            if old.text(of: field).map(shape) != new.text(of: field).map(shape) {
                return "the \(field.rawValue) has another shape"
            }
        }
        return nil
    }

    private static func shape(_ text: String) -> [UInt8] {
        text.utf8.map { PrintedForms.isDigit($0) ? 0x39 : PrintedForms.isLetter($0) ? UInt8(ascii: "a") : $0 }
    }
}
