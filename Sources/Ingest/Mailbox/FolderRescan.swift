import Chronology
import IMAP
import Ledger
import Profiles
import Store

extension FolderPass {
    /// Reads older messages again on request, regardless of the cursor. Messages that a person resolved, that are
    /// booked or whose bytes are retained are not fetched. An interrupted request stays and starts again.
    ///
    /// - Parameter end: the folder's cursor. The pass itself has read newer messages.
    func rescan<Stream: ByteStream & ~Copyable>(
        _ session: inout Session<Stream>, upTo end: FolderCursor, _ summary: inout PassSummary
    ) throws {
        for request in try store.rescans.requests(of: key) {
            guard let last = UID(max(end.nextUID, 1) - 1) else {
                try store.rescans.finish(request.id, examined: 0, changed: 0)
                continue
            }
            // A bank without a profile waits for the reload that brings it.
            let domains = intake.profiles.domains(ofBank: request.bank)
            if domains.isEmpty { continue }
            let found = try session.search(
                SearchCriteria(first: .min, through: last, from: domains, since: request.since.map(Day.init(before:))))
            let resolved = try store.rescans.settledUIDs(of: key, uidValidity: end.uidValidity)
            let wanted = found.subtracting(UIDSet(resolved.lazy.compactMap { UID($0) }))
            let reread = try read(wanted, &session, end)
            try store.rescans.finish(request.id, examined: wanted.count, changed: reread.outcomes.values.reduce(0, +))
            summary.add(reread, found: wanted.count)
        }
    }

    private func read<Stream: ByteStream & ~Copyable>(
        _ wanted: UIDSet, _ session: inout Session<Stream>, _ cursor: FolderCursor
    ) throws -> PassSummary {
        var intake = intake
        if let rules, !wanted.isEmpty { intake.rules = try rules.current() }
        guard let validity = UIDValidity(cursor.uidValidity) else {
            return PassSummary(mailbox: key.mailbox, folder: key.folder)
        }
        let recorder = FolderRecorder(
            store: store, key: key, uidValidity: validity, intake: intake, redeciding: Outcome.redecidable)
        var state = PassState(recorder: recorder, cursor: cursor, domains: cursor.searchedDomains)
        state.total = wanted.count
        if !wanted.isEmpty { try fetch(wanted, &session, &state) }
        return state.summary
    }
}

extension ProfileSet {
    /// The sender domains of one bank, or of all if `key` is `nil`; empty for an unknown bank.
    func domains(ofBank key: String?) -> [String] {
        guard let key else { return senderDomains }
        return banks.first { $0.key == key }?.domains ?? []
    }
}

extension Day {
    /// The day before: SEARCH compares without regard to the zone.
    init(before day: CalendarDate) { self.init(UnixTime(day) - 86_400) }
}
