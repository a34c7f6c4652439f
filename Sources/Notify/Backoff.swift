import Chronology
import Ledger

/// Delay before another attempt.
enum Backoff {
    /// Retry class of a failure.
    enum Pace {
        /// Connection or server failure: 15 s to an hour.
        case quick
        /// Rate limit of the server: a minute to six hours.
        case slow

        var pauses: ExponentialBackoff {
            self == .quick
                ? ExponentialBackoff(first: 15, longest: 3600) : ExponentialBackoff(first: 60, longest: 6 * 3600)
        }
    }

    /// Upper bound of a server's Retry-After.
    static let longestRetryAfter: Int64 = 86_400
    /// Interval of attempts at a sink that refuses everything.
    static let refusal: Int64 = 86_400

    /// Seconds, doubled with each consecutive failure and shortened by up to a half at random, so that many clients do
    /// not return together.
    /// - Parameters:
    ///   - failures: consecutive failures before this one.
    ///   - asked: the server's Retry-After; a lower bound.
    ///   - chance: a random number in 0..<1.
    static func pause(failures: Int, _ pace: Pace, asked: Int64?, chance: Double) -> Int64 {
        let full = pace.pauses.pause(doublings: failures)
        let own = full - Int64(Double(full) / 2 * min(max(chance, 0), 1))
        return max(own, min(asked ?? 0, longestRetryAfter))
    }

    /// Retry-After in seconds from `now` (RFC 9110 section 10.2.3): a number, or a date in the preferred format. `nil`
    /// for any other text.
    static func retryAfter(_ text: String, at now: UnixTime) -> Int64? {
        let text = text.filter { $0 != "\t" }
        if !text.isEmpty, text.utf8.count <= 10, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Int64(text)
        }
        // Sun, 06 Nov 1994 08:49:37 GMT
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int(words[1]),
            let month = MonthName.month(abbreviated: words[2].utf8), let year = Int(words[3]),
            let date = CalendarDate(year: year, month: month, day: day), let time = TimeOfDay(iso: words[4])
        else { return nil }
        return max(0, UnixTime(date, time) - now)
    }
}
