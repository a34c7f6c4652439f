import Chronology
import Ledger
import Profiles

extension RedactedText {
    /// The context of the mail.
    struct Guide {
        /// The domains of the bank: its addresses and links stay.
        var domains: [String]
        /// A bank's words, lower case, that stay although they are written in capitals.
        var knownWords: Set<String>
        /// Words of the recipient's name and address, lower case.
        var recipient: Set<String>
        /// The orders of numeric dates, as the claiming template reads them.
        var dateOrders: [DateOrder]
        /// The day of arrival.
        var arrival: CalendarDate?
        /// Days by which every date is moved.
        var shift: Int
    }
}
