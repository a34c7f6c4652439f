import Chronology
import GRDB
import Ledger

/// The searches for links of all kinds, within the booking transaction.
struct EventLinkSearch {
    private var finals: FinalAmountSearch
    private var events: SameEventSearch
    private var refunds: RefundSearch
    private var instalments: InstalmentSearch

    init(_ db: Database, _ rows: SameEventRows, time: UnixTime) {
        finals = FinalAmountSearch(db, rows, time: time)
        events = SameEventSearch(db, rows, time: time)
        refunds = RefundSearch(db, time: time)
        instalments = InstalmentSearch(db, rows, time: time)
    }

    /// Adds a newly booked row.
    mutating func add(_ id: Int64?, _ decision: Decision, _ booking: EntryVerdict.Booking) {
        finals.add(id, replacing: booking.authorisation)
        events.add(id, decision, booking)
        refunds.add(id, decision, booking.status)
        instalments.add(id, decision, booking.status)
    }

    /// First those by which a transaction replaces another one, which then is neither a purchase nor an instalment.
    mutating func finish() throws {
        try finals.finish()
        try events.finish()
        try refunds.finish()
        try instalments.finish()
    }
}
