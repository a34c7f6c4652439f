import Glibc
import Synchronization

/// A time zone of the IANA database, reduced to its offset from UTC at an instant.
public struct IANATimeZone: Sendable {
    public let identifier: String
    /// `nil` if the offset has always been ``constantOffset``.
    private let file: ZoneFile?
    /// Set if the zone has had one offset since 2000 and plans no change, such as India's: the file is not asked then.
    private let constantOffset: Int?

    /// The zone of India, +05:30. It needs no time zone database.
    public static let kolkata = IANATimeZone("Asia/Kolkata", nil, constantOffset: 19_800)
    /// Its name until 1993, which browsers still report and which some systems have no longer.
    private static let formerKolkata = "Asia/Calcutta"

    /// The zone of this machine: of the variable `TZ` (a name or a file, tzset(3)), or of `/etc/localtime`; else UTC.
    public static var current: IANATimeZone {
        let variable = getenv("TZ").map { String(cString: $0) } ?? ""
        let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
        let place = name.isEmpty ? "/etc/localtime" : name
        let zone =
            place.hasPrefix("/")
            ? ZoneFile(path: place).map { IANATimeZone("localtime", $0) } : IANATimeZone(identifier: place)
        return zone ?? IANATimeZone("UTC", nil, constantOffset: 0)
    }

    /// The zones that were read: profiles name few, each many times.
    private static let known = Mutex<[String: IANATimeZone]>([:])

    /// `nil` for a name that the system does not know.
    public init?(identifier: String) {
        if identifier == Self.kolkata.identifier || identifier == Self.formerKolkata {
            self = .kolkata
        } else if let known = Self.known.withLock({ $0[identifier] }) {
            self = known
        } else {
            guard let file = ZoneFile(identifier: identifier) else { return nil }
            let zone = IANATimeZone(identifier, file)
            Self.known.withLock { $0[identifier] = zone }
            self = zone
        }
    }

    private init(_ identifier: String, _ file: ZoneFile) {
        self.init(identifier, file, constantOffset: file.constantOffset(since: Self.year2000))
    }

    private init(_ identifier: String, _ file: ZoneFile?, constantOffset: Int?) {
        self.identifier = identifier
        self.file = file
        self.constantOffset = constantOffset
    }

    private static let year2000: Int64 = 946_684_800

    /// Seconds east of UTC at an instant.
    public func offset(at instant: UnixTime) -> Int64 {
        if let constantOffset, instant.seconds >= Self.year2000 || file == nil { return Int64(constantOffset) }
        return Int64(file?.offset(at: instant.seconds) ?? 0)
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

extension IANATimeZone: Hashable {
    public static func == (a: Self, b: Self) -> Bool { a.identifier == b.identifier }

    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}
