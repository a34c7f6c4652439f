/// The net effect of one commit on the rows of a ledger, those of triggers and foreign keys included.
public struct LedgerChanges: Sendable {
    public struct TableChanges: Sendable {
        public let table: LedgerTable
        /// Keys of the rows that are gone or have other values.
        public var removed: [[LedgerValue]] = []
        /// Whole rows that are new or have new values.
        public var written: [[LedgerValue]] = []

        public init(table: LedgerTable) { self.table = table }
    }

    /// Tables with a change, in no order. In each, all `removed` and then all `written` gives the new state: a new row
    /// may have a unique value of a former one.
    public var tables: [TableChanges] = []

    public init() {}
}
