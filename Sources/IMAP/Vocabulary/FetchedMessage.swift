/// One message as the server sent it.
public struct FetchedMessage: Sendable {
    public let uid: UID
    /// `nil` if the server sent none, or one that cannot be parsed.
    public let internalDate: InternalDate?
    /// RFC822.SIZE, the length of the whole message. Some servers estimate it.
    public let size: UInt64?
    /// Gmail's X-GM-MSGID, the same in every folder of the account.
    public let gmailMessageID: UInt64?
    /// The message is longer than `maximumMessageBytes`; ``bytes`` is its beginning.
    public var isTruncated: Bool
    /// Header and body.
    public var bytes: [UInt8]
}

/// A part of a fetch for which the server has sent its tagged OK.
public struct FetchedBatch: Sendable {
    /// Every UID requested up to and including this one was delivered, is missing, or failed. A cursor may advance past
    /// it.
    public let through: UID
    /// UIDs without a response: expunged since the search, as a rule.
    public let missing: UIDSet
    /// Messages that the server refused although each was requested again alone. The scope of each error names the
    /// UID.
    public let failed: [IMAPError]
}
