import Chronology
import IMAP
import InternetMessage
import Ledger
import Store

/// Conclusions about the UIDs of a folder that has just been opened.
///
/// Courier does not store the UIDs that it assigns in EXAMINE. A message that another program appends, copies or
/// delivers later may get one of them under the same UIDVALIDITY, which RFC 9051 section 2.3.1.1 forbids. The messages
/// after it then have other UIDs than before, so a few messages at the end of the folder show it.
struct FolderNumbering {
    /// Every recorded message that was compared has the UID of its row.
    var keepsRows = true
    /// Every UID below it belongs to a message that was searched under this UID; 0 if a message of another sender has
    /// another UID than before.
    var searchedBelow: UInt32 = .max
}

extension FolderPass {
    /// Recorded messages that are compared. The last one may have been expunged since.
    private static let comparedMessages = 16
    /// Number of UIDs below UIDNEXT whose messages are marked, from any sender.
    static let markedUIDs: UInt32 = 16

    /// Compares recorded and marked messages with those that have their UIDs now, in one round trip.
    ///
    /// Gmail is not checked, because its UIDs are permanent. A server that does not answer is trusted.
    func numbering<Stream: ByteStream & ~Copyable>(
        of selected: Selected, _ cursor: FolderCursor, _ session: inout Session<Stream>
    ) throws -> FolderNumbering {
        if session.capabilities.gmail { return FolderNumbering() }
        let known = KnownNumbering(
            recorded: try store.mailboxes.lastRecorded(
                of: key, uidValidity: selected.uidValidity.rawValue, limit: Self.comparedMessages),
            marks: try store.mailboxes.numberingMarks(of: key, uidValidity: selected.uidValidity.rawValue))
        let asked = Set(known.recorded.map(\.uid)).union(known.marks?.messages.keys.map(\.self) ?? [])
        guard let present = try identities(of: asked, &session) else {
            return FolderNumbering(searchedBelow: known.marks?.nextUID ?? .max)
        }
        return known.compared(with: present, selected, nextUID: cursor.nextUID)
    }

    /// Marks the messages at the end of the folder, if others have come since.
    ///
    /// This is the end of the pass: a message at which the connection ends delays nothing. Failed messages are not
    /// requested.
    func mark<Stream: ByteStream & ~Copyable>(
        _ plan: PassPlan, _ session: inout Session<Stream>
    ) throws {
        let validity = plan.uidValidity.rawValue
        guard let next = plan.selected?.uidNext, !session.capabilities.gmail, !plan.keepsMarks,
            caution.mayMark(upTo: next, in: key)
        else { return }
        let begin = next.rawValue - min(next.rawValue - 1, Self.markedUIDs)
        let recorded = try store.mailboxes.recordedUIDs(of: key, uidValidity: validity, from: begin)
        let failed = Set(recorded).subtracting(
            try store.mailboxes.recordedUIDs(of: key, uidValidity: validity, from: begin, besides: .failed))
        do {
            let tail = Set(begin..<next.rawValue).subtracting(failed)
            guard let present = try identities(of: tail, &session) else { return }
            let marks = present.compactMap { message in message.mark.map { (message.uid.rawValue, $0) } }
            try store.mailboxes.setNumberingMarks(
                NumberingMarks(
                    uidValidity: validity, nextUID: next.rawValue,
                    messages: Dictionary(marks, uniquingKeysWith: { first, _ in first })), of: key)
        } catch let error as IMAPError where error.mayConcernOneMessage {
            caution.endedMarking(upTo: next, in: key)
            throw error
        }
    }

    /// Identities of messages; `nil` if the server refuses to answer.
    private func identities<Stream: ByteStream & ~Copyable>(
        of uids: Set<UInt32>, _ session: inout Session<Stream>
    ) throws -> [MessageIdentity]? {
        do throws(IMAPError) {
            return try session.identities(of: UIDSet(uids.lazy.compactMap { UID($0) }))
        } catch {
            if error.scope == .folder, !session.isOver { return nil }
            throw error
        }
    }
}

/// State of a folder's messages in the ledger.
fileprivate struct KnownNumbering {
    let recorded: [RecordedMessage]
    let marks: NumberingMarks?

    /// - Parameter nextUID: of the cursor.
    func compared(with present: [MessageIdentity], _ selected: Selected, nextUID: UInt32) -> FolderNumbering {
        var numbering = FolderNumbering(searchedBelow: marks?.nextUID ?? .max)
        let messages = Dictionary(present.map { ($0.uid.rawValue, $0) }, uniquingKeysWith: { first, _ in first })
        numbering.keepsRows = recorded.allSatisfy { row in messages[row.uid].map { isSame(row, $0) } ?? true }
        for (uid, mark) in marks?.messages ?? [:] {
            if let now = messages[uid]?.mark, now != mark { numbering.searchedBelow = 0 }
        }
        if let next = selected.uidNext?.rawValue, next < nextUID {
            // The server has assigned UIDs again. Their rows would hide the messages that get these UIDs next.
            let reassigned = recorded.filter { $0.uid >= next }
            if !reassigned.isEmpty, reassigned.allSatisfy({ messages[$0.uid] == nil }) { numbering.keepsRows = false }
            numbering.searchedBelow = 0
        }
        return numbering
    }

    private func isSame(_ row: RecordedMessage, _ message: MessageIdentity) -> Bool {
        if let id = row.messageID { return Message(parsing: message.header).messageID == id }
        guard let recorded = row.receivedAt, let present = message.internalDate?.instant else { return true }
        return recorded == present
    }
}

extension MessageIdentity {
    /// A digest of the Message-ID, or of INTERNALDATE if there is none; `nil` if nothing identifies the message.
    fileprivate var mark: UInt64? {
        if let id = Message(parsing: header).messageID { return Message.identity(messageID: id, contentDigest: []) }
        return internalDate.map {
            Message.identity(messageID: nil, contentDigest: Array("\($0.instant.seconds)".utf8))
        }
    }
}
