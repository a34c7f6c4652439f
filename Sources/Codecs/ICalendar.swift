/// Writer of a calendar (RFC 5545): lines with CRLF, folded at 75 octets, and escaped text.
public struct ICalendar: Sendable {
    /// An event of a whole day.
    public struct Event: Hashable, Sendable {
        /// Unique and lasting (section 3.8.4.7).
        public var uid: String
        /// `yyyymmdd`.
        public var day: String
        public var summary: String
        public var details: String

        public init(uid: String, day: String, summary: String, details: String = "") {
            self.uid = uid
            self.day = day
            self.summary = summary
            self.details = details
        }
    }

    /// Octets of a line without its CRLF (section 3.1).
    static let longestLine = 75

    public private(set) var bytes: [UInt8] = []

    /// - Parameters:
    ///   - name: the title that calendar programs show.
    ///   - stamp: the instant of writing, `yyyymmddThhmmssZ`.
    public init(name: String, stamp: String, _ events: [Event]) {
        line("BEGIN", "VCALENDAR")
        line("VERSION", "2.0")
        line("PRODID", "-//SpendWise//SpendWise//EN")
        line("CALSCALE", "GREGORIAN")
        line("X-WR-CALNAME", Self.escaped(name))
        for event in events {
            line("BEGIN", "VEVENT")
            line("UID", Self.escaped(event.uid))
            line("DTSTAMP", stamp)
            line("DTSTART;VALUE=DATE", event.day)
            line("SUMMARY", Self.escaped(event.summary))
            if !event.details.isEmpty { line("DESCRIPTION", Self.escaped(event.details)) }
            line("TRANSP", "TRANSPARENT")
            line("END", "VEVENT")
        }
        line("END", "VCALENDAR")
    }

    /// Appends a content line. A fold is never within a character, so that every line is UTF-8 by itself.
    private mutating func line(_ name: String, _ value: String) {
        var used = 0
        for scalar in "\(name):\(value)".unicodeScalars {
            let octets = UTF8.width(scalar)
            if used + octets > Self.longestLine {
                bytes += Array("\r\n ".utf8)
                used = 1
            }
            bytes += Array(String(scalar).utf8)
            used += octets
        }
        bytes += Array("\r\n".utf8)
    }

    /// Text of section 3.3.11. Other control characters are not allowed in it and become blanks.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.replacing("\r\n", with: "\n").unicodeScalars {
            switch scalar {
            case "\\", ";", ",": escaped += "\\\(scalar)"
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": escaped += "\\n"
            case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value): escaped += " "
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
