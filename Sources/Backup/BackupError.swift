/// A backup that cannot be made or read: what happened, to which file, and the remedy.
public struct BackupError: Error, Hashable, Sendable, CustomStringConvertible {
    public let path: String
    /// The fault and the remedy.
    public let message: String

    init(_ path: String, _ message: String) {
        self.path = path
        self.message = message
    }

    public var description: String { "\(path): \(message)" }
}
