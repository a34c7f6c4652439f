import Glibc

/// Atomic replacement of a file: a temporary file in the same folder, fsync, rename, fsync of the folder.
///
/// A crash or a power cut leaves the old file or the new one. Foundation's atomic write syncs neither the file nor the
/// folder.
public struct FileReplacement: Sendable {
    public enum Mode: Sendable {
        /// These permissions, regardless of the umask.
        case exactly(UInt32)
        /// 0666 less the umask, as for a file made by an editor.
        case newFile
        /// The permissions of the file that is replaced; 0666 less the umask if there is none.
        case kept
    }

    /// The file itself: the target of a symbolic link.
    public let path: String
    private let mode: Mode
    private let isDurable: Bool

    /// - Parameter isDurable: false for a cache, which may be lost in a power cut: nothing is synced.
    public init(_ path: String, mode: Mode, isDurable: Bool = true) {
        self.path = FilePlace.target(of: path) ?? path
        self.mode = mode
        self.isDurable = isDurable
    }

    /// The folder in which the file and its temporary file are.
    public var folder: String { FilePlace.folder(of: path) }

    /// A path in the same folder that no file has: `path.LABEL3k9x…`.
    public static func unusedPath(beside path: String, _ label: String = "") -> String {
        "\(path).\(label)" + String(UInt64.random(in: .min ... .max), radix: 36)
    }

    /// Gives a complete file that another program wrote its final name: fsync, rename, fsync of the folder.
    ///
    /// - Throws: ``FileWriteError``. The file keeps its temporary name then.
    public static func install(_ temporary: String, as path: String) throws(FileWriteError) {
        let descriptor = open(temporary, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileWriteError(.write) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileWriteError(.write) }
        guard rename(temporary, path) == 0 else { throw FileWriteError(.rename) }
        syncFolder(FilePlace.folder(of: path))
    }

    /// Replaces or creates the file.
    ///
    /// If the process is root's, the file keeps the owner of the one that it replaces; a new file gets the owner of its
    /// folder.
    public func write(_ bytes: [UInt8]) throws(FileWriteError) {
        do { try write(by: { try FileOutput.write(bytes, to: $0) }) } catch let error as FileWriteError {
            throw error
        } catch {
            throw FileWriteError(.write)
        }
    }

    /// Replaces or creates the file, as ``write(_:)`` does, with what `body` writes to the descriptor.
    ///
    /// - Throws: ``FileWriteError``, and the errors of `body`. The file is unchanged then.
    public func write(by body: (Int32) throws -> Void) throws {
        let replaced = Self.status(of: path)
        let temporary = Self.unusedPath(beside: path)
        let descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, creationMode(replaced))
        guard descriptor >= 0 else { throw FileWriteError(.create) }
        do {
            defer { close(descriptor) }
            try setOwner(descriptor, replaced)
            try body(descriptor)
            guard !isDurable || fsync(descriptor) == 0 else { throw FileWriteError(.write) }
            guard rename(temporary, path) == 0 else { throw FileWriteError(.rename) }
        } catch {
            unlink(temporary)
            throw error
        }
        if isDurable { Self.syncFolder(folder) }
    }

    /// Sets owner and permissions before anything is written.
    private func setOwner(_ descriptor: Int32, _ replaced: stat?) throws(FileWriteError) {
        // Only root may give files away; others can at least keep the group if they belong to it.
        let isRoot = geteuid() == 0
        if let owned = replaced ?? (isRoot ? Self.status(of: folder) : nil) {
            guard fchown(descriptor, owned.st_uid, owned.st_gid) == 0 || !isRoot else { throw FileWriteError(.write) }
        }
        let wanted: mode_t? =
            switch mode {
            case .exactly(let mode): mode
            case .newFile: nil
            case .kept: replaced.map { $0.st_mode & 0o7777 }
            }
        if let wanted, fchmod(descriptor, wanted) != 0 { throw FileWriteError(.write) }
    }

    /// Never wider than the final permissions. The kernel applies the umask.
    private func creationMode(_ replaced: stat?) -> mode_t {
        switch mode {
        case .exactly: 0o600
        case .newFile: 0o666
        case .kept: replaced == nil ? 0o666 : 0o600
        }
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    /// Makes a rename survive a power cut. The rename itself has already succeeded, so a failure is not an error of the
    /// write.
    private static func syncFolder(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
