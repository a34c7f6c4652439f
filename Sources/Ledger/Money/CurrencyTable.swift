/// `Currencies.tsv`: the codes of ISO 4217, their minor units and the signs that alerts print.
public struct CurrencyTable: Sendable {
    public static let shared = CurrencyTable(PackageResources.Currencies_tsv)

    /// Digits of the minor unit, by code.
    let exponents: [String: Int]
    /// The currencies of a sign or code in its exact spelling, in the order of the file.
    private let bySpelling: [[UInt8]: [Currency]]
    /// The same by ``key(_:)``.
    private let byKey: [String: [Currency]]
    /// The maximum number of bytes of a spelling.
    public let longestSpelling: Int
    /// Codes that are not words of a language: those with signs, without the column `word`.
    private let common: Set<String>

    init(_ table: [UInt8]) {
        var exponents: [String: Int] = [:]
        var bySpelling: [[UInt8]: [Currency]] = [:]
        var byKey: [String: [Currency]] = [:]
        var common: Set<String> = []
        for columns in TableText.rows(table) where columns.count >= 2 {
            let currency = Currency(trusted: columns[0])
            exponents[currency.code] = Int(columns[1]) ?? 2
            bySpelling[Array(columns[0].utf8), default: []].append(currency)
            if columns.count == 3 { common.insert(currency.code) }
            for sign in columns.dropFirst(2).prefix(1).flatMap({ $0.split(separator: " ") }) {
                bySpelling[Array(sign.utf8), default: []].append(currency)
                let key = Self.key(sign)
                if byKey[key]?.last != currency { byKey[key, default: []].append(currency) }
            }
        }
        self.exponents = exponents
        self.bySpelling = bySpelling
        self.byKey = byKey
        self.common = common
        longestSpelling = bySpelling.keys.lazy.map(\.count).max() ?? 0
    }

    /// The currency of a sign or an upper-case code in its exact spelling: the home currency if the spelling may mean
    /// it, otherwise the first one.
    public func currency(spelled bytes: ArraySlice<UInt8>, home: Currency?) -> Currency? {
        bySpelling[Array(bytes)].flatMap { Self.choose($0, home) }
    }

    /// True for the code of a currency that is frequent in alerts.
    public func isCommon(_ currency: Currency) -> Bool { common.contains(currency.code) }

    func currency(key: String, home: Currency?) -> Currency? { byKey[key].flatMap { Self.choose($0, home) } }

    private static func choose(_ currencies: [Currency], _ home: Currency?) -> Currency? {
        home.flatMap { currencies.contains($0) ? $0 : nil } ?? currencies.first
    }

    /// The spelling without case, blanks, points and colons.
    static func key(_ text: some StringProtocol) -> String {
        text.lowercased().filter { !$0.isWhitespace && $0 != "." && $0 != ":" }
    }
}

/// Text tables: one row per line, columns separated by tabs, comments after `#`.
package enum TableText {
    package static func rows(_ table: [UInt8]) -> [[String]] {
        table.split(separator: 0x0A).lazy.filter { $0.first != UInt8(ascii: "#") }.map { line in
            line.split(separator: 0x09, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
