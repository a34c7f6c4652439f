public import Chronology

/// Makes the text of an mbox file (mboxrd: mbox(5) of qmail), which ``ArchiveImport`` and mail programs read. The bytes
/// of messages are unchanged but for the quoting of lines that begin with `From `.
public enum MboxWriter {
    private static let lineFeed = UInt8(ascii: "\n")

    /// - Parameter date: in the separator line; 1970-01-01 if unknown.
    /// - Returns: the separator, the message and an empty line.
    public static func entry(_ message: [UInt8], date: UnixTime?) -> [UInt8] {
        var bytes = Array("From - \(ctime(date ?? UnixTime(seconds: 0)))\n".utf8)
        bytes.reserveCapacity(bytes.count + message.count + 2)
        for line in message.split(separator: lineFeed, omittingEmptySubsequences: false) {
            if line.drop(while: { $0 == UInt8(ascii: ">") }).starts(with: "From ".utf8) {
                bytes.append(UInt8(ascii: ">"))
            }
            bytes += line
            bytes.append(lineFeed)
        }
        // The last line of a message that ends with one is empty already.
        if message.last != lineFeed { bytes.append(lineFeed) }
        return bytes
    }

    /// The time as ctime(3) writes it, in UTC: `Fri Sep 16 22:26:51 2016`.
    private static func ctime(_ time: UnixTime) -> String {
        let day = time.day()
        let clock = "\(time)".dropFirst(11).dropLast()
        let padding = day.day < 10 ? " " : ""
        return
            "\(WeekdayName.abbreviation(day)) \(MonthName.abbreviation(day.month)) \(padding)\(day.day) \(clock) \(day.year)"
    }
}
