import Foundation
import Settings

/// When a sink is silent, on the clock of its time zone.
struct QuietHours {
    let settings: QuietSettings
    private let zone: TimeZone

    init(_ settings: QuietSettings) {
        self.settings = settings
        zone = settings.timeZone.flatMap { TimeZone(identifier: $0) } ?? .current
    }

    /// When the silence that holds at `now` is over; `nil` where none holds. Seconds since 1970-01-01 UTC.
    func end(at now: Int64) -> Int64? {
        let minute = self.minute(at: now)
        let (from, to) = (settings.from, settings.to)
        guard from < to ? (from..<to).contains(minute) : minute >= from || minute < to else { return nil }
        let wait = Int64((to - minute + 1440) % 1440) * 60
        let naive = now - now.remainder(60) + wait
        // Summer time may begin or end meanwhile.
        let end = naive + offset(at: now) - offset(at: naive)
        return max(end, now + 1)
    }

    private func offset(at instant: Int64) -> Int64 { Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant)))) }

    private func minute(at instant: Int64) -> Int { Int((instant + offset(at: instant)).remainder(86_400) / 60) }
}

extension Int64 {
    /// Not negative.
    fileprivate func remainder(_ divisor: Int64) -> Int64 { ((self % divisor) + divisor) % divisor }
}
