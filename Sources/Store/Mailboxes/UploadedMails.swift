/// What was found in a file of mails that a person uploaded.
public struct UploadedMails: Hashable, Sendable {
    public var mails = 0
    /// Those of banks, which are recorded.
    public var fromBanks = 0
    /// Those of banks that were recorded before.
    public var known = 0

    public init(mails: Int = 0, fromBanks: Int = 0, known: Int = 0) {
        (self.mails, self.fromBanks, self.known) = (mails, fromBanks, known)
    }
}
