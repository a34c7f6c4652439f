import Chronology
import Settings
import Store

/// Deletes retained mail after its retention period or beyond its size, and compresses the rest, once a day.
struct RetentionTask: UpkeepTask {
    let store: Store
    let settings: Settings

    private static let day: Int64 = 86_400

    let schedule = UpkeepSchedule(interval: Double(day))
    let failure = "retained mail not tidied"

    func run(isStopped: () -> Bool) throws {
        let oldest = UnixTime.now - Int64(settings.keepRawDays) * Self.day
        try store.archive.prune(storedBefore: oldest)
        try store.statements.expireFiles(storedBefore: oldest)
        if let limit = settings.keepRawBytes { try store.archive.prune(toBytes: Int64(clamping: limit)) }
        try store.archive.compress(isStopped: isStopped)
    }
}
