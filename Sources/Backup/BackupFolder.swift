public import Chronology
import DurableFiles
import Glibc

/// A folder of backups named by their instants, of which the oldest are removed.
public struct BackupFolder: Sendable {
    public let path: String

    public init(_ path: String) { self.path = path }

    /// `FOLDER/spendwise-20260105T064314Z.tgz`: names sort in order of time.
    ///
    /// - Parameter isEncrypted: adds `.age`.
    public func file(at instant: UnixTime, isEncrypted: Bool = false) -> String {
        path + "/" + Self.prefix + Self.stamp(instant) + Self.suffix + (isEncrypted ? Self.encryptedSuffix : "")
    }

    /// The backups, the newest first. Other files are left out.
    public func files() throws(BackupError) -> [String] {
        guard let names = FolderEntries.names(path) else {
            throw BackupError(path, "cannot be read: \(String(cString: strerror(errno)))")
        }
        return names.filter(Self.isBackup).sorted(by: >).map { path + "/" + $0 }
    }

    /// Removes all backups but the newest.
    ///
    /// - Parameter count: at least 1.
    /// - Returns: the removed files.
    public func keepNewest(_ count: Int) throws(BackupError) -> [String] {
        var removed: [String] = []
        for file in try files().dropFirst(max(1, count)) {
            guard unlink(file) == 0 else {
                throw BackupError(file, "cannot be removed: \(String(cString: strerror(errno)))")
            }
            removed.append(file)
        }
        return removed
    }

    /// `20260105T064314Z` (ISO 8601, basic format), for the name of a file.
    public static func stamp(_ instant: UnixTime) -> String {
        instant.description.filter { $0 != "-" && $0 != ":" }
    }

    private static let prefix = "spendwise-"
    private static let suffix = ".tgz"
    private static let encryptedSuffix = ".age"

    private static func isBackup(_ name: String) -> Bool {
        let name = name.hasSuffix(encryptedSuffix) ? String(name.dropLast(encryptedSuffix.count)) : name
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
        let stamp = name.dropFirst(prefix.count).dropLast(suffix.count)
        return stamp.utf8.count == 16
            && stamp.utf8.enumerated().allSatisfy { index, byte in
                switch index {
                case 8: byte == UInt8(ascii: "T")
                case 15: byte == UInt8(ascii: "Z")
                default: (0x30...0x39).contains(byte)
                }
            }
    }
}
