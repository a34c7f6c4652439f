import Chronology
import Settings

/// Quiet hours of a sink in its time zone.
struct QuietHours {
    let settings: QuietSettings
    private let zone: IANATimeZone

    init(_ settings: QuietSettings) {
        self.settings = settings
        zone = settings.timeZone.flatMap { IANATimeZone(identifier: $0) } ?? .current
    }

    /// End of the quiet hours that contain `now`, or `nil` outside them.
    func end(at now: UnixTime) -> UnixTime? {
        guard isSilent(at: now) else { return nil }
        let minute = now - now.seconds.remainder(60)
        let naive = minute + Int64((settings.to - self.minute(at: now) + 1440) % 1440) * 60
        // Summer time may begin or end before that.
        var end = max(naive + (offset(at: now) - offset(at: naive)), minute + 60)
        // A local time that the clock skips ends with the skipped range.
        while isSilent(at: end), end < naive + Self.maximumClockChange { end += 60 }
        return end
    }

    /// Upper bound in seconds for any shift of a clock.
    private static let maximumClockChange: Int64 = 7200

    private func isSilent(at instant: UnixTime) -> Bool {
        let (minute, from, to) = (minute(at: instant), settings.from, settings.to)
        return from < to ? (from..<to).contains(minute) : minute >= from || minute < to
    }

    private func offset(at instant: UnixTime) -> Int64 { zone.offset(at: instant) }

    private func minute(at instant: UnixTime) -> Int {
        Int((instant + offset(at: instant)).seconds.remainder(86_400) / 60)
    }
}

extension Int64 {
    /// Remainder in 0..<divisor.
    fileprivate func remainder(_ divisor: Int64) -> Int64 { ((self % divisor) + divisor) % divisor }
}
