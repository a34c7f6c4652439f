import Chronology

/// Answers to lookups for a limited time.
struct KeyCache {
    /// Number of answers: ten for each bank of the profiles.
    static let capacity = 1024
    /// Limits of the seconds for which a record is kept: its own time to live is clamped to them.
    static let recordSeconds: ClosedRange<Int64> = 60...86_400
    /// Seconds for which the absence of a record is kept.
    static let missingSeconds: Int64 = 300
    /// Seconds for which a failed lookup is not repeated.
    static let failureSeconds: Int64 = 30

    private struct Entry {
        let answer: KeyAnswer
        let expires: Int64
    }

    private var entries: [KeyName: Entry] = [:]

    var count: Int { entries.count }

    /// - Parameter now: seconds of ``SystemClock/bootTime``.
    func answer(for name: KeyName, now: Int64) -> KeyAnswer? {
        guard let entry = entries[name], now < entry.expires else { return nil }
        return entry.answer
    }

    mutating func insert(_ found: TXTAnswer, for name: KeyName, now: Int64) {
        let (answer, seconds) = Self.answer(found)
        if entries.count >= Self.capacity, entries[name] == nil { makeRoom(now) }
        entries[name] = Entry(answer: answer, expires: now + seconds)
    }

    /// Removes the expired answers, or else those that expire first.
    private mutating func makeRoom(_ now: Int64) {
        entries = entries.filter { now < $0.value.expires }
        guard entries.count >= Self.capacity else { return }
        // Many at once, so that a flood of names costs no search for each of them.
        for (name, _) in entries.sorted(by: { $0.value.expires < $1.value.expires }).prefix(Self.capacity / 8) {
            entries[name] = nil
        }
    }

    private static func answer(_ found: TXTAnswer) -> (KeyAnswer, seconds: Int64) {
        switch found {
        case .missing: return (.missing, missingSeconds)
        case .failed: return (.unavailable, failureSeconds)
        case .records(let records, let timeToLive):
            let seconds = min(max(Int64(timeToLive), recordSeconds.lowerBound), recordSeconds.upperBound)
            // Beside a key record others are tolerated, because some zones answer every name with a text.
            let keys = records.count == 1 ? records : records.filter { $0.starts(with: Array("v=DKIM1".utf8)) }
            guard keys.count == 1, let record = keys.first else { return (.unusable, seconds) }
            return (.record(record), seconds)
        }
    }
}
