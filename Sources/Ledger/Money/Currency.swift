/// An ISO 4217 currency: its alphabetic code and the number of digits of its minor unit.
public struct Currency: Hashable, Sendable, CustomStringConvertible {
    /// Three upper-case ASCII letters, such as `INR`.
    public let code: String

    /// Refuses anything but three ASCII letters; the code is upper-cased.
    @inlinable public init?(code: some StringProtocol) {
        // Nearly all are: no letters are copied for it.
        if code.utf8.elementsEqual("INR".utf8) {
            self = .inr
            return
        }
        let letters = code.utf8.map { $0 & 0xDF }
        guard letters.count == 3, letters.allSatisfy({ (0x41...0x5A).contains($0) }) else { return nil }
        self.init(trusted: String(decoding: letters, as: UTF8.self))
    }

    @usableFromInline init(trusted code: String) { self.code = code }

    public static let inr = Currency(trusted: "INR")

    /// Digits after the decimal point (ISO 4217, table A.1); 2 for an unknown code.
    public var exponent: Int { code == "INR" ? 2 : CurrencyTable.shared.exponents[code] ?? 2 }

    /// True if ISO 4217 lists the code.
    public var isKnown: Bool { code == "INR" || CurrencyTable.shared.exponents[code] != nil }

    /// The currency that a word or sign means: `Rs`, `₹`, `$`, `R$`, `zł`, or a three-letter code, in any case.
    ///
    /// - Parameter home: the bank's currency, which decides what `$`, `kr` or `Rs` means. Without one, `$` is the US
    ///   dollar: Indian banks write other dollars with their code.
    public static func named(_ text: some StringProtocol, home: Currency = .inr) -> Currency? {
        let word = CurrencyTable.key(text)
        return CurrencyTable.shared.currency(key: word, home: home) ?? Currency(code: word)
    }

    public var description: String { code }
}
