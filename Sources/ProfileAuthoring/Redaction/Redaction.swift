import InternetMessage
public import Ledger
import PCRE2
public import Profiles

/// A mail with everything personal replaced by inventions of the same shape, proven to be read as the mail itself is.
public struct Redaction: Sendable {
    /// The whole mail: RFC 5322 with MIME.
    public var message: [UInt8]
    /// Its canonical text, as long as the original one.
    public var text: [UInt8]
    public var subject: String
    /// RFC 5322 date-time, moved by as many days as the dates in the text.
    public var date: String?
    /// What became of the redacted mail; offline, so its authenticity is unverified.
    public var decision: Decision
}

/// Why a mail cannot be redacted.
public struct RedactionError: Error, Sendable, CustomStringConvertible {
    public var message: String
    public var remedy: String?
    public var description: String { message + (remedy.map { "\n\($0)" } ?? "") }
}

extension ProfileSet {
    /// Replaces digits, names, addresses, references and links. Deterministic: the same mail gives the same result.
    ///
    /// The words that the claiming template matched stay as they are, but for the values in them; of an ignored mail only where it is not claimed otherwise.
    /// - Parameter knownWords: `bankWords()`, where the caller has them already.
    public func redact(_ bytes: [UInt8], knownWords: Set<String>? = nil) throws(RedactionError) -> Redaction {
        let message = Message(parsing: bytes)
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
        let forms: PrintedForms
        do throws(DerivationError) { forms = try PrintedForms() } catch { throw RedactionError(message: error.message) }
        let claim = claim(message)
        let before = claim.decide(trusting: .unverified, receivedAt: nil)
        let bank = claim.sender.bank
        let spans = before.draft?.spans ?? [:]
        let (body, subject) = claim.matched(by: before.template)
        let invention = Invention(mail: bytes)
        let arrival = message.date.map {
            CalendarDate(daysSince1970: Int(clamping: max(0, $0.secondsSince1970 + Int64($0.offsetSeconds)) / 86400))
        }
        let subjectBytes = Array(message.subject.utf8)
        let dates =
            forms.dates(in: text.bytes).map { Array(text.bytes[$0]) }
            + forms.dates(in: subjectBytes).map { Array(subjectBytes[$0]) }
        let known = (knownWords ?? bankWords()).union(bank.map { BankWords.lowercased($0.name + " " + $0.key) } ?? [])
        let guide = RedactedText.Guide(
            domains: bank?.domains ?? message.from.prefix(1).map(\.domain), knownWords: known,
            recipient: Recipient.words(of: message.headerBytes).subtracting(BankWords.usual),
            arrival: arrival, shift: ShiftedDate.shift(for: dates, arrival: arrival, invention: invention))
        var failure = ""
        func attempt(_ names: RedactedText.Names, keepsMatch: Bool = true, keepsDigits: Bool) -> Redaction? {
            let kept = keepsMatch ? body : []
            let redacted = RedactedText(
                text.bytes, fields: spans, names: names, kept: kept, keepsDigits: keepsDigits, forms: forms,
                invention: invention, guide: guide)
            let title = RedactedText(
                subjectBytes, fields: [:], names: names, kept: keepsMatch ? subject : [], keepsDigits: keepsDigits,
                forms: forms, invention: invention, guide: guide)
            let writer = RedactedMessage(
                message, text: redacted.bytes, subject: String(decoding: title.bytes, as: UTF8.self), guide: guide,
                invention: invention, isBank: bank != nil)
            for form in [writer.likeSource(), writer.plain()] {
                guard let form else { continue }
                let again = Message(parsing: form)
                guard again.text.bytes == redacted.bytes else {
                    failure = "its text is not rendered as the original's"
                    continue
                }
                let after = self.claim(again).decide(trusting: .unverified, receivedAt: nil)
                if let difference = Self.difference(before, after) {
                    failure = difference
                    continue
                }
                return Redaction(
                    message: form, text: redacted.bytes, subject: again.subject, date: writer.date, decision: after)
            }
            return nil
        }
        // From the strictest way on. Where a template reads no fields, a name may stand among the words that it matched.
        if before.draft == nil, !body.isEmpty || !subject.isEmpty,
            let result = attempt(.all, keepsMatch: false, keepsDigits: false)
        {
            return result
        }
        // Banks put words of their own into a counterparty's place, and patterns may ask for a number.
        for keepsDigits in [false, true] {
            if let result = attempt(.all, keepsDigits: keepsDigits) ?? attempt(.unknown, keepsDigits: keepsDigits) {
                return result
            }
        }
        // Then word by word: whichever of the counterparty's can be replaced.
        guard var best = attempt(.chosen([]), keepsDigits: true) else { throw Self.unredactable(failure) }
        var chosen: Set<Int> = []
        for index in 0..<Self.maximumNameWords {
            guard let better = attempt(.chosen(chosen.union([index])), keepsDigits: true) else { continue }
            chosen.insert(index)
            best = better
        }
        return best
    }

    /// A counterparty has no more words than this.
    private static let maximumNameWords = 16

    private static func unredactable(_ failure: String) -> RedactionError {
        RedactionError(
            message: "the mail cannot be redacted so that it is still read the same: \(failure)",
            remedy: "Redact it by hand, and look with 'parserctl explain' whether it is still read the same.")
    }

    /// `nil` where both were read alike: outcome, template, and fields of the same shape in the same places.
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

extension Claim {
    /// What the patterns of the template matched, in the text and in the subject.
    func matched(by name: String?) -> (body: [Range<Int>], subject: [Range<Int>]) {
        guard let template = sender.bank?.allTemplates.first(where: { $0.name == name }), let matcher = Matcher() else {
            return ([], [])
        }
        let text = message.text.bytes
        func range(_ pattern: Pattern, _ text: [UInt8]) -> Range<Int>? {
            (try? matcher.firstMatch(of: pattern, in: text)) == true ? matcher.range(of: 0) : nil
        }
        var body = template.match.body?.pattern.flatMap { range($0, text) }.map { [$0] } ?? []
        if case .transaction(let extraction) = template.kind {
            for pattern in extraction.bodies {
                guard let range = pattern.pattern.flatMap({ range($0, text) }) else { continue }
                body.append(range)
                break
            }
            body += extraction.fields.compactMap { $0.pattern.pattern.flatMap { range($0, text) } }
        }
        return (body, template.match.subject.flatMap { range($0, Array(message.subject.utf8)) }.map { [$0] } ?? [])
    }
}

/// The words by which a mail names the person it goes to.
enum Recipient {
    private static let fields: Set<String> = [
        "to", "cc", "delivered-to", "x-original-to", "x-forwarded-to", "x-delivered-to",
    ]

    static func words(of header: ArraySlice<UInt8>) -> Set<String> {
        var found: Set<String> = []
        var isWanted = false
        for line in header.split(separator: 0x0A) {
            var value = line[...]
            if line.first != 0x20, line.first != 0x09 {
                guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
                    isWanted = false
                    continue
                }
                isWanted = fields.contains(String(decoding: line[..<colon], as: UTF8.self).lowercased())
                value = line[(colon + 1)...]
            }
            guard isWanted else { continue }
            // The host is no name.
            for part in String(decoding: value, as: UTF8.self).lowercased().split(whereSeparator: {
                " \t\r,;<>\"()".contains($0)
            }) {
                found.formUnion(
                    part.prefix { $0 != "@" }.split { !$0.isLetter }.map(String.init).filter { $0.count >= 3 })
            }
        }
        return found.subtracting(["undisclosed", "recipients", "recipient", "the", "and", "mail", "info"])
    }
}
