/// The proof that a statement was read completely and with the right signs: its balances follow from its lines.
public struct StatementProof: Hashable, Sendable {
    /// A figure of the statement that does not follow from the ones before.
    public struct Defect: Error, Hashable, Sendable {
        /// The row of the line whose balance disagrees; `nil` if the closing balance does.
        public var row: Int?
        /// Minor units: the figure that follows from the lines before.
        public var expected: Int64
        /// Minor units: the figure that is printed.
        public var printed: Int64

        public init(row: Int?, expected: Int64, printed: Int64) {
            (self.row, self.expected, self.printed) = (row, expected, printed)
        }
    }

    /// The strength of the proof.
    public enum Strength: String, Hashable, Sendable {
        /// Every line's balance follows from the one before.
        case everyLine = "every_line"
        /// The sum of the lines is the difference between opening and closing balance.
        case sum
        /// The statement prints no balances to check.
        case none
    }

    public let strength: Strength

    /// Checks every printed balance.
    ///
    /// - Throws: the first ``Defect``.
    public init(_ statement: BankStatement) throws(Defect) {
        var balance = statement.opening
        var printed = 0
        for line in statement.lines {
            let (expected, overflow) = (balance ?? 0).addingReportingOverflow(line.change)
            if let figure = line.balance {
                if balance != nil, overflow || figure != expected {
                    throw Defect(row: line.row, expected: expected, printed: figure)
                }
                if balance != nil { printed += 1 }
                balance = figure
            } else if balance != nil {
                balance = expected
            }
        }
        if let closing = statement.closing, let balance, closing != balance {
            throw Defect(row: nil, expected: balance, printed: closing)
        }
        let count = statement.lines.count
        if count > 0, printed >= count - (statement.opening == nil ? 1 : 0), count > 1 || statement.opening != nil {
            strength = .everyLine
        } else if statement.opening != nil, statement.closing != nil {
            strength = .sum
        } else {
            strength = .none
        }
    }
}
