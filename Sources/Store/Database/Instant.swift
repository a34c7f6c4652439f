import Chronology
import Glibc
import Ledger

/// Timestamps in the database: `2026-01-05T06:43:14Z` (ISO 8601, UTC, whole seconds), which sort by time.
enum Instant {
    static let now: @Sendable () -> Int64 = { UnixTime.now.seconds }

    /// Clamped to the years 1970...2199: a Date header can hold any year.
    static func text(_ seconds: Int64) -> String { UnixTime(seconds: seconds).description }

    /// `yyyy-mm-dd`.
    static func day(_ date: CalendarDate) -> String { date.description }

    static func seconds(_ text: String) -> Int64? { UnixTime(iso: text)?.seconds }
}
