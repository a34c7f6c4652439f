import Glibc
import Ledger

/// Timestamps as they stand in the database: `2026-01-05T06:43:14Z` (ISO 8601, UTC, whole seconds), which sort as they follow in time.
enum Instant {
    static let now: @Sendable () -> Int64 = { Int64(time(nil)) }

    /// Seconds outside 1970...2199 give the nearest day inside: a Date header may say anything.
    static func text(_ seconds: Int64) -> String {
        let days = seconds >= 0 ? seconds / 86400 : -1
        let date = CalendarDate(daysSince1970: Int(clamping: days))
        let rest = days < 0 ? 0 : Int(seconds - days * 86400)
        return String(unsafeUninitializedCapacity: 20) { bytes in
            put(date, in: bytes)
            bytes[10] = UInt8(ascii: "T")
            put(rest / 3600, 11, in: bytes)
            bytes[13] = UInt8(ascii: ":")
            put(rest / 60 % 60, 14, in: bytes)
            bytes[16] = UInt8(ascii: ":")
            put(rest % 60, 17, in: bytes)
            bytes[19] = UInt8(ascii: "Z")
            return 20
        }
    }

    /// `yyyy-mm-dd`.
    static func day(_ date: CalendarDate) -> String {
        String(unsafeUninitializedCapacity: 10) { bytes in
            put(date, in: bytes)
            return 10
        }
    }

    private static func put(_ date: CalendarDate, in bytes: UnsafeMutableBufferPointer<UInt8>) {
        put(date.year / 100, 0, in: bytes)
        put(date.year % 100, 2, in: bytes)
        bytes[4] = UInt8(ascii: "-")
        put(date.month, 5, in: bytes)
        bytes[7] = UInt8(ascii: "-")
        put(date.day, 8, in: bytes)
    }

    private static func put(_ value: Int, _ at: Int, in bytes: UnsafeMutableBufferPointer<UInt8>) {
        bytes[at] = UInt8(0x30 + value / 10 % 10)
        bytes[at + 1] = UInt8(0x30 + value % 10)
    }

    static func seconds(_ text: String) -> Int64? {
        let text = Substring(text)
        guard text.utf8.count == 20, text.last == "Z", let date = CalendarDate(iso: text.prefix(10)),
            let time = TimeOfDay(iso: text.dropFirst(11).prefix(8))
        else { return nil }
        return Int64(date.daysSince1970) * 86400 + Int64(time.secondsSinceMidnight)
    }
}
