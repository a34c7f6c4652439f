import IMAP
import Store
import Synchronization

/// Finds the mail at which a server's answers end again and again, so that it does not keep those behind it from being read: after two connections
/// that ended in one place mails are fetched singly there, and the one that ends the third is recorded as failed.
final class FetchCaution: Sendable {
    private struct Place {
        /// The first mail that was not had.
        var uid: UID
        var ends = 1
    }

    private let places = Mutex<[Store.FolderKey: Place]>([:])

    /// Whether mails are to be fetched one by one.
    func isCareful(in key: Store.FolderKey) -> Bool { places.withLock { $0[key].map { $0.ends >= 2 } ?? false } }

    /// A fetch was broken off before `uid` had come.
    func ended(at uid: UID, in key: Store.FolderKey) {
        places.withLock { $0[key] = Place(uid: uid, ends: $0[key].map { $0.uid == uid ? $0.ends + 1 : 1 } ?? 1) }
    }

    /// The fetch went to its end, or the mail is put aside.
    func passed(in key: Store.FolderKey) { places.withLock { $0[key] = nil } }
}

extension IMAPError {
    /// The conversation ended in the middle of an answer: perhaps because of the mail in it.
    var mayBeAMail: Bool { [.closed, .timedOut, .malformed, .limit, .bye].contains(kind) }
}
