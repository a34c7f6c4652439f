import Chronology
import Glibc
import InternetMessage
import Ledger
import Profiles
import YAMLSource

/// Reads the input as the text of an alert of a bank of the country that the first byte selects.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard count > 0 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let country = countries[Int(bytes[0]) % countries.count]
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
