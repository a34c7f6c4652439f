public import Chronology
public import Ledger

/// A source of repositories: the database handle, one snapshot or one transaction.
///
/// Use `some ReadScope` for a function that reads, alone or as part of its caller's snapshot or transaction.
public protocol ReadScope {
    /// Access to the database, for repositories only.
    var access: DatabaseAccess { get }
}

extension ReadScope {
    /// The zone in which a day begins: `timezone` of the configuration.
    public var timeZone: IANATimeZone { access.store.zone }

    /// The currency of totals over several accounts.
    public var homeCurrency: Currency { access.store.homeCurrency }

    /// The current day in the ledger's time zone.
    public var today: CalendarDate { timeZone.day(of: access.store.now()) }
}

/// A scope whose repositories also write.
public protocol WriteScope: ReadScope {}

/// The database as of one instant. Its repositories have no methods that write.
///
/// Valid until the closure that received it returns; later calls throw.
public struct Snapshot: ReadScope {
    public let access: DatabaseAccess
}

/// One write transaction. Its repositories read what they have written.
///
/// Valid until the closure that received it returns; later calls throw. A call that throws leaves nothing behind, so
/// its error may be handled without giving up the transaction.
public struct WriteTransaction: WriteScope {
    public let access: DatabaseAccess
}

extension ReadScope {
    /// Path of the database file, for errors.
    public var path: String { access.store.path }

    /// Reads several things from one snapshot. Within a snapshot or a transaction, they are part of it.
    ///
    /// - Throws: what `body` throws; a ``StoreError`` if the database fails.
    public func read<Result>(_ body: (Snapshot) throws -> Result) throws -> Result {
        try access.snapshot { try body(Snapshot(access: $0)) }
    }
}

extension WriteScope {
    /// Writes several things in one transaction: all of what `body` does, or nothing if it throws. Within a
    /// transaction, they are part of it.
    ///
    /// - Throws: what `body` throws; a ``StoreError`` if the database fails.
    public func write<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result {
        try access.transaction { try body(WriteTransaction(access: $0)) }
    }
}
