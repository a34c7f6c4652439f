public import Chronology
public import Codecs
import Store

/// The description at the beginning of a backup, `manifest.json`.
public struct BackupManifest: Hashable, Sendable {
    /// Version of the form of the file. A reader refuses a higher one.
    public static let version = 1
    static let format = "spendwise-backup"
    static let name = "manifest.json"
    static let ledgerName = "spendwise.db"

    public let createdAt: UnixTime
    /// The version of SpendWise that made it.
    public let appVersion: String
    /// Size of the ledger's file in bytes.
    public let ledgerBytes: Int64
    /// SHA-256 of the ledger's file in hexadecimal digits.
    public let ledgerDigest: String
    /// Rows by table.
    public let rows: [String: Int]

    init(createdAt: UnixTime, appVersion: String, ledgerBytes: Int64, ledgerDigest: String, figures: LedgerFigures) {
        self.createdAt = createdAt
        self.appVersion = appVersion
        self.ledgerBytes = ledgerBytes
        self.ledgerDigest = ledgerDigest
        rows = figures.rows
    }

    /// - Throws: ``BackupError`` for a file of another program or of a newer version.
    init(_ bytes: [UInt8], of path: String) throws(BackupError) {
        guard let manifest = try? JSON(parsing: bytes), manifest["format"]?.textValue == Self.format,
            let version = manifest["version"]?.integerValue
        else {
            throw BackupError(path, "is not a backup of SpendWise: its first file is not the manifest of one")
        }
        guard version <= Self.version else {
            throw BackupError(path, "was made by a newer version of SpendWise: install that version to restore it")
        }
        guard let createdAt = manifest["createdAt"]?.textValue.flatMap({ UnixTime(iso: $0) }),
            let appVersion = manifest["appVersion"]?.textValue, let ledger = manifest["ledger"],
            let ledgerBytes = ledger["bytes"]?.integerValue, let digest = ledger["sha256"]?.textValue
        else {
            throw BackupError(path, "has a damaged manifest: use another backup")
        }
        self.createdAt = createdAt
        self.appVersion = appVersion
        self.ledgerBytes = ledgerBytes
        ledgerDigest = digest
        rows = manifest["rows"]?.integers ?? [:]
    }

    public var json: JSON {
        .object([
            ("format", .string(Self.format)), ("version", .integer(Int64(Self.version))),
            ("createdAt", .string(createdAt.description)), ("appVersion", .string(appVersion)),
            (
                "ledger",
                .object([
                    ("file", .string(Self.ledgerName)), ("bytes", .integer(ledgerBytes)),
                    ("sha256", .string(ledgerDigest)),
                ])
            ),
            ("rows", .object(rows.sorted { $0.key < $1.key }.map { ($0.key, .integer(Int64($0.value))) })),
        ])
    }
}

extension JSON {
    fileprivate var integers: [String: Int] {
        guard case .object(let members) = self else { return [:] }
        let numbers = members.compactMap { name, value in value.integerValue.map { (name, Int($0)) } }
        return Dictionary(numbers) { first, _ in first }
    }
}
