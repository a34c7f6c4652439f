public import Chronology
import Codecs
import Crypto
import DurableFiles
import Glibc
import PackedFiles
public import Store

/// A backup: one `.tgz` file with a manifest and a snapshot of the ledger, which `tar` and `sqlite3` can open as well.
public enum BackupFile {
    /// Bytes of a manifest that are read at most.
    private static let manifestLimit = 1 << 20
    private static let bufferBytes = 1 << 20

    /// Writes a backup of the ledger, which may be in use. The file appears under its name when it is complete.
    ///
    /// - Parameters:
    ///   - path: the new file, which replaces an older one; only its owner can read it. A temporary snapshot of the
    ///     ledger is made in the same folder.
    ///   - appVersion: the version of this program.
    ///   - passphrase: encrypts the file. The snapshot is then made beside the ledger, so that no unencrypted byte is
    ///     written to the folder of `path`.
    /// - Returns: the manifest.
    public static func write(
        _ store: Store, to path: String, at now: UnixTime, appVersion: String, passphrase: BackupPassphrase? = nil
    ) throws -> BackupManifest {
        let file = FileReplacement(path, mode: .exactly(0o600))
        let ledger = FileReplacement(store.path, mode: .kept)
        let snapshot = try Scratch(in: passphrase == nil ? file.folder : ledger.folder)
        try store.copy(to: snapshot.path)
        let (bytes, digest) = try fingerprint(snapshot.path)
        let manifest = BackupManifest(
            createdAt: now, appVersion: appVersion, ledgerBytes: bytes, ledgerDigest: digest,
            figures: try Store(path: snapshot.path, readOnly: true).figures())
        do {
            try file.write(by: { descriptor in
                guard let passphrase else { return try pack(snapshot.path, manifest, to: descriptor) }
                let packed = try snapshot.open(snapshot.path + ".tgz")
                defer { close(packed) }
                try pack(snapshot.path, manifest, to: packed)
                guard lseek(packed, 0, SEEK_SET) == 0 else { throw BackupError(path, "cannot be encrypted") }
                try AgeFile.encrypt(packed, to: descriptor, with: passphrase)
            })
        } catch {
            throw BackupError(path, "\(error)")
        }
        return manifest
    }

    private static func pack(_ snapshot: String, _ manifest: BackupManifest, to descriptor: Int32) throws {
        let archive = try PackedFileWriter(descriptor)
        let (text, modified) = (Array((manifest.json.text + "\n").utf8), manifest.createdAt.seconds)
        try archive.add(BackupManifest.name, size: Int64(text.count), modified: modified) { write in
            try text.withUnsafeBytes { try write($0) }
        }
        try archive.add(BackupManifest.ledgerName, size: manifest.ledgerBytes, modified: modified) { write in
            try forEachPart(of: snapshot) { try write($0) }
        }
        try archive.finish()
    }

    /// True for a file that needs a passphrase; false also for one that cannot be read.
    public static func isEncrypted(_ path: String) -> Bool {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return (try? AgeFile.isEncrypted(beginning: read(descriptor, upTo: 64))) ?? false
    }

    /// Unpacks a backup and proves it: the digest of the ledger, its pages, indexes, constraints and references.
    ///
    /// - Parameters:
    ///   - folder: where the ledger is unpacked; needs the space of the whole ledger.
    ///   - passphrase: of an encrypted backup.
    /// - Throws: ``BackupError``, `StoreError`.
    public static func open(
        _ path: String, unpackingIn folder: String, passphrase: BackupPassphrase? = nil
    ) throws -> ProvenBackup {
        let scratch = try Scratch(in: folder)
        let manifest = try unpack(path, in: scratch, passphrase)
        do {
            let ledger = try Store(path: scratch.path)
            if let defect = try ledger.integrityDefects().first {
                throw BackupError(path, "holds a damaged ledger (\(defect)): use another backup")
            }
            return ProvenBackup(manifest: manifest, ledger: ledger, scratch: scratch)
        } catch let error as StoreError where error.kind != .diskFull {
            throw BackupError(path, "holds a ledger that cannot be opened: \(error.message)")
        }
    }

    private static func unpack(
        _ path: String, in scratch: Scratch, _ passphrase: BackupPassphrase?
    ) throws -> BackupManifest {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw BackupError(path, "cannot be read: \(String(cString: strerror(errno)))") }
        defer { close(file) }
        let beginning = try read(file, upTo: 64)
        if PortableFile.isPortable(beginning: beginning) {
            return try PortableFile.unpack(file, of: path, in: scratch)
        }
        guard AgeFile.isEncrypted(beginning: beginning) else {
            return try unpack(file, of: path, to: scratch.path)
        }
        guard let passphrase else {
            throw BackupError(path, "is encrypted: its passphrase is needed, such as with --passphrase-file")
        }
        let packed = try scratch.open(scratch.path + ".tgz")
        defer { close(packed) }
        try AgeFile.decrypt(file, of: path, to: packed, with: passphrase)
        return try unpack(packed, of: path, to: scratch.path)
    }

    private static func unpack(_ descriptor: Int32, of path: String, to target: String) throws -> BackupManifest {
        do {
            guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw BackupError(path, "cannot be read") }
            let beginning = try read(descriptor, upTo: 512)
            guard let archive = try beginning.withUnsafeBytes({ try PackedFile(descriptor, beginning: $0) }),
                try archive.next() == BackupManifest.name
            else {
                throw BackupError(path, "is not a backup of SpendWise: its first file is not the manifest of one")
            }
            let manifest = try BackupManifest(manifestBytes(archive), of: path)
            guard try archive.next() == BackupManifest.ledgerName else {
                throw BackupError(path, "holds no ledger: use another backup")
            }
            let found = try unpackLedger(archive, to: target, atMost: manifest.ledgerBytes)
            guard found.bytes == manifest.ledgerBytes, found.digest == manifest.ledgerDigest else {
                throw BackupError(path, "is damaged: the ledger in it differs from its manifest; use another backup")
            }
            return manifest
        } catch let error as PackedFileError {
            throw BackupError(path, error.description)
        }
    }

    private static func read(_ descriptor: Int32, upTo limit: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        return Array(bytes.prefix(max(0, count)))
    }

    private static func manifestBytes(_ archive: PackedFile) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = try buffer.withUnsafeMutableBytes { try archive.read(into: $0) }
            if count == 0 || bytes.count > manifestLimit { return bytes }
            bytes += buffer.prefix(count)
        }
    }

    /// Stops after `limit` bytes, so that a damaged or hostile file cannot fill the disk.
    private static func unpackLedger(
        _ archive: PackedFile, to target: String, atMost limit: Int64
    ) throws -> (bytes: Int64, digest: String) {
        let descriptor = Glibc.open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw BackupError(target, "cannot be made: \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var hash = SHA256()
        var total: Int64 = 0
        var buffer = [UInt8](repeating: 0, count: bufferBytes)
        while total <= limit {
            let count = try buffer.withUnsafeMutableBytes { try archive.read(into: $0) }
            if count == 0 { break }
            total += Int64(count)
            hash.update(data: buffer.prefix(count))
            try FileOutput.write(Array(buffer.prefix(count)), to: descriptor)
        }
        return (total, Hexadecimal.text(hash.finalize()))
    }

    /// Size and SHA-256 of a file.
    private static func fingerprint(_ path: String) throws -> (bytes: Int64, digest: String) {
        var hash = SHA256()
        var total: Int64 = 0
        try forEachPart(of: path) {
            hash.update(bufferPointer: $0)
            total += Int64($0.count)
        }
        return (total, Hexadecimal.text(hash.finalize()))
    }

    private static func forEachPart(of path: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BackupError(path, "cannot be read: \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: bufferBytes)
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw BackupError(path, "cannot be read: \(String(cString: strerror(errno)))") }
            if count == 0 { return }
            try buffer.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
        }
    }
}
