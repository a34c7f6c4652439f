public import Chronology
import Codecs
import Crypto
import DurableFiles
import Glibc
public import Store

/// A ledger in JSON: `{version, createdAt, appVersion, schema, data}`, which other programs can read. It has every row
/// of a person and of a mailbox, without the bytes of mails, without tokens and without logins.
public enum PortableFile {
    /// Version of the form. A reader refuses a higher one.
    static let version = 1
    /// Bytes that are read at most: the document is parsed as a whole, which takes some ten times as much memory.
    static let maximumBytes = 512 << 20

    /// Writes the ledger, which may be in use. The file appears under its name when it is complete; only its owner can
    /// read it.
    public static func write(_ store: Store, to path: String, at now: UnixTime, appVersion: String) throws {
        do {
            try FileReplacement(path, mode: .exactly(0o600)).write(by: { descriptor in
                let schema = JSON.array(try store.migrations().map(JSON.string)).text
                var pending = Array(
                    "{\"version\":\(version),\"createdAt\":\"\(now)\",\"appVersion\":\(JSON.string(appVersion).text),\"schema\":\(schema),\n\"data\":"
                        .utf8)
                try store.writePortableRows { bytes in
                    pending += bytes
                    guard pending.count >= 1 << 20 else { return }
                    try FileOutput.write(pending, to: descriptor)
                    pending.removeAll(keepingCapacity: true)
                }
                try FileOutput.write(pending + Array("}\n".utf8), to: descriptor)
            })
        } catch {
            throw BackupError(path, "\(error)")
        }
    }

    /// True if a file that begins so may be one of these.
    static func isPortable(beginning bytes: [UInt8]) -> Bool { bytes.first == UInt8(ascii: "{") }

    /// Makes a ledger of the document.
    static func unpack(_ descriptor: Int32, of path: String, in scratch: Scratch) throws -> BackupManifest {
        let bytes = try read(descriptor, path)
        let document: JSON
        do throws(JSONError) { document = try JSON(parsing: bytes) } catch {
            throw BackupError(path, "is damaged: it is not JSON (\(error)); use another backup")
        }
        guard case .integer(let version)? = document["version"], case .string(let made)? = document["createdAt"],
            let createdAt = UnixTime(iso: made), case .string(let appVersion)? = document["appVersion"],
            case .array(let schema)? = document["schema"], let data = document["data"]
        else { throw BackupError(path, "is not a backup of SpendWise: it has not the members of one") }
        guard version <= Self.version else {
            throw BackupError(path, "was made by a newer version of SpendWise: install that version to restore it")
        }
        let migrations = schema.compactMap(\.textValue)
        do throws(StoreError) {
            try PortableRows.makeLedger(of: data, migrations: migrations, at: scratch.path)
        } catch {
            if error.kind == .diskFull { throw error }
            throw BackupError(path, "cannot be restored: \(error.message)")
        }
        return BackupManifest(
            createdAt: createdAt, appVersion: appVersion, ledgerBytes: Int64(bytes.count),
            ledgerDigest: Hexadecimal.text(SHA256.hash(data: bytes)),
            figures: try Store(path: scratch.path, readOnly: true).figures())
    }

    private static func read(_ descriptor: Int32, _ path: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw BackupError(path, "cannot be read") }
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw BackupError(path, "cannot be read: \(String(cString: strerror(errno)))") }
            if count == 0 { return bytes }
            bytes += buffer.prefix(count)
            guard bytes.count <= maximumBytes else { throw BackupError(path, "is larger than \(maximumBytes) bytes") }
        }
    }
}
