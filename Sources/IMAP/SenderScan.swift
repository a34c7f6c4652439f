/// Reads the From field of every mail of a folder, one stretch after the other, in place of a search for many words: what was found in one stretch is
/// fetched while the server works on the next. Pure bookkeeping: no I/O.
///
/// A server close by hands out a field that it has in its index faster than it looks for a dozen words in it, and it need not understand them. Those found
/// are asked for their day only, where one is given.
struct SenderScan {
    private enum Phase {
        case waiting, reading
        /// The commands that are still to be sent.
        case dating(ArraySlice<String>)
        case over
    }

    private struct Stretch {
        let criteria: SearchCriteria
        var phase = Phase.waiting
        /// Of the command under way.
        var tag: UInt64?
        /// Mails whose field has come.
        var read = 0
        var found = UIDSet()
        /// Those that answers to SEARCH named. Servers need not say to which of two commands: each stretch knows its own by their numbers.
        var dated = UIDSet()

        /// Whether the field of this mail is waited for. No more than the stretch can have, however often a server repeats one.
        func awaits(_ uid: UInt32) -> Bool {
            guard case .reading = phase, tag != nil, criteria.covers(uid), read < criteria.span else { return false }
            return !found.contains(UID(unchecked: uid))
        }
    }

    /// Under way at once: the server has the next before it ends with one.
    private static let ahead = 2

    private let searchVerb: String
    private var stretches: ArraySlice<Stretch>
    private var sending = 0
    /// The server does not do it: what is left is to be searched.
    private var isRefused = false

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
            case .dating(var commands):
                let command = commands.popFirst()
                stretches[index].phase = .dating(commands)
                return command
            case .reading, .over: continue
            }
        }
        return nil
    }

    mutating func sent(tag: UInt64) { stretches[sending].tag = tag }

    /// The stretch of the mail whose field has come, for ``take(_:in:isWanted:)``; `nil` for one that was not asked for.
    func reads(_ uid: UInt32) -> Int? {
        stretches.indices.prefix(Self.ahead).first { stretches[$0].awaits(uid) }
    }

    mutating func take(_ uid: UInt32, in index: Int, isWanted: Bool) {
        stretches[index].read += 1
        if isWanted { stretches[index].found.insert(UID(unchecked: uid)) }
    }

    /// An answer to SEARCH.
    mutating func take(_ uids: UIDSet) {
        for index in stretches.indices.prefix(Self.ahead) {
            if case .dating = stretches[index].phase { stretches[index].dated.formUnion(stretches[index].found.intersection(uids)) }
        }
    }

    /// A tagged answer.
    /// - Parameter isOK: otherwise the server does not do what it was asked for.
    /// - Returns: whether the command was one of these.
    mutating func settle(tag: UInt64, isOK: Bool) -> Bool {
        guard let index = stretches.indices.prefix(Self.ahead).first(where: { stretches[$0].tag == tag }) else { return false }
        stretches[index].tag = nil
        guard isOK else {
            isRefused = true
            return true
        }
        let stretch = stretches[index]
        switch stretch.phase {
        case .reading where stretch.read == 0:
            // No mail there, or answers that are none.
            isRefused = true
        case .reading:
            if let since = stretch.criteria.since, !stretch.found.isEmpty {
                var sets = UIDSet.Batches(stretch.found, size: .max, bytes: WireLimits.commandBytes - 200)
                var commands: [String] = []
                while let (_, wire) = sets.next() { commands.append("\(searchVerb) UID \(wire) SINCE \(since)") }
                stretches[index].phase = .dating(commands[...])
            } else {
                stretches[index].phase = .over
            }
        case .dating(let commands) where commands.isEmpty:
            stretches[index].found = stretch.dated
            stretches[index].phase = .over
        case .waiting, .dating, .over: break
        }
        return true
    }

    /// The first stretch, when it is over, and what is wanted of it.
    mutating func takeFirst() -> UIDSet? {
        guard !isRefused, let first = stretches.first, case .over = first.phase else { return nil }
        stretches.removeFirst()
        return first.found
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
