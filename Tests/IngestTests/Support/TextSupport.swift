import Chronology
import ChronologyFixture
import IMAP

extension String {
    /// The parts before and after the first `mark`.
    func cut(at mark: Character) -> (String, String) {
        guard let index = firstIndex(of: mark) else { return (self, "") }
        return (String(self[..<index]), String(self[self.index(after: index)...]))
    }

    var unquoted: String {
        hasPrefix("\"") && count > 1 ? String(dropFirst().dropLast()).replacing("\\\\", with: "\\") : self
    }

    var trimmingBlanks: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }

    /// Every text between `begin` and the next character of `ends`.
    func components(behind begin: String, upTo ends: String) -> [String] {
        split(separator: begin, omittingEmptySubsequences: false).dropFirst().map {
            String($0.prefix { !ends.contains($0) })
        }
    }
}

extension Day {
    /// Compares with a date of SEARCH such as `1-Feb-2026`.
    func isOnOrAfter(_ text: String) -> Bool {
        let parts = text.split(separator: "-")
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard parts.count == 3, let day = Int(parts[0]), let month = names.firstIndex(of: String(parts[1])),
            let year = Int(parts[2])
        else { return true }
        return (self.year, self.month, self.day) >= (year, month + 1, day)
    }

    /// An INTERNALDATE in UTC.
    static func wire(_ instant: UnixTime) -> String {
        let day = Day(instant)
        let time = instant.seconds - Int64(day.daysSince1970) * 86_400
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return (day.day < 10 ? " " : "") + "\(day) \(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60)) +0000"
    }
}
