public import Chronology

/// A window between two printed balances of one account that the booked movements do not explain.
public struct ContinuityFinding: Hashable, Sendable {
    /// A cause that would explain the whole difference.
    public enum Cause: Hashable, Sendable {
        /// A draft that waits for review: accepting it closes the gap.
        case draft(Int64)
        /// A transaction that is booked in the wrong direction: the gap is twice its amount.
        case wrongDirection(Int64)
        /// Two transactions of one amount: the second may be booked twice.
        case booked(Int64, again: Int64)
        /// The printed balance of this transaction or notice alone disagrees with the balances before and after it.
        case outlier(Int64)
    }

    /// The transactions or notices whose printed balances begin and end the window: see
    /// ``AccountMovement/evidence(_:)``.
    public var from: Int64
    public var to: Int64
    /// The instants of the two.
    public var start: UnixTime
    public var end: UnixTime
    /// The printed balance at the end less the expected one, in minor units: negative if an outflow is missing in the
    /// ledger, positive if an inflow is.
    public var gap: Int64
    /// Causes that would close the gap exactly, most likely first. Empty: an alert of this amount is missing.
    public var causes: [Cause]

    /// Text of the notification that findings of an account are new.
    public static func sentence(count: Int, account: String) -> String {
        let gaps = count == 1 ? "a gap" : "\(count) gaps"
        return "\(account): \(gaps) between printed balances that the booked transactions do not explain"
    }

    public init(from: Int64, to: Int64, start: UnixTime, end: UnixTime, gap: Int64, causes: [Cause] = []) {
        self.from = from
        self.to = to
        self.start = start
        self.end = end
        self.gap = gap
        self.causes = causes
    }
}
