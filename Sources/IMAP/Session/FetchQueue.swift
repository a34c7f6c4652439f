/// The UIDs of a fetch, the commands that request them, and the state of each. Performs no I/O.
///
/// Servers interleave the responses to pipelined FETCH commands (Dovecot does), so a response is matched by its UID
/// alone. A batch is done with the tagged responses to all its commands, and is reported after all batches before it.
struct FetchQueue {
    struct Request {
        var tag: UInt64 = 0
        let batch: Int
        /// Ascending.
        let uids: [UInt32]
        let wire: String
        /// Sent as FETCH of a part, `<0.n>`.
        var asksForPart = true
        var answered: [Bool]
        var unanswered: Int

        init(batch: Int, uids: [UInt32], wire: String) {
            self.batch = batch
            self.uids = uids
            self.wire = wire
            answered = Array(repeating: false, count: uids.count)
            unanswered = uids.count
        }
    }

    private struct Batch {
        let through: UInt32
        var commands = 1
        var missing: [UInt32] = []
        var failed: [IMAPError] = []
    }

    private var source: UIDSet.Batches
    /// Single UIDs that are requested again, before new batches.
    private var again: [Request] = []
    private(set) var inFlight: [Request] = []
    private var batches: [Batch] = []
    /// Index of `batches.first` since the beginning.
    private var reported = 0
    private var rejections = 0
    /// Messages that came without a text. The meaning depends on the tagged response.
    private var withoutText: Set<UInt32> = []
    /// A message came without its UID.
    private var lacksUIDs = false

    init(_ uids: UIDSet, size: Int, commandBytes: Int) {
        source = UIDSet.Batches(uids, size: size, bytes: commandBytes)
    }

    var isDone: Bool { inFlight.isEmpty && again.isEmpty && batches.isEmpty && source.isEmpty }

    /// The next request to send; `nil` if none is left.
    mutating func next() -> Request? {
        if let request = again.popLast() { return request }
        guard let (uids, wire) = source.next(), let last = uids.last else { return nil }
        batches.append(Batch(through: last))
        return Request(batch: reported + batches.count - 1, uids: uids, wire: wire)
    }

    mutating func sent(_ request: Request, tag: UInt64, asksForPart: Bool) {
        var request = request
        request.tag = tag
        request.asksForPart = asksForPart
        inFlight.append(request)
    }

    /// Marks a UID as answered.
    ///
    /// - Returns: false if no request in flight waits for it.
    mutating func claim(_ uid: UInt32) -> Bool {
        for index in inFlight.indices {
            guard let position = inFlight[index].position(of: uid), !inFlight[index].answered[position] else {
                continue
            }
            inFlight[index].answered[position] = true
            inFlight[index].unanswered -= 1
            rejections = 0
            return true
        }
        return false
    }

    /// Removes the request with this tag.
    mutating func dequeue(tag: UInt64) -> Request? {
        inFlight.firstIndex { $0.tag == tag }.map { inFlight.remove(at: $0) }
    }

    /// Ends a request. Its unanswered UIDs are missing.
    mutating func finish(_ request: Request) {
        batches[request.batch - reported].commands -= 1
        batches[request.batch - reported].missing += request.left
    }

    /// Ends a request. Its unanswered UIDs are requested again, one by one.
    mutating func split(_ request: Request) {
        let left = request.left
        batches[request.batch - reported].commands += left.count - 1
        if !withoutText.isEmpty { withoutText.subtract(left) }
        again += left.reversed().map { Request(batch: request.batch, uids: [$0], wire: String($0)) }
    }

    /// Ends a request. Its unanswered UIDs fail.
    mutating func finish(_ request: Request, failing error: (UID) -> IMAPError) {
        batches[request.batch - reported].commands -= 1
        batches[request.batch - reported].failed += request.left.map { error(UID(unchecked: $0)) }
    }

    /// The number of single messages answered with BAD since the last message was delivered.
    mutating func countRejection() -> Int {
        rejections += 1
        return rejections
    }

    /// Records that the server sent NIL for this message.
    mutating func noteMissingText(_ uid: UInt32) { withoutText.insert(uid) }

    mutating func noteMissingUID() { lacksUIDs = true }

    /// True if an unanswered message of the request may still exist: its response had no text, or a response had no
    /// UID.
    func isDoubtful(_ request: Request) -> Bool {
        lacksUIDs || (!withoutText.isEmpty && request.left.contains { withoutText.contains($0) })
    }

    /// Removes and returns the next batch in order; `nil` while one of its commands is in flight.
    mutating func report() -> FetchedBatch? {
        guard let batch = batches.first, batch.commands == 0 else { return nil }
        batches.removeFirst()
        reported += 1
        return FetchedBatch(
            through: UID(unchecked: batch.through), missing: UIDSet(numbers: batch.missing), failed: batch.failed)
    }
}

extension FetchQueue.Request {
    /// The UIDs without a response.
    var left: [UInt32] { zip(uids, answered).lazy.filter { !$1 }.map { $0.0 } }

    func position(of uid: UInt32) -> Int? {
        guard let first = uids.first, let last = uids.last, first <= uid, uid <= last else { return nil }
        var (low, high) = (0, uids.count)
        while low < high {
            let middle = (low + high) / 2
            if uids[middle] < uid { low = middle + 1 } else { high = middle }
        }
        return low < uids.count && uids[low] == uid ? low : nil
    }
}
