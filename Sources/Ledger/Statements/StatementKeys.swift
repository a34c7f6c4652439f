/// The idempotency keys of a statement's lines: equal for one movement in two files of overlapping periods.
public enum StatementKeys {
    public static let prefix = "statement:"
    /// A longer reference counts by its beginning.
    private static let longestReference = 80

    /// The key of each line: account, day, amount with its sign, reference, and the ordinal among lines that agree in
    /// these. The text is not part of it, because a bank's formats print it differently.
    public static func of(_ statement: BankStatement, account: Int64) -> [String] {
        var counts: [String: Int] = [:]
        return statement.lines.map { line in
            let base = base(line, statement.currency, line.account ?? account)
            counts[base, default: 0] += 1
            return base + "|\(counts[base, default: 1])"
        }
    }

    /// The key with the next ordinal: for an equal line whose key another line of the statement has.
    public static func next(after key: String) -> String {
        guard let end = key.lastIndex(of: "|"), let ordinal = Int(key[key.index(after: end)...]) else { return key }
        return key[..<end] + "|\(ordinal + 1)"
    }

    private static func base(_ line: StatementLine, _ currency: Currency, _ account: Int64) -> String {
        let amount = Money(minorUnits: line.change, currency: currency).decimal
        let reference = (line.reference ?? "").uppercased().filter { $0 != "|" && !$0.isWhitespace }
        return "\(prefix)\(account)|\(line.day)|\(amount)|\(reference.prefix(longestReference))"
    }
}
