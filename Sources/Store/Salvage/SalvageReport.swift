/// The result of a salvage, table by table.
public struct SalvageReport: Hashable, Sendable {
    public struct Table: Hashable, Sendable {
        public let name: String
        /// Rows in the new ledger that were read from the damaged one.
        public internal(set) var rows = 0
        /// Rows that were read but break a constraint: damage changed their values.
        public internal(set) var rejected = 0
        /// Rows that were left out because the row that they belong to is lost.
        public internal(set) var orphans = 0
        /// References to lost rows that were set to null.
        public internal(set) var unlinked = 0
        /// True if a part of the table could not be read.
        public internal(set) var isDamaged = false
        /// Rows of the table before, counted in an index; `nil` if no index could be read.
        public internal(set) var expected: Int?

        init(name: String) { self.name = name }

        /// Rows that are not in the new ledger; `nil` if their number is unknown.
        public var lost: Int? {
            if let expected { return max(expected - rows, 0) }
            return isDamaged ? nil : rejected + orphans
        }

        public var isComplete: Bool { !isDamaged && lost == 0 && unlinked == 0 }
    }

    /// By name.
    public internal(set) var tables: [Table] = []

    /// True if every row is in the new ledger.
    public var isComplete: Bool { tables.allSatisfy(\.isComplete) }
}
