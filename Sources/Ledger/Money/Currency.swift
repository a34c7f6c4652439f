/// An ISO 4217 currency: its alphabetic code and the number of digits of its minor unit.
public struct Currency: Hashable, Sendable, CustomStringConvertible {
    /// Three upper-case ASCII letters, such as `INR`.
    public let code: String

    /// Accepts three ASCII letters and converts them to upper case.
    public init?(code: some StringProtocol) {
        // The common case, without a copy.
        if code.utf8.elementsEqual("INR".utf8) {
            self = .inr
            return
        }
        let letters = code.utf8.map { $0 & 0xDF }
        guard letters.count == 3, letters.allSatisfy({ (0x41...0x5A).contains($0) }) else { return nil }
        self.code = String(decoding: letters, as: UTF8.self)
    }

    private init(trusted code: String) { self.code = code }

    public static let inr = Currency(trusted: "INR")

    /// Digits after the decimal point (ISO 4217, table A.1): 2 except for the currencies listed here.
    public var exponent: Int {
        switch code {
        case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF",
            "XPF":
            0
        case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND": 3
        default: 2
        }
    }

    /// Currency of a word or sign in an alert: `Rs`, `Rs.`, `Re`, `₹`, `INR`, `$`, `€`, `£`, or a three-letter code. A
    /// lone `$` is the US dollar: Indian banks write other dollars with their code.
    public static func named(_ text: some StringProtocol) -> Currency? {
        let word = text.lowercased().filter { !$0.isWhitespace && $0 != "." && $0 != ":" }
        switch word {
        case "rs", "re", "₹", "inr", "rsinr", "inrrs", "rupees": return .inr
        case "$", "us$", "usd$": return Currency(trusted: "USD")
        case "a$", "au$": return Currency(trusted: "AUD")
        case "s$": return Currency(trusted: "SGD")
        case "c$", "ca$": return Currency(trusted: "CAD")
        case "hk$": return Currency(trusted: "HKD")
        case "nz$": return Currency(trusted: "NZD")
        case "rm": return Currency(trusted: "MYR")
        case "dhs": return Currency(trusted: "AED")
        case "฿": return Currency(trusted: "THB")
        case "€": return Currency(trusted: "EUR")
        case "£": return Currency(trusted: "GBP")
        case "¥": return Currency(trusted: "JPY")
        default: return Currency(code: word)
        }
    }

    public var description: String { code }
}
