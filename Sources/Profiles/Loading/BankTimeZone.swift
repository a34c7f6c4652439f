import Foundation

/// An IANA time zone, reduced to what an alert needs: the offset from UTC at an instant.
public struct BankTimeZone: Sendable {
    public let identifier: String
    private let zone: TimeZone
    /// Set where the zone has had one offset since 2000 and plans no change, as India's: then no table is asked.
    private let constantOffset: Int?

    /// `nil` for a name that the system does not know.
    public init?(identifier: String) {
        guard let zone = TimeZone(identifier: identifier) else { return nil }
        self.identifier = identifier
        self.zone = zone
        let year2000 = Date(timeIntervalSince1970: 946_684_800)
        constantOffset =
            zone.nextDaylightSavingTimeTransition(after: year2000) == nil ? zone.secondsFromGMT(for: year2000) : nil
    }

    /// Seconds east of UTC at `instant` (seconds since 1970).
    public func offset(at instant: Int64) -> Int64 {
        Int64(constantOffset ?? zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant))))
    }
}
