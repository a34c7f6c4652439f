import Chronology

extension Session where Stream: ~Copyable {
    /// Finds the UIDs that match (UID SEARCH, RFC 9051 section 6.4.4; as a compact set if the server has ESEARCH, RFC
    /// 4731).
    ///
    /// A search without an upper end clears ``changed`` first, so that mail which arrives from now on sets it again
    /// even if it is in the result. A search for older mail does not clear it.
    public mutating func search(_ criteria: SearchCriteria) throws(IMAPError) -> UIDSet {
        var dialect = dialect
        while true {
            let (found, refusal) = try search(criteria, dialect)
            guard let refusal else { return criteria.clip(found) }
            // The server may accept another form of the command. One that cannot search at all fails below.
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
        // Two in flight: the second is on its way while the server works on the first, and the buffers of neither side
        // can fill up.
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
        let status = try answer(to: tag, .deadline(.after(timing.search))) { response in
            switch response {
            case .search(let uids), .esearch(_, let uids): found.formUnion(uids)
            default: break
            }
        }
        if status.outcome != .ok { refusal = status }
    }
}
