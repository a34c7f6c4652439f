public import Chronology
import Codecs
import DurableFiles

/// The result of the last check of a ledger's file, in `LEDGER.check`: a damaged ledger is not written, not even this.
public struct CheckRecord: Hashable, Sendable {
    /// The instant of the last complete check; `nil` if there was none.
    public var checkedAt: UnixTime?
    /// The defects that it found, as SQLite words them; empty for a sound file.
    public var defects: [String] = []
    /// True from the start of the ingest role to its clean stop.
    public var isOpen = false
    /// The newest backup for which the notification "outdated" was written; the instant 0 if there was none.
    public var remindedOf: UnixTime?

    public init() {}

    private static func file(_ ledger: String) -> SideFile { SideFile(ledger, suffix: "check") }

    /// - Parameter ledger: path of the database file.
    public init(of ledger: String) {
        guard let content = Self.file(ledger).read() else { return }
        checkedAt = content["checked_at"]?.textValue.flatMap { UnixTime(iso: $0) }
        defects = content["defects"]?.elements?.compactMap(\.textValue) ?? []
        if case .bool(let isOpen)? = content["open"] { self.isOpen = isOpen }
        remindedOf = content["reminded_of"]?.textValue.flatMap { UnixTime(iso: $0) }
    }

    public func write(of ledger: String) throws(StoreError) {
        try Self.file(ledger).write(
            .object([
                ("checked_at", JSON(describing: checkedAt)), ("defects", .array(defects.map(JSON.string))),
                ("open", .bool(isOpen)), ("reminded_of", JSON(describing: remindedOf)),
            ]))
    }

    static func stamp(of ledger: String) -> FileStamp? { file(ledger).stamp }

    /// The next step for a damaged ledger.
    public static let remedy = "stop spendwised, then run 'parserctl salvage', or restore a backup"

    /// The refusal of writes to a damaged ledger; `nil` for a sound one.
    func refusal(of ledger: String) -> StoreError? {
        guard let defect = defects.first else { return nil }
        return StoreError(
            kind: .corrupt, path: ledger,
            message:
                "the ledger is damaged (\(defect)) and is not written any more: \(Self.remedy)"
        )
    }
}
