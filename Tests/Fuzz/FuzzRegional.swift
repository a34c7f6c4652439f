import Chronology
import Glibc
import InternetMessage
import Ledger
import Profiles
import YAMLSource

/// Disables leak checks for the profiles, which live as long as the process.
@_cdecl("LLVMFuzzerInitialize")
public func prepare(
    _ count: UnsafePointer<Int32>, _ arguments: UnsafePointer<UnsafePointer<UnsafePointer<CChar>>>
) -> Int32 {
    disableLeakChecks()
    defer { enableLeakChecks() }
    return profiles.banks.isEmpty ? 1 : 0
}

@_silgen_name("__lsan_disable") fileprivate func disableLeakChecks()
@_silgen_name("__lsan_enable") fileprivate func enableLeakChecks()

/// Reads the input as a number and as a date of each country, then as the text of an alert of a bank of the country
/// that the first byte selects.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard count > 0 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let country = countries[Int(bytes[0]) % countries.count]
    readNumber(bytes.dropFirst(), country)
    readDate(bytes.dropFirst())
    let head =
        "Date: Thu, 28 May 2026 22:00:00 +0000\nContent-Type: text/plain; charset=utf-8\nFrom: a@\(country.code.lowercased()).example\nSubject: Alert\n\n"
    let message = Message(parsing: Array(head.utf8) + bytes.dropFirst())
    let decision = profiles.claim(message).decide(trusting: .unverified, receivedAt: UnixTime(seconds: 1_780_000_000))
    precondition(decision.outcome == .review || decision.outcome == .ignored || decision.outcome == .failed)
    guard let draft = decision.draft else { return 0 }
    precondition(draft.amount.minorUnits >= 0 && draft.amount.minorUnits <= Money.maximumMinorUnits)
    let text = message.text.bytes
    for field in Field.allCases {
        guard let span = draft.spans[field] else { continue }
        precondition(span.lowerBound >= 0 && span.upperBound <= text.count)
        // No field begins or ends inside a character.
        precondition(String(validating: text[span], as: UTF8.self) != nil)
    }
    return 0
}

fileprivate func readNumber(_ text: ArraySlice<UInt8>, _ country: Country) {
    for decimal in [nil, DecimalMark.point, .comma] {
        guard let money = Money(localized: text, currency: country.currency, decimal: decimal) else { continue }
        precondition(money.minorUnits >= 0 && money.minorUnits <= Money.maximumMinorUnits)
        // A read value is read again from its plain form, except if that has three decimals.
        if money.currency.exponent != 3 {
            precondition(
                Money(localized: Array(money.decimal.utf8)[...], currency: money.currency, decimal: .point) == money)
        }
    }
}

fileprivate func readDate(_ text: ArraySlice<UInt8>) {
    guard let arrival = CalendarDate(iso: "2026-05-28") else { return }
    for order in [DateOrder.dayFirst, .monthFirst, .yearFirst] {
        _ = DateText.read(text, order: order, arrival: arrival)
    }
}

fileprivate let countries = [
    "US", "DE", "FR", "PL", "CH", "MX", "BR", "JP", "TW", "KR", "TH", "VN", "ID", "TR", "EG", "KW", "ZA", "CZ",
]
.compactMap { Country(code: $0) }

fileprivate let parsers = getenv("SPENDWISE_PARSERS").map { String(cString: $0) } ?? "parsers"
fileprivate let profiles: ProfileSet = {
    do {
        let place = try YAMLFile(path: "fuzz.yaml", bytes: Array("banks: []".utf8)).root().place
        let banks = countries.map { country in
            var region = BankRegion()
            region.country = country
            return ProfileAdditions.NamedBank(
                domain: country.code.lowercased() + ".example", region: region, place: place)
        }
        return try ProfileSet(directories: [parsers], samples: false).adding(ProfileAdditions(banks: banks))
    } catch {
        fatalError("\(error)")
    }
}()
