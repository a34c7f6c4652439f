extension Session where Stream: ~Copyable {
    /// The UIDs that match (UID SEARCH, RFC 9051 section 6.4.4; as a compact set where the server has ESEARCH, RFC 4731).
    ///
    /// Without an upper end it forgets ``changed`` first, so mail that arrives from now on sets it again even if it is in the result already. A search for
    /// older mail finds nothing new, and forgets nothing.
    public mutating func search(_ criteria: SearchCriteria) throws(IMAPError) -> UIDSet {
        var dialect = dialect
        while true {
            let (found, refusal) = try search(criteria, dialect)
            guard let refusal else { return criteria.clip(found) }
            // A server that minds how it was asked may like another way; one that cannot search at all is refused below.
            if dialect == .gmail, !refusal.concernsEverything {
                dialect = .standard
            } else if dialect == .standard, criteria.from.count > 1, refusal.outcome == .bad {
                (dialect, orRefused) = (.withoutOr, true)
            } else {
                throw refusal.error(refusing: "to search", peer: peer, scope: .folder)
            }
        }
    }

    private var dialect: SearchDialect { orRefused ? .withoutOr : capabilities.gmail ? .gmail : .standard }

    var searchVerb: String { capabilities.esearch ? "UID SEARCH RETURN (ALL)" : "UID SEARCH" }

    private mutating func search(
        _ criteria: SearchCriteria, _ dialect: SearchDialect
    ) throws(IMAPError) -> (found: UIDSet, refusal: Status?) {
        let commands = try criteria.commands(limit: WireLimits.commandBytes, dialect)
        if criteria.through == nil { changed = false }
        var found = UIDSet()
        var refusal: Status?
        // Two at a time: the second is on its way while the server works on the first, and neither side's buffers can fill up.
        var waiting: [UInt64] = []
        for command in commands {
            waiting.append(try send("\(searchVerb) \(command)", .after(timing.answer)))
            if waiting.count == 2 { try collect(waiting.removeFirst(), into: &found, &refusal) }
        }
        for tag in waiting { try collect(tag, into: &found, &refusal) }
        try admit(found)
        return (found, refusal)
    }

    private mutating func admit(_ found: UIDSet) throws(IMAPError) {
        if found.count > Int(exists) + WireLimits.surplusResults {
            throw fail(malformed("more SEARCH results than the folder has mails"))
        }
    }

    private mutating func collect(_ tag: UInt64, into found: inout UIDSet, _ refusal: inout Status?) throws(IMAPError) {
        let status = try answer(to: tag, .until(.after(timing.search))) { response in
            switch response {
            case .search(let uids), .esearch(_, let uids): found.formUnion(uids)
            default: break
            }
        }
        if status.outcome != .ok { refusal = status }
    }
}
