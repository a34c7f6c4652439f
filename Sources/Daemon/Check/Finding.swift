import Codecs

/// One thing that `spendwised check` examined.
struct Finding: Sendable {
    /// The exit status is that of the worst finding, as monitoring programs expect it (monitoring-plugins).
    enum Level: Int32, Comparable {
        case ok = 0
        /// Mail is read, but a person should check.
        case warning = 1
        /// Mail is not read, or not completely.
        case failed = 2

        static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
    }

    let level: Level
    /// Such as `login personal`.
    let subject: String
    let detail: String

    static func ok(_ subject: String, _ detail: String) -> Finding {
        Finding(level: .ok, subject: subject, detail: detail)
    }

    static func warning(_ subject: String, _ detail: String) -> Finding {
        Finding(level: .warning, subject: subject, detail: detail)
    }

    static func failed(_ subject: String, _ fault: some Error) -> Finding {
        Finding(level: .failed, subject: subject, detail: String(describing: fault))
    }

    /// `ok       login personal: detail`, further lines indented.
    var line: String {
        let word = level == .failed ? "FAILED" : "\(level)"
        let padding = String(repeating: " ", count: 9 - word.utf8.count)
        let text = detail.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n         ")
        return "\(word)\(padding)\(subject): \(text)\n"
    }

    var json: JSON {
        .object([("level", .string("\(level)")), ("subject", .string(subject)), ("detail", .string(detail))])
    }
}
