import IMAP
import Store
import Synchronization

/// Finds the mail at which a server's answers end again and again, so that it does not keep those behind it from being read: after two connections
/// that ended in one place mails are fetched singly there, and one that ends a connection by itself, and had ended another, is recorded as failed.
final class FetchCaution: Sendable {
    private struct Place {
        /// The first mail that did not arrive.
        var uid: UID
        var ends: Int
        /// Two ended in one place here, and no fetch went to its end since.
        var isCareful: Bool
    }

    private let places = Mutex<[FolderKey: Place]>([:])

    /// Whether mails are to be fetched one by one.
    func isCareful(in key: FolderKey) -> Bool { places.withLock { $0[key]?.isCareful ?? false } }

    /// A fetch was broken off before `uid` had come.
    /// - Returns: whether this mail does it.
    func ended(at uid: UID, in key: FolderKey) -> Bool {
        places.withLock { places in
            let last = places[key]
            let wasAlone = last?.isCareful ?? false
            let ends = last?.uid == uid ? (last?.ends ?? 0) + 1 : 1
            places[key] = Place(uid: uid, ends: ends, isCareful: wasAlone || ends >= 2)
            return wasAlone && ends >= 2
        }
    }

    /// The fetch went to its end, or the mail is put aside.
    func passed(in key: FolderKey) { places.withLock { $0[key] = nil } }
}

extension IMAPError {
    /// The conversation ended in the middle of an answer: perhaps because of the mail in it.
    var mayBeAMail: Bool { [.closed, .timedOut, .malformed, .limit, .bye].contains(kind) }
}
