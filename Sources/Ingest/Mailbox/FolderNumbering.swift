import IMAP
import InternetMessage
import Store

extension FolderPass {
    /// Recorded messages that are compared. The last one may have been expunged since.
    private static let comparedMessages = 16

    /// Compares recorded messages with those that have their UIDs now.
    ///
    /// Courier does not keep the UIDs that it assigns in EXAMINE: a message that another program appends, copies or
    /// delivers later may get one of them, although UIDVALIDITY stays the same and RFC 9051 section 2.3.1.1 forbids it.
    /// Gmail is not asked: its UIDs last.
    ///
    /// - Returns: false if one of them is another message. A server that does not answer is trusted.
    func keepsNumbering<Stream: ByteStream & ~Copyable>(
        _ validity: UIDValidity, _ session: inout Session<Stream>
    ) throws -> Bool {
        if session.capabilities.gmail { return true }
        let recorded = try store.mailboxes.lastRecorded(
            of: key, uidValidity: validity.rawValue, limit: Self.comparedMessages)
        let rows = Dictionary(recorded.map { ($0.uid, $0) }, uniquingKeysWith: { first, _ in first })
        let present: [MessageIdentity]
        do throws(IMAPError) {
            present = try session.identities(of: UIDSet(rows.keys.lazy.compactMap { UID($0) }))
        } catch {
            if error.scope == .folder, !session.isOver { return true }
            throw error
        }
        return present.allSatisfy { message in rows[message.uid.rawValue].map { isSame($0, message) } ?? true }
    }

    private func isSame(_ row: RecordedMessage, _ message: MessageIdentity) -> Bool {
        if let id = row.messageID { return Message(parsing: message.header).messageID == id }
        guard let recorded = row.receivedAt, let present = message.internalDate?.secondsSinceEpoch else { return true }
        return recorded == present
    }
}
