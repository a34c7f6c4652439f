import IMAP
public import Ledger
import Profiles
import Store

/// One look at one folder: everything new is searched, fetched, decided and recorded.
struct FolderPass {
    let store: Store
    let intake: Intake
    let mailbox: String
    let folder: String
    /// How far back the first pass looks.
    let since: Day
    let progress: (PassProgress) -> Void

    /// Mails per commit: enough that the commit's sync costs little, few enough that their bytes need little memory.
    static let batch = 64
    /// A mail that fails this often is left to a person.
    static let attempts = 3

    /// - Parameter opened: the folder's UIDVALIDITY where the session has it open: then only what came since is asked for, a round trip less.
    func run<Stream: ByteStream & ~Copyable>(_ session: inout Session<Stream>, opened: UIDValidity? = nil) throws -> PassSummary {
        let key = Store.FolderKey(mailbox: mailbox, folder: folder)
        let cursor = try store.cursor(of: key)
        let selected = try opened == nil ? session.examine(FolderName(folder)) : nil
        guard let validity = opened ?? selected?.uidValidity else { return PassSummary(mailbox: mailbox, folder: folder, uidValidity: nil) }
        let plan = SyncPlan(
            cursor: cursor, uidValidity: validity, uidNext: selected?.uidNext, isEmpty: selected?.exists == 0, domains: intake.profiles.senderDomains,
            since: since)
        var summary = PassSummary(mailbox: mailbox, folder: folder, uidValidity: validity)
        var wanted = UIDSet()
        for search in plan.searches {
            let found = try session.search(search)
            let done = try store.recordedUIDs(of: key, uidValidity: plan.end.uidValidity, from: search.first?.rawValue ?? 1)
            wanted.formUnion(found.subtracting(UIDSet(done.lazy.compactMap { UID($0) })))
        }
        if opened == nil {
            // Once a connection, what failed before gets another try; a mail that hit a limit would only hit it again.
            let failed = try store.failedMails(of: key, uidValidity: plan.end.uidValidity, attemptsBelow: Self.attempts)
            wanted.formUnion(UIDSet(failed.lazy.filter { !($0.reason ?? "").hasPrefix("limit ") }.compactMap { UID($0.uid) }))
        }
        summary.found = wanted.count
        progress(PassProgress(mailbox: mailbox, folder: folder, done: 0, total: wanted.count))
        var reached = cursor
        if !wanted.isEmpty { try fetch(wanted, &session, &reached, plan, &summary) }
        var end = plan.end
        if let last = wanted.last?.rawValue, last >= end.nextUID { end.nextUID = last == .max ? last : last + 1 }
        if end != reached { try store.setCursor(end, of: key) }
        return summary
    }

    /// Fetches and records, one commit a batch. The cursor moves with the commit, only behind what the server has answered in full.
    private func fetch<Stream: ByteStream & ~Copyable>(
        _ wanted: UIDSet, _ session: inout Session<Stream>, _ cursor: inout Store.Cursor?, _ plan: SyncPlan, _ summary: inout PassSummary
    ) throws {
        // Mails of several commands under way arrive interleaved: they wait here until all before them have been answered.
        var waiting: [UInt32: Store.Entry] = [:]
        var counted = PassSummary(mailbox: mailbox, folder: folder, uidValidity: nil)
        var last = cursor
        let total = wanted.count
        let validity = plan.end.uidValidity
        let known = cursor?.uidValidity == validity ? cursor : nil
        var pacing = FetchPacing()
        pacing.batch = Self.batch
        try session.fetch(
            wanted, pacing: pacing,
            each: { fetched in
                let place = Intake.Place(mailbox: mailbox, folder: folder, uidValidity: validity, uid: fetched.uid.rawValue)
                waiting[fetched.uid.rawValue] = intake.entry(
                    for: fetched.bytes, at: place, receivedAt: fetched.internalDate?.secondsSinceEpoch,
                    truncatedFrom: fetched.isTruncated ? fetched.size ?? UInt64(fetched.bytes.count) : nil)
            },
            done: { batch in
                for error in batch.failed {
                    guard case .message(let uid) = error.scope else { continue }
                    let place = Intake.Place(mailbox: mailbox, folder: folder, uidValidity: validity, uid: uid.rawValue)
                    waiting[uid.rawValue] = intake.failedEntry(at: place, reason: error.description)
                }
                let through = batch.through.rawValue
                let entries = waiting.keys.filter { $0 <= through }.sorted().compactMap { waiting.removeValue(forKey: $0) }
                let reached = Store.Cursor(
                    uidValidity: validity, nextUID: max(known?.nextUID ?? 1, through == .max ? through : through + 1),
                    searchedDomains: known?.searchedDomains ?? plan.end.searchedDomains)
                let recorded = try store.record(entries, advancing: (Store.FolderKey(mailbox: mailbox, folder: folder), reached))
                last = reached
                for row in recorded where row.isNew { counted.outcomes[row.outcome, default: 0] += 1 }
                counted.done += entries.count + batch.missing.count
                progress(PassProgress(mailbox: mailbox, folder: folder, done: counted.done, total: total))
            })
        cursor = last
        summary.outcomes = counted.outcomes
        summary.done = counted.done
    }
}

/// How far a pass has come, in mails.
public struct PassProgress: Sendable {
    public let mailbox: String
    public let folder: String
    public let done: Int
    public let total: Int
}

/// What a pass found.
public struct PassSummary: Sendable {
    public let mailbox: String
    public let folder: String
    /// Mails that the search found and that had no row yet.
    public var found = 0
    /// Of these, recorded or gone in between.
    public var done = 0
    public var outcomes: [Outcome: Int] = [:]
    /// Of the folder as it was read.
    let uidValidity: UIDValidity?

    init(mailbox: String, folder: String, uidValidity: UIDValidity?) {
        self.uidValidity = uidValidity
        self.mailbox = mailbox
        self.folder = folder
    }
}
