import Chronology
import Ledger
import PCRE2
import Profiles

/// Finds the positions of a value in a text, in any form that banks print.
struct PrintedForms {
    /// Equal to `(?&number)` of `_common.yaml`, so that a found value is one that a pattern reads.
    let number: Pattern
    let date: Pattern
    /// Forms that `(?&date_any)` does not read: without a year, or year first with slashes.
    let otherDate: Pattern
    let time: Pattern
    let vpa: Pattern
    let url: Pattern
    private let matcher: Matcher

    /// The longest names first, so that none ends in the middle of another.
    private static let monthNames = MonthName.words.union(MonthName.abbreviatedWords).sorted {
        ($1.count, $0) < ($0.count, $1)
    }
    private static let month = "(?: \(monthNames.joined(separator: " | ")) )"
    private static let day = #"\d{1,2} (?: \s? (?:st|nd|rd|th) )?"#

    init() throws(DerivationError) {
        guard let matcher = Matcher() else { throw DerivationError(.internal, "out of memory") }
        self.matcher = matcher
        do throws(PatternError) {
            number = try Pattern(
                #"(?ix) (?<![\d]) (?: (?: \d{1,3} (?: , \d{2,6} )+ | \d{1,12} ) \.\d{1,3} (?!\d) | (?<![A-Za-z.]) \.\d{1,3} (?!\d) | (?: \d{1,3} (?: , \d{2,6} )+ | \d{1,12} ) (?! [.,]? \d ) )"#
            )
            date = try Pattern(
                #"(?ix) (?<!\d) (?: \d{4}-\d\d-\d\d (?!\d) | \d{1,2} ([-/.]) \d{1,2} \g1 (?: \d{4} | \d{2} ) (?!\d) | \#(Self.day) [-\s,/]{0,2} \#(Self.month) \.? [-\s,/']{0,2} (?: \d{4} | \d{2} ) (?! \d | : ) | (?<![a-z]) \#(Self.month) \.? \s? \#(Self.day) ,? \s? \d{4} (?!\d) )"#
            )
            otherDate = try Pattern(
                #"(?ix) (?<!\d) (?: \d{4} ([/.]) \d{1,2} \g1 \d{1,2} (?!\d) | \#(Self.day) [-\s,/]{0,2} \#(Self.month) \b | (?<![a-z]) \#(Self.month) \.? \s? \#(Self.day) (?![\d:]) )"#
            )
            time = try Pattern(#"(?ix) (?<!\d) \d{1,2} : \d{2} (?: : \d{2} )? (?! :? \d ) (?: \s? [ap] \.? m\b \.? )?"#)
            vpa = try Pattern(#"(?ix) (?<![\w.@]) [a-z0-9][\w.\-+]{0,80} @ [a-z][a-z0-9.\-]{0,60}[a-z0-9]"#)
            url = try Pattern(#"(?ix) (?<!\w) (?: https?:// | www\. ) [^\s<>"')\]]+"#)
        } catch {
            throw DerivationError(.internal, "a built-in pattern does not compile: \(error) at byte \(error.offset)")
        }
    }

    /// Every match, left to right.
    func ranges(of pattern: Pattern, in text: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var offset = 0
        while offset <= text.count, (try? matcher.firstMatch(of: pattern, in: text, from: offset)) == true,
            let range = matcher.range(of: 0)
        {
            if !range.isEmpty { found.append(range) }
            offset = max(range.upperBound, offset + 1)
            while offset < text.count, text[offset] & 0xC0 == 0x80 { offset += 1 }
        }
        return found
    }

    /// Dates of every form.
    func dates(in text: [UInt8]) -> [Range<Int>] {
        let usual = ranges(of: date, in: text)
        return usual + ranges(of: otherDate, in: text).filter { other in !usual.contains { $0.overlaps(other) } }
    }

    /// A candidate place of a value.
    struct Place: Equatable {
        var span: Range<Int>
        /// For a date: the order of its numbers.
        var order = DateOrder.dayFirst
        /// For a time: printed on a 12-hour clock without am or pm.
        var isTwelveHour = false
        /// For a date: `(?&date_any)` reads it.
        var isUsualDate = true
        /// For an account: digits printed before the ones wanted.
        var leadingDigits = 0
    }

    /// Positions at which `value` is printed as `field`.
    func places(of value: String, as field: Field, in text: [UInt8], arrival: CalendarDate?) -> [Place] {
        switch field {
        case .amount, .balance, .limit:
            guard let wanted = Self.money(value) else { return [] }
            return ranges(of: number, in: text).filter {
                Money(printed: text[$0], currency: wanted.currency)?.minorUnits == wanted.minorUnits
            }.map { Place(span: $0) }
        case .date: return Self.day(value, arrival).map { places(of: $0, in: text, arrival: arrival) } ?? []
        case .time: return places(ofTime: value, in: text)
        case .account: return places(ofAccount: value, in: text)
        case .merchant, .reference, .vpa, .mcc, .foreign:
            let found = literal(CanonicalWords.of(value), in: text)
            let whole = found.filter { !Self.touches(text, $0, Self.isWord) }
            return (whole.isEmpty && field == .merchant ? found : whole).map { Place(span: $0) }
        case .currency, .type, .channel: return []
        }
    }

    private func places(of day: CalendarDate, in text: [UInt8], arrival: CalendarDate?) -> [Place] {
        let usual = ranges(of: date, in: text)
        return dates(in: text).compactMap { span in
            let orders: [DateOrder] = [.dayFirst, .monthFirst, .yearFirst]
            let order = orders.first { DateText.read(text[span], order: $0, arrival: arrival ?? day) == day }
            return order.map { Place(span: span, order: $0, isUsualDate: usual.contains(span)) }
        }
    }

    private func places(ofTime value: String, in text: [UInt8]) -> [Place] {
        guard let wanted = TimeText.read(value.utf8)?.time else { return [] }
        let hasSeconds = value.utf8.count { $0 == UInt8(ascii: ":") } != 1
        return ranges(of: time, in: text).compactMap { span in
            guard let reading = TimeText.read(text[span]) else { return nil }
            let time = reading.time
            if time == wanted || !hasSeconds && (time.hour, time.minute) == (wanted.hour, wanted.minute) {
                return Place(span: span)
            }
            let isHalfDayOff =
                reading.mayBeTwelveHour && time.hour % 12 == wanted.hour % 12 && time.minute == wanted.minute
                && time.second == wanted.second
            return isHalfDayOff ? Place(span: span, isTwelveHour: true) : nil
        }
    }

    private func places(ofAccount value: String, in text: [UInt8]) -> [Place] {
        let digits = value.utf8.filter(Self.isDigit)
        guard digits.count >= 2 else { return [] }
        let found = literal(Array(digits), in: text).filter {
            $0.upperBound == text.count || !Self.isDigit(text[$0.upperBound])
        }.map { span in
            Place(span: span, leadingDigits: text[..<span.lowerBound].reversed().prefix(while: Self.isDigit).count)
        }
        // The last digits of a longer number count only after a mask, and only if they are not printed alone.
        let alone = found.filter { $0.leadingDigits == 0 }
        if !alone.isEmpty { return alone }
        return found.filter {
            $0.leadingDigits <= 14 && $0.span.lowerBound > $0.leadingDigits
                && "xX*\u{2022}".utf8.contains(text[$0.span.lowerBound - $0.leadingDigits - 1])
        }
    }

    /// The places of a text, ignoring ASCII case; a blank also matches a line break.
    func literal(_ wanted: [UInt8], in text: [UInt8]) -> [Range<Int>] {
        guard !wanted.isEmpty, wanted.count <= text.count else { return [] }
        var found: [Range<Int>] = []
        var start = 0
        let wanted = wanted.map(Self.folded)
        while start + wanted.count <= text.count {
            if Self.folded(text[start]) == wanted[0],
                (1..<wanted.count).allSatisfy({ Self.folded(text[start + $0]) == wanted[$0] })
            {
                found.append(start..<(start + wanted.count))
                start += wanted.count
            } else {
                start += 1
            }
        }
        return found
    }

    private static func touches(_ text: [UInt8], _ span: Range<Int>, _ isInside: (UInt8) -> Bool) -> Bool {
        let left = span.lowerBound > 0 && isInside(text[span.lowerBound - 1]) && isInside(text[span.lowerBound])
        let right =
            span.upperBound < text.count && isInside(text[span.upperBound]) && isInside(text[span.upperBound - 1])
        return left || right
    }

    static func folded(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte == 0x0A ? 0x20 : byte
    }
    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) || byte >= 0x80 }
    static func isWord(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) }

    /// The longest pieces of a part of the text of which every byte belongs.
    static func runs(in text: [UInt8], _ part: Range<Int>, of belongs: (UInt8) -> Bool) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var at = part.lowerBound
        while at < part.upperBound {
            guard belongs(text[at]) else {
                at += 1
                continue
            }
            let end = text[at..<part.upperBound].firstIndex { !belongs($0) } ?? part.upperBound
            found.append(at..<end)
            at = end
        }
        return found
    }

    /// The amount of `₹1,234.50`, `USD 12` or `1234.5`; in rupees if no currency is written.
    static func money(_ value: String) -> Money? {
        let bytes = Array(value.utf8)
        guard let first = bytes.firstIndex(where: isDigit) else { return nil }
        let start =
            first > 0 && bytes[first - 1] == UInt8(ascii: ".") && !(first > 1 && isLetter(bytes[first - 2]))
            ? first - 1 : first
        let sign = String(decoding: bytes[..<start], as: UTF8.self).filter { !$0.isWhitespace }
        var end = bytes.count
        while end > start, !isDigit(bytes[end - 1]) { end -= 1 }
        return Money(printed: bytes[start..<end], currency: sign.isEmpty ? .inr : Currency.named(sign) ?? .inr)
    }

    /// `2026-01-05`, `05/01/2026`, `5 Jan 2026`; without a year the one nearest before arrival.
    static func day(_ value: String, _ arrival: CalendarDate?) -> CalendarDate? {
        CalendarDate(iso: value) ?? DateText.read(value.utf8, arrival: arrival ?? CalendarDate(daysSince1970: 0))
    }
}

/// A text that a person typed, in the form of canonical text.
enum CanonicalWords {
    static func of(_ text: String) -> [UInt8] {
        Array(text.split(whereSeparator: \.isWhitespace).joined(separator: " ").utf8)
    }
}
