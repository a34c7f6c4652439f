import Codecs
import Ledger

/// Names of places in the hierarchies of bookkeeping programs.
enum Path {
    /// `Assets:Bank:HDFC Bank 4321`, with the names made by `name`.
    static func make(_ place: ExportEntry.Place, _ name: (String) -> String) -> String {
        switch place {
        case .account(let account):
            "\(root(account.type)):\(name(account.name))"
        case .expense(let category, let subcategory): joined("Expenses", category, subcategory, name)
        case .income(let category, let subcategory): joined("Income", category, subcategory, name)
        case .transfers: "Equity:Transfers"
        case .openings: "Equity:Opening-Balances"
        }
    }

    private static func joined(
        _ root: String, _ category: String, _ subcategory: String?, _ name: (String) -> String
    ) -> String {
        guard let subcategory else { return "\(root):\(name(category))" }
        return category == root ? "\(root):\(name(subcategory))" : "\(root):\(name(category)):\(name(subcategory))"
    }

    private static func root(_ type: UserAccountType) -> String {
        switch type {
        case .bank: "Assets:Bank"
        case .wallet: "Assets:Wallet"
        case .cash: "Assets:Cash"
        case .investment: "Assets:Investments"
        case .card: "Liabilities:Cards"
        case .loan: "Liabilities:Loans"
        }
    }

    /// A part of a name for hledger and ledger: letters, digits and a few marks, single blanks.
    static func worded(_ text: String) -> String {
        let name = PlainLine.make(text) { scalar in
            let isPlain =
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil || isMark(scalar)
            return isPlain || "-_.,'&+/\u{B7}".unicodeScalars.contains(scalar) ? scalar : " "
        }
        return name.isEmpty ? hashed(text) : name
    }

    /// A part of a name for beancount: ASCII letters, digits and hyphens, with an upper-case letter or a digit first.
    static func dashed(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            let isLetter = (0x41...0x5A).contains(byte & 0xDF) && byte < 0x80
            if isLetter || (0x30...0x39).contains(byte) {
                bytes.append(bytes.isEmpty && isLetter ? byte & 0xDF : byte)
            } else if !bytes.isEmpty, bytes.last != UInt8(ascii: "-") {
                bytes.append(UInt8(ascii: "-"))
            }
        }
        if bytes.last == UInt8(ascii: "-") { bytes.removeLast() }
        let foreign = text.unicodeScalars.contains { !$0.isASCII && $0.properties.isAlphabetic }
        // Letters that are dropped must not make two names one.
        if bytes.isEmpty || foreign { return String(decoding: bytes, as: UTF8.self) + hashed(text) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A combining mark of a letter, such as a vowel sign.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark: true
        default: false
        }
    }

    private static func hashed(_ text: String) -> String {
        var hash = FNV1a()
        hash.combine(Array(text.utf8))
        return "X" + hash.hexadecimal.prefix(8)
    }
}
