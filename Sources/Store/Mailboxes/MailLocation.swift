/// One folder of one mailbox of the configuration.
public struct FolderKey: Hashable, Sendable {
    public var mailbox: String
    public var folder: String

    public init(mailbox: String, folder: String) {
        self.mailbox = mailbox
        self.folder = folder
    }
}

/// The place of a mail: a UID under one UIDVALIDITY of a folder (RFC 9051 section 2.3.1.1). Unique in the ledger.
///
/// The numbers are not IMAP's types: files of a Maildir and of an archive have numbers that this program assigns, under
/// UIDVALIDITY values that no server gives, and both may be 0.
public struct MailLocation: Hashable, Sendable {
    public var key: FolderKey
    public var uidValidity: UInt32
    public var uid: UInt32

    public init(_ key: FolderKey, uidValidity: UInt32, uid: UInt32) {
        self.key = key
        self.uidValidity = uidValidity
        self.uid = uid
    }

    public init(mailbox: String, folder: String, uidValidity: UInt32, uid: UInt32) {
        self.init(FolderKey(mailbox: mailbox, folder: folder), uidValidity: uidValidity, uid: uid)
    }

    /// The mailbox of the SMS that a phone passes on. Its folders are the senders, and its UIDs digests.
    public static let phone = "sms:phone"
    /// The mailbox of the mails that people upload on the page. Its folders are the files, and its UIDs digests.
    public static let upload = "upload:page"

    public var mailbox: String { key.mailbox }
    public var folder: String { key.folder }
}
