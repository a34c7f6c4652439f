import Chronology
import Glibc
public import Logging

/// Log handler that writes one line per message to standard error: with the level as journald's prefix (sd-daemon(3))
/// under systemd, otherwise with the time.
public struct StandardErrorLog: LogHandler {
    public var metadata: Logger.Metadata = [:]
    public var logLevel: Logger.Level = .info
    private let isJournal = getenv("JOURNAL_STREAM") != nil

    public init() {}

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var line = isJournal ? "<\(priority(event.level))>" : "\(time()) \(event.level) "
        line += "\(event.message)"
        for (key, value) in self.metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 }).sorted(by: {
            $0.key < $1.key
        }) {
            line += " \(key)=\(quoted("\(value)"))"
        }
        line += "\n"
        StandardError.write(line)
    }

    /// syslog(3) levels.
    private func priority(_ level: Logger.Level) -> Int {
        switch level {
        case .critical: 2
        case .error: 3
        case .warning: 4
        case .notice: 5
        case .info: 6
        case .debug, .trace: 7
        }
    }

    /// Quotes a value so that it cannot begin a new line or imitate another key.
    private func quoted(_ value: String) -> String {
        guard value.contains(where: { $0 == " " || $0 == "\"" || $0 == "=" || $0.isNewline }) else { return value }
        let safe = value.map { $0.isNewline ? " | " : $0 == "\"" ? "'" : String($0) }.joined()
        return "\"\(safe)\""
    }

    /// Local time, HH:MM:SS.
    private func time() -> String {
        var now = time_t(UnixTime.now.seconds)
        var parts = tm()
        localtime_r(&now, &parts)
        return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
