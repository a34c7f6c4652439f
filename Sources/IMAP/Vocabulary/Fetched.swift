/// One mail as the server sent it. Good only inside the callback that got it.
public struct Fetched: ~Copyable {
    public let uid: UID
    /// `nil` where the server sent none that can be read.
    public let internalDate: InternalDate?
    /// RFC822.SIZE: how long the server says the whole mail is. Some servers guess.
    public let size: UInt64?
    /// Gmail's lasting number of the mail, the same in every folder.
    public let gmailMessageID: UInt64?
    /// The mail is longer than `maximumMessageBytes`; ``bytes`` is its beginning.
    public let isTruncated: Bool
    /// The mail, header and body. Points into the session's buffer: copy what is to live longer than the callback.
    public let bytes: UnsafeRawBufferPointer
}

/// A part of a fetch that is done: every UID asked for up to and including ``through`` has been answered, and the server has said OK.
public struct FetchedBatch: Sendable {
    /// All UIDs asked for up to here are dealt with: handed out, missing, or failed. A cursor may advance to it.
    public let through: UID
    /// Asked for, but the server has them no more: expunged in between.
    public let missing: UIDSet
    /// Mails that the server would not give, each asked for again by itself. The error's scope names the UID.
    public let failed: [IMAPError]
}
