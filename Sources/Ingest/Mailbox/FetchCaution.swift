import IMAP
import Store
import Synchronization

/// Finds a message at which connections end repeatedly, so that it does not block the messages after it. After two
/// connections ended at one message, messages are fetched one by one from there. A message that then ends a connection
/// when it is fetched alone, and has ended one before, is recorded as failed.
final class FetchCaution: Sendable {
    private struct Place {
        /// The first message that did not arrive.
        var uid: UID
        var ends: Int
        /// Two connections ended at one message, and no fetch has completed since.
        var isCareful: Bool
    }

    private let places = Mutex<[FolderKey: Place]>([:])

    /// True if messages are to be fetched one by one.
    func isCareful(in key: FolderKey) -> Bool { places.withLock { $0[key]?.isCareful ?? false } }

    /// Records that a connection ended before `uid` arrived.
    ///
    /// - Returns: true if this message is the cause.
    func ended(at uid: UID, in key: FolderKey) -> Bool {
        places.withLock { places in
            let last = places[key]
            let wasAlone = last?.isCareful ?? false
            let ends = last?.uid == uid ? (last?.ends ?? 0) + 1 : 1
            places[key] = Place(uid: uid, ends: ends, isCareful: wasAlone || ends >= 2)
            return wasAlone && ends >= 2
        }
    }

    /// UIDNEXT when a connection ended while the last messages of a folder were identified.
    private let endedMarks = Mutex<[FolderKey: UID]>([:])

    /// Returns false while the message at which a connection ended is among the last ``FolderPass/markedUIDs`` of the
    /// folder.
    func mayMark(upTo next: UID, in key: FolderKey) -> Bool {
        endedMarks.withLock {
            $0[key].map { next.rawValue - min(next.rawValue, FolderPass.markedUIDs) > $0.rawValue } ?? true
        }
    }

    func endedMarking(upTo next: UID, in key: FolderKey) { endedMarks.withLock { $0[key] = next } }

    /// Records that a fetch completed, or that the message is recorded as failed.
    func passed(in key: FolderKey) { places.withLock { $0[key] = nil } }
}

extension IMAPError {
    /// The connection ended in the middle of a response, possibly because of the message in it.
    var mayConcernOneMessage: Bool { [.closed, .timedOut, .malformed, .limit, .bye].contains(kind) }
}
