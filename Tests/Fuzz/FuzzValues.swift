import Chronology
import Ledger
import Profiles

/// Reads the input as an amount in the currency that the first byte selects, as a date, a time, an instant, a period,
/// a recurrence rule and the Retry-After of a server (`Backoff.swift` of Notify is compiled into this program). A value
/// that is read must be in its range and must be read again from its own text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard count > 0 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let text = bytes.dropFirst()
    let words = String(decoding: text, as: UTF8.self)
    readAmount(text, words, currencies[Int(bytes[0]) % currencies.count])
    readDay(text, words)
    readTime(text, words)
    readRule(words)
    if let pause = Backoff.retryAfter(words, at: UnixTime(seconds: 1_767_225_610)) { precondition(pause >= 0) }
    return 0
}

fileprivate func readAmount(_ text: ArraySlice<UInt8>, _ words: String, _ currency: Currency) {
    for decimal in [nil, DecimalMark.point, .comma] {
        check(Money(localized: text, currency: currency, decimal: decimal))
    }
    check(Money(printed: text, currency: currency))
    check(Money(typed: words, currency: currency))
    check(Money(plain: words, currency: currency))
    _ = Currency.named(words)
}

fileprivate func check(_ money: Money?) {
    guard let money else { return }
    precondition(money.minorUnits >= 0 && money.minorUnits <= Money.maximumMinorUnits)
    // The plain form has at most 13 digits before the point.
    if money.decimal.utf8.count <= 13 {
        precondition(Money(plain: money.decimal, currency: money.currency) == money)
    }
    // Three decimals may also be a group.
    guard money.currency.exponent != 3 else { return }
    let plain = Array(money.decimal.utf8)[...]
    precondition(Money(localized: plain, currency: money.currency, decimal: .point) == money)
    precondition(Money(printed: plain, currency: money.currency) == money)
}

fileprivate func readDay(_ text: ArraySlice<UInt8>, _ words: String) {
    guard let arrival = CalendarDate(iso: "2026-05-28") else { return }
    for order in [DateOrder.dayFirst, .monthFirst, .yearFirst] {
        check(DateText.read(text, order: order, arrival: arrival))
    }
    check(CalendarDate(iso: words))
    if let period = ReportingPeriod(words, today: arrival) { precondition(period.days.first <= period.days.last) }
    _ = ReportingPeriod(fixed: words)
}

fileprivate func check(_ day: CalendarDate?) {
    guard let day else { return }
    precondition(CalendarDate(iso: day.description) == day)
    precondition(CalendarDate(daysSince1970: day.daysSince1970) == day)
}

fileprivate func readTime(_ text: ArraySlice<UInt8>, _ words: String) {
    for time in [TimeText.read(text)?.time, TimeOfDay(iso: words)].compactMap({ $0 }) {
        precondition(TimeOfDay(iso: time.description) == time)
    }
    for instant in [UnixTime(iso: words), UnixTime(rfc3339: words)].compactMap({ $0 }) {
        // Instants before 1970 and after 2199 are written as the nearest day inside.
        let written = UnixTime(iso: instant.description)
        precondition(written != nil && written?.description == instant.description)
    }
}

fileprivate func readRule(_ words: String) {
    guard let rule = try? RecurrenceRule(words) else { return }
    precondition((try? RecurrenceRule(rule.description)) == rule)
}

fileprivate let currencies = ["INR", "EUR", "JPY", "KWD", "USD", "CLP", "IDR", "CHF"].compactMap { Currency(code: $0) }
