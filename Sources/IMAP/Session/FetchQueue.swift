/// Which UIDs were asked for, by which command, and what became of them. Pure bookkeeping: no I/O.
///
/// Servers answer pipelined FETCH commands in any order and mixed (Dovecot does), so an answer is matched by its UID alone; a batch
/// counts as done with the tagged answers of all its commands, and is reported after all batches before it.
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
    /// Single UIDs to be asked for again come before new batches.
    private var again: [Request] = []
    private(set) var inFlight: [Request] = []
    private var batches: [Batch] = []
    /// Index of `batches.first` since the beginning.
    private var reported = 0
    private var rejections = 0
    /// Mails that were mentioned without a text. The tagged answer tells what that means.
    private var withoutText: Set<UInt32> = []
    /// A message came without its UID.
    private var lacksUIDs = false

    init(_ uids: UIDSet, size: Int, commandBytes: Int) {
        source = UIDSet.Batches(uids, size: size, bytes: commandBytes)
    }

    var isDone: Bool { inFlight.isEmpty && again.isEmpty && batches.isEmpty && source.isEmpty }

    /// What to send next, if anything is left.
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

    /// Whether a mail with this UID is being waited for; if so, it counts as answered from now on.
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

    /// Takes back the request that a tagged answer belongs to.
    mutating func dequeue(tag: UInt64) -> Request? {
        inFlight.firstIndex { $0.tag == tag }.map { inFlight.remove(at: $0) }
    }

    /// The request is over; what it left unanswered is missing.
    mutating func finish(_ request: Request) {
        batches[request.batch - reported].commands -= 1
        batches[request.batch - reported].missing += request.left
    }

    /// The request is over; what it left unanswered is asked for again, one by one.
    mutating func split(_ request: Request) {
        let left = request.left
        batches[request.batch - reported].commands += left.count - 1
        if !withoutText.isEmpty { withoutText.subtract(left) }
        again += left.reversed().map { Request(batch: request.batch, uids: [$0], wire: String($0)) }
    }

    /// The request is over; what it left unanswered cannot be had.
    mutating func finish(_ request: Request, failing error: (UID) -> IMAPError) {
        batches[request.batch - reported].commands -= 1
        batches[request.batch - reported].failed += request.left.map { error(UID(unchecked: $0)) }
    }

    /// Single mails answered with BAD since the last mail that was handed out.
    mutating func countRejection() -> Int {
        rejections += 1
        return rejections
    }

    /// The server sent NIL for this mail.
    mutating func noteMissingText(_ uid: UInt32) { withoutText.insert(uid) }

    mutating func noteMissingUID() { lacksUIDs = true }

    /// Whether a message that the request left unanswered may exist all the same: it was mentioned without a text, or some message without its UID.
    func isDoubtful(_ request: Request) -> Bool {
        lacksUIDs || (!withoutText.isEmpty && request.left.contains { withoutText.contains($0) })
    }

    /// The next batch in order, if all its commands are over.
    mutating func report() -> FetchedBatch? {
        guard let batch = batches.first, batch.commands == 0 else { return nil }
        batches.removeFirst()
        reported += 1
        return FetchedBatch(
            through: UID(unchecked: batch.through), missing: UIDSet(numbers: batch.missing), failed: batch.failed)
    }
}

extension FetchQueue.Request {
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
