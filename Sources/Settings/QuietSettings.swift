import Chronology
public import Ledger
import YAMLSource

/// Quiet hours of a sink. Events of that time are sent as one message at its end.
public struct QuietSettings: Sendable, Hashable {
    /// Minutes since midnight, local time; if `from` is after `to`, the range spans midnight.
    public var from: Int
    public var to: Int
    /// IANA name; `nil` means the machine's zone.
    public var timeZone: String?
    /// Kinds that ignore the quiet hours.
    public var urgent: Set<NotificationKind>

    public init(from: Int, to: Int, timeZone: String? = nil, urgent: Set<NotificationKind> = []) {
        self.from = from
        self.to = to
        self.timeZone = timeZone
        self.urgent = urgent
    }

    init(_ node: YAMLNode) throws(SourceError) {
        let map = try node.mapping(allowing: ["from", "to", "timezone", "urgent"])
        from = try Self.minute(map.require("from"))
        to = try Self.minute(map.require("to"))
        guard from != to else {
            throw try map.require("to").error(
                "quiet hours end when they begin", remedy: "To receive nothing at all, remove the sink.")
        }
        timeZone = try map["timezone"].map { node throws(SourceError) in
            let name = try node.string()
            guard IANATimeZone(identifier: name) != nil else {
                throw node.error("unknown time zone '\(name)'", remedy: "Write it as Asia/Kolkata.")
            }
            return name
        }
        urgent = try map["urgent"].map { node throws(SourceError) in try SinkSettings.kinds(node) } ?? []
    }

    private static func minute(_ node: YAMLNode) throws(SourceError) -> Int {
        let text = try node.string()
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ (1...2).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { throw node.error("'\(text)' is not a time of day", remedy: "Write it as '22:30', in quotes.") }
        return hour * 60 + minute
    }
}
