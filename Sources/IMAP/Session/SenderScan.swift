/// Reads the From field of every mail of a folder, one stretch after the other, in place of a search for many words: what was found in one stretch is
/// fetched while the server works on the next. Pure bookkeeping: no I/O.
///
/// A server close by hands out a field that it has in its index faster than it looks for a dozen words in it, and it need not understand them. All of a
/// stretch but those whose field tells that nobody wants them is then searched for, by number and day alone: so a mail without an answer is not lost.
struct SenderScan {
    private enum Phase {
        case waiting, reading
        /// The commands that are still to be sent.
        case searching(ArraySlice<String>)
        case over
    }

    private struct Stretch {
        let criteria: SearchCriteria
        var phase = Phase.waiting
        /// Of the command under way.
        var tag: UInt64?
        /// Fields that have come.
        var read = 0
        var unwanted: [UInt32] = []
        /// All but the unwanted, which are asked for. Servers need not say which of two searches they answer: each stretch knows its own by these.
        var candidates = UIDSet()
        /// Those of them that are there.
        var found = UIDSet()
    }

    /// Under way at once: the server has the next before it ends with one.
    private static let ahead = 2

    private let searchVerb: String
    private var stretches: ArraySlice<Stretch>
    private var sending = 0
    /// The server does not do it: what is left is to be searched.
    private var isRefused = false
    /// Fields that have come, of all stretches.
    private(set) var read = 0

    /// - Parameter searchVerb: `UID SEARCH` with its result options.
    init(_ stretches: [SearchCriteria], searchVerb: String) {
        self.stretches = stretches.map { Stretch(criteria: $0) }[...]
        self.searchVerb = searchVerb
    }

    var isDone: Bool { stretches.isEmpty }

    var isUnderWay: Bool { stretches.prefix(Self.ahead).contains { $0.tag != nil } }

    /// What to send next, if anything may be; ``sent(tag:)`` follows.
    mutating func next() -> String? {
        if isRefused { return nil }
        for index in stretches.indices.prefix(Self.ahead) where stretches[index].tag == nil {
            sending = index
            switch stretches[index].phase {
            case .waiting:
                stretches[index].phase = .reading
                return "UID FETCH \(stretches[index].criteria.range) (UID BODY.PEEK[HEADER.FIELDS (FROM)])"
            case .searching(var commands):
                let command = commands.popFirst()
                stretches[index].phase = .searching(commands)
                return command
            case .reading, .over: continue
            }
        }
        return nil
    }

    mutating func sent(tag: UInt64) { stretches[sending].tag = tag }

    /// The stretch that waits for the field of this mail, for ``take(_:in:isWanted:)``.
    func awaits(_ uid: UInt32) -> Int? {
        stretches.indices.prefix(Self.ahead).first { index in
            guard case .reading = stretches[index].phase, stretches[index].tag != nil else { return false }
            return stretches[index].criteria.covers(uid)
        }
    }

    mutating func take(_ uid: UInt32, in index: Int, isWanted: Bool) {
        read += 1
        stretches[index].read += 1
        if !isWanted { stretches[index].unwanted.append(uid) }
    }

    /// An answer to SEARCH.
    mutating func take(_ uids: UIDSet) {
        for index in stretches.indices.prefix(Self.ahead) {
            if case .searching = stretches[index].phase {
                stretches[index].found.formUnion(stretches[index].candidates.intersection(uids))
            }
        }
    }

    /// A tagged answer.
    /// - Parameter isOK: otherwise the server does not do what it was asked for.
    /// - Returns: whether the command was one of these.
    mutating func settle(tag: UInt64, isOK: Bool) -> Bool {
        guard let index = stretches.indices.prefix(Self.ahead).first(where: { stretches[$0].tag == tag }) else {
            return false
        }
        stretches[index].tag = nil
        guard isOK else {
            isRefused = true
            return true
        }
        let stretch = stretches[index]
        switch stretch.phase {
        case .reading:
            let candidates = stretch.criteria.clip(UIDSet(UID.min...UID.max)).subtracting(
                UIDSet(numbers: stretch.unwanted))
            let day = stretch.criteria.since.map { " SINCE \($0)" } ?? ""
            let commands = candidates.wires(bytes: WireLimits.commandBytes - 200).map {
                "\(searchVerb) UID \($0)\(day)"
            }
            stretches[index].candidates = candidates
            stretches[index].phase = commands.isEmpty ? .over : .searching(commands[...])
        case .searching(let commands) where commands.isEmpty:
            stretches[index].phase = .over
            // Where most did not answer, all of them are not worth fetching.
            let silent = stretch.found.count - (stretch.read - stretch.unwanted.count)
            if silent > stretch.read { isRefused = true }
        case .waiting, .searching, .over: break
        }
        return true
    }

    /// The first stretch, when it is over, and what is wanted of it.
    mutating func takeFirst() -> (stretch: SearchCriteria, found: UIDSet)? {
        guard !isRefused, let first = stretches.first, case .over = first.phase else { return nil }
        stretches.removeFirst()
        return (first.criteria, first.found)
    }

    /// What is to be searched because the server does not do this; to be asked for when nothing is under way.
    mutating func takeRefused() -> SearchCriteria? {
        guard isRefused, !isUnderWay, let first = stretches.first, let last = stretches.last else { return nil }
        stretches = []
        var rest = first.criteria
        rest.through = last.criteria.through
        return rest
    }
}
