import Foundation

/// A time zone of the IANA database, reduced to its offset from UTC at an instant.
public struct IANATimeZone: Hashable, Sendable {
    public let identifier: String
    /// `nil` if the offset is constant.
    private let zone: TimeZone?
    /// Set if the zone has had one offset since 2000 and plans no change, such as India's: the time zone's table is not
    /// asked then.
    private let constantOffset: Int?

    /// The zone of India, +05:30. It needs no time zone database.
    public static let kolkata = IANATimeZone("Asia/Kolkata", constantOffset: 19_800)

    /// `nil` for a name that the system does not know.
    public init?(identifier: String) {
        if identifier == Self.kolkata.identifier {
            self = .kolkata
            return
        }
        guard let zone = TimeZone(identifier: identifier) else { return nil }
        let year2000 = Date(timeIntervalSince1970: 946_684_800)
        self.identifier = identifier
        let isConstant = zone.nextDaylightSavingTimeTransition(after: year2000) == nil
        self.zone = isConstant ? nil : zone
        constantOffset = isConstant ? zone.secondsFromGMT(for: year2000) : nil
    }

    private init(_ identifier: String, constantOffset: Int) {
        self.identifier = identifier
        self.constantOffset = constantOffset
        zone = nil
    }

    /// Seconds east of UTC at an instant.
    public func offset(at instant: UnixTime) -> Int64 {
        if let constantOffset { return Int64(constantOffset) }
        return Int64(zone?.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant.seconds))) ?? 0)
    }

    /// The day in this zone.
    public func day(of instant: UnixTime) -> CalendarDate { instant.day(offset: Int(offset(at: instant))) }

    /// The instant of a day and a wall-clock time in this zone. A time that the zone skips or repeats is read with the
    /// offset before the change.
    public func instant(_ day: CalendarDate, _ time: TimeOfDay? = nil) -> UnixTime {
        let wall = UnixTime(day, time)
        return wall - offset(at: wall - offset(at: wall))
    }

    /// `IST` for India's zone; otherwise the offset at an instant, such as `+02:00`.
    public func label(at instant: UnixTime) -> String {
        if self == .kolkata { return "IST" }
        let minutes = offset(at: instant) / 60
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(minutes < 0 ? "-" : "+")\(two(abs(minutes) / 60)):\(two(abs(minutes) % 60))"
    }
}
