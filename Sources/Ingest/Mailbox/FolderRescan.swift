import IMAP
import Ledger
import Profiles
import Store

extension FolderPass {
    /// Looks again at older mail that somebody asked for, whatever the cursor says: what a person settled, what is booked and what is kept here is
    /// not fetched. A request that is broken off stays, and is begun anew.
    ///
    /// - Parameter end: the folder's cursor; newer mail is the business of the pass itself.
    func rescan<Stream: ByteStream & ~Copyable>(
        _ session: inout Session<Stream>, upTo end: FolderCursor, _ summary: inout PassSummary
    ) throws {
        let key = FolderKey(mailbox: mailbox, folder: folder)
        for request in try store.rescans.requests(of: key) {
            guard let last = UID(max(end.nextUID, 1) - 1) else {
                try store.rescans.finish(request.id, lookedAt: 0, changed: 0)
                continue
            }
            // A bank that is not in force yet waits for the reload that brings it.
            let domains = intake.profiles.domains(ofBank: request.bank)
            if domains.isEmpty { continue }
            let found = try session.search(
                SearchCriteria(first: .min, through: last, from: domains, since: request.since.flatMap(Day.init(iso:))))
            let settled = try store.rescans.settledUIDs(of: key, uidValidity: end.uidValidity)
            let wanted = found.subtracting(UIDSet(settled.lazy.compactMap { UID($0) }))
            var looked = PassSummary(mailbox: mailbox, folder: folder)
            var cursor: FolderCursor? = end
            if !wanted.isEmpty { try fetch(wanted, &session, &cursor, end, redeciding: Outcome.redecidable, &looked) }
            try store.rescans.finish(request.id, lookedAt: wanted.count, changed: looked.outcomes.values.reduce(0, +))
            summary.found += wanted.count
            summary.done += looked.done
            summary.changed += looked.changed
            summary.outcomes.merge(looked.outcomes, uniquingKeysWith: +)
        }
    }
}

extension ProfileSet {
    /// Of one bank, or of all; empty where it is not known.
    func domains(ofBank key: String?) -> [String] {
        guard let key else { return senderDomains }
        return banks.first { $0.key == key }?.domains ?? []
    }
}

extension Day {
    /// `yyyy-mm-dd`, a day earlier: SEARCH compares without regard to the zone.
    init?(iso text: String) {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, let day = Day(year: parts[0], month: parts[1], day: parts[2]) else { return nil }
        self.init(secondsSinceEpoch: Int64(day.daysSince1970 - 1) * 86_400)
    }
}
