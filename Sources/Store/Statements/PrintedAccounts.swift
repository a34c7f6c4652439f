import GRDB
import Ledger

/// Finds the account that a line of a list of payments names, such as `HDFC Bank - 12`.
struct PrintedAccounts {
    /// Letters of a bank's name that a text must have; `sbi` has three.
    private static let shortestName = 3
    private static let shortestDigits = 2

    private let numbers: [(profile: String, digits: String, account: Int64)]

    /// - Parameter currency: accounts of another currency are left out.
    init(_ db: Database, currency: Currency) throws {
        numbers = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT n.profile, n.account_digits, coalesce(a.merged_into, a.id) FROM user_account_numbers n
                    JOIN user_accounts a ON a.id = n.user_account_id WHERE a.currency = ?
                    """), arguments: [currency.code]
        ).map { ($0[0], $0[1], $0[2]) }
    }

    /// The account whose number ends with the last digits of the text, if its bank's name is in the text, too, and no
    /// other account is meant; otherwise `nil`.
    func account(_ text: String?) -> Int64? {
        guard let text else { return nil }
        let digits = String(text.reversed().prefix { $0.isASCII && $0.isNumber }.reversed())
        guard digits.count >= Self.shortestDigits else { return nil }
        let letters = text.lowercased().filter(\.isLetter)
        let found = Set(
            numbers.lazy.filter { number in
                let name = number.profile.prefix { $0 != "-" && $0 != "_" }
                return name.count >= Self.shortestName && letters.hasPrefix(name)
                    && (number.digits.hasSuffix(digits) || digits.hasSuffix(number.digits))
            }.map(\.account))
        return found.count == 1 ? found.first : nil
    }
}
