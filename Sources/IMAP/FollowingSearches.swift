/// Searches that are sent one after the other while a fetch goes on. Pure bookkeeping: no I/O.
struct FollowingSearches {
    private var waiting: ArraySlice<SearchCriteria>
    private var criteria = SearchCriteria()
    /// Of the present search, to be sent.
    private var commands: ArraySlice<String> = []
    private var found = UIDSet()
    /// Of the command under way.
    var tag: UInt64?

    init(_ searches: [SearchCriteria]) { waiting = searches[...] }

    /// What to send next, if anything is left and nothing is under way.
    mutating func next(_ commands: (SearchCriteria) throws(IMAPError) -> [String]) throws(IMAPError) -> String? {
        if self.commands.isEmpty, let next = waiting.popFirst() {
            criteria = next
            self.commands = try commands(next)[...]
        }
        return self.commands.popFirst()
    }

    mutating func take(_ uids: UIDSet) { found.formUnion(uids) }

    /// The command under way is answered.
    /// - Returns: with its last command, the search and what the server says of it.
    mutating func finish() -> (criteria: SearchCriteria, found: UIDSet)? {
        tag = nil
        guard commands.isEmpty else { return nil }
        defer { found = UIDSet() }
        return (criteria, found)
    }
}
