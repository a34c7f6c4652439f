import Chronology
import InternetMessage
import Ledger
import Profiles

/// The currency and the time zone of a new bank, as far as its mails show them.
struct ExampleLocale {
    private(set) var currency = Currency.inr
    /// An IANA name.
    private(set) var timeZone = IANATimeZone.kolkata.identifier
    /// The grounds of the choice, for a person.
    private(set) var notes: [String] = []

    /// Minutes by which an alert comes after its event.
    private static let usualDelayMinutes: Int64 = 14
    /// All offsets from UTC in use are between these hours.
    private static let possibleHours: ClosedRange<Int64> = -12...14

    init(_ mails: [ExampleMail], _ messages: [Message], _ forms: PrintedForms) {
        var counts: [Currency: Int] = [:]
        for (mail, message) in zip(mails, messages) {
            guard let found = Self.currency(of: mail, message.text.bytes, forms) else { continue }
            counts[found, default: 0] += 1
        }
        if let most = counts.max(by: { ($0.value, $1.key.code) < ($1.value, $0.key.code) }) {
            currency = most.key
            if currency != .inr { notes.append("currency: \(currency.code), as the mails print it") }
        }
        let printed = zip(mails, messages).map(Self.printedOffset)
        let written = messages.compactMap { $0.date.map { Int64($0.offsetSeconds) } }
        if let offset = Self.common(printed.compactMap { $0 }), printed.allSatisfy({ $0 != nil }) {
            setZone(offset, "as the printed times and the mails' arrival show")
        } else if let offset = Self.common(written), offset != 0 {
            setZone(offset, "as the mails' Date shows")
        } else if currency != .inr {
            setZone(0, "as the mails show no other")
        }
    }

    /// The currency in the given amount, or printed beside it in the mail.
    private static func currency(of mail: ExampleMail, _ text: [UInt8], _ forms: PrintedForms) -> Currency? {
        guard let value = mail.values[.amount] else { return nil }
        let sign = value.prefix { !$0.isNumber }.filter { !$0.isWhitespace }
        if let named = Currency.named(sign) { return named }
        for place in forms.places(of: value, as: .amount, in: text, arrival: nil) {
            let before = text[max(0, place.span.lowerBound - 6)..<place.span.lowerBound].reversed()
            let label = before.drop { $0 == 0x20 || $0 == UInt8(ascii: ".") }.prefix {
                PrintedForms.isLetter($0) || $0 == UInt8(ascii: "$")
            }
            let after = text[place.span.upperBound...].prefix(5).drop { $0 == 0x20 }.prefix(
                while: PrintedForms.isLetter)
            for words in [Array(label.reversed()), Array(after)] where !words.isEmpty {
                if let named = Currency.named(String(decoding: words, as: UTF8.self)) { return named }
            }
        }
        return nil
    }

    /// False if the amount was given in another currency.
    static func isRead(_ mail: ExampleMail, as currency: Currency) -> Bool {
        let sign = (mail.values[.amount] ?? "").prefix { !$0.isNumber }.filter { !$0.isWhitespace }
        return Currency.named(sign).map { $0 == currency } ?? true
    }

    /// Seconds between UTC and the printed clock, if the mail came within some minutes of its event.
    private static func printedOffset(_ mail: ExampleMail, _ message: Message) -> Int64? {
        guard let arrival = message.date, let time = mail.values[.time].flatMap({ TimeText.read($0.utf8)?.time }),
            let day = mail.values[.date].flatMap({ CalendarDate(iso: $0) })
        else { return nil }
        let minutes = (UnixTime(day, time) - arrival.instant) / 60
        // The next quarter of an hour: an alert comes after its event.
        let quarters = minutes >= 0 ? (minutes + usualDelayMinutes) / 15 : minutes / 15
        let offset = quarters * 15
        guard offset - minutes <= usualDelayMinutes, offset >= minutes - 1, possibleHours.contains(offset / 60) else {
            return nil
        }
        return offset * 60
    }

    private static func common(_ offsets: [Int64]) -> Int64? {
        guard let first = offsets.first, offsets.allSatisfy({ $0 == first }) else { return nil }
        return first
    }

    private mutating func setZone(_ offset: Int64, _ grounds: String) {
        // Other offsets have minutes, and no neutral zone name exists for them.
        guard offset % 3600 == 0 else { return }
        // POSIX inverts the sign: Etc/GMT-5 is five hours ahead of UTC.
        timeZone = offset == 0 ? "UTC" : "Etc/GMT\(offset > 0 ? "-" : "+")\(abs(offset) / 3600)"
        notes.append("time zone: \(timeZone), \(grounds); name the place if its clock changes with the seasons")
    }
}
