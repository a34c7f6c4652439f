/// The passphrase of an encrypted backup. It has no description, so that no message shows it.
public struct BackupPassphrase: Sendable {
    let bytes: [UInt8]

    /// Characters of a passphrase that is accepted for a new backup: its file may be attacked for years.
    public static let shortest = 12

    /// - Parameter bytes: UTF-8. `nil` without any.
    public init?(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return nil }
        self.bytes = bytes
    }

    /// True if it is long enough for a new backup.
    public var isLongEnough: Bool { String(decoding: bytes, as: UTF8.self).count >= Self.shortest }
}
