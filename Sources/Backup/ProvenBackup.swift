public import Store

/// A backup that was unpacked and proved.
public struct ProvenBackup: Sendable {
    public let manifest: BackupManifest
    /// The ledger with the schema of this program. Its file lives as long as this value.
    public let ledger: Store
    let scratch: Scratch
}
