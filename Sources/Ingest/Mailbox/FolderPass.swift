import IMAP
import Ledger
import Profiles
import Store

/// One look at one folder: everything new is searched, fetched, decided and recorded.
struct FolderPass {
    let store: Store
    /// Asked with the first mail, in place of those of `intake`.
    var rules: RulesInForce?
    let intake: Intake
    let mailbox: String
    let folder: String
    /// How far back the first pass looks.
    let sinceDays: Int
    /// Copies of a mail may have been recorded from another folder.
    var hasOtherFolders = false
    /// Asks for compression where the line is slow.
    var compresses = false
    let progress: (PassProgress) -> Void
    var caution = FetchCaution()
    /// Bytes of mail in 24 hours; `nil`: any number.
    var downloadLimit: UInt64?

    /// Mails per commit: enough that the commit's sync costs little, few enough that their bytes need little memory.
    var batch = 64
    /// From so many mails on other threads decide and record while this one fetches.
    var pipelined = 16

    /// - Parameter opened: the folder's UIDVALIDITY where the session has it open: then only what came since is asked for, a round trip less.
    func run<Stream: ByteStream & ~Copyable>(
        _ session: inout Session<Stream>, opened: UIDValidity? = nil
    ) throws -> PassSummary {
        let key = FolderKey(mailbox: mailbox, folder: folder)
        let cursor = try store.mailboxes.cursor(of: key)
        let selected = try opened == nil ? session.examine(FolderName(folder)) : nil
        guard let validity = opened ?? selected?.uidValidity else {
            return PassSummary(mailbox: mailbox, folder: folder)
        }
        let plan = SyncPlan(
            cursor: cursor, uidValidity: validity, uidNext: selected?.uidNext, isEmpty: selected?.exists == 0,
            domains: intake.profiles.senderDomains,
            since: try since(cursor, validity, key))
        var summary = PassSummary(mailbox: mailbox, folder: folder, selected: selected)
        if let cursor, cursor.uidValidity != validity.rawValue {
            summary.renumbered = (cursor.uidValidity, validity.rawValue)
        }
        var wanted = UIDSet()
        var redeciding: Set<Outcome> = []
        let due = try store.mailboxes.dueRetries(of: key, uidValidity: plan.end.uidValidity)
        // A mail may have been seen before its bank was known: the server matches parts of names.
        let known = cursor?.uidValidity == plan.end.uidValidity ? cursor?.nextUID ?? 1 : 1
        for search in plan.searches {
            let isOlder = (search.first?.rawValue ?? 1) < known
            let found = try session.search(search)
            if isOlder { redeciding = [.unclaimed] }
            let recorded = try store.mailboxes.recordedUIDs(
                of: key, uidValidity: plan.end.uidValidity, from: search.first?.rawValue ?? 1,
                besides: isOlder ? .unclaimed : nil)
            wanted.formUnion(found.subtracting(UIDSet(recorded.lazy.compactMap { UID($0) })))
        }
        wanted.formUnion(UIDSet(due.lazy.compactMap { UID($0) }))
        let last = wanted.last?.rawValue
        summary.found = wanted.count
        if hasOtherFolders || cursor.map({ $0.uidValidity != validity.rawValue }) ?? false {
            try leaveOutCopies(&wanted, &session, validity, &summary)
        }
        progress(PassProgress(mailbox: mailbox, folder: folder, done: 0, total: wanted.count))
        var reached = cursor
        for part in parts(of: wanted, session) {
            let (pace, before) = (Pace(session), summary.worked)
            try fetch(
                part, &session, &reached, plan.end, redeciding: redeciding, &summary, of: wanted.count)
            if compresses, !session.isNear, pace.isSlow(session, besides: summary.worked - before) {
                try session.compress()
            }
        }
        try store.mailboxes.giveUp(
            due.filter { UID($0).map(summary.missing.contains) ?? true }, of: key, uidValidity: plan.end.uidValidity,
            reason: "the mail is no longer on the server")
        var end = plan.end
        if let last, last >= end.nextUID { end.nextUID = last == .max ? last : last + 1 }
        if end != reached { try store.mailboxes.setCursor(end, of: key) }
        try rescan(&session, upTo: end, &summary)
        return summary
    }

    /// From when on mail is wanted that was never asked for, seconds since 1970.
    ///
    /// After a new UIDVALIDITY everything is asked for again from where the last numbering was left, however long ago that was: the daemon
    /// may have been away for longer than the first pass looks back.
    private func since(_ cursor: FolderCursor?, _ validity: UIDValidity, _ key: FolderKey) throws -> Int64 {
        let span = Int64(sinceDays) * 86_400
        let usual = Clock.now - span
        guard let cursor, cursor.uidValidity != validity.rawValue, let left = try store.mailboxes.cursorMoved(of: key)
        else {
            return usual
        }
        return min(usual, left - span)
    }

    /// Fetches and records, one commit a batch, in order. The cursor moves with the commit, only behind what the server has answered in full.
    ///
    /// - Parameters:
    ///   - end: where the cursor stands when everything is done.
    ///   - redeciding: outcomes of recorded mails that are decided again.
    func fetch<Stream: ByteStream & ~Copyable>(
        _ wanted: UIDSet, _ session: inout Session<Stream>,
        _ cursor: inout FolderCursor?, _ end: FolderCursor, redeciding: Set<Outcome>, _ summary: inout PassSummary,
        of total: Int? = nil
    ) throws {
        var counted = PassSummary(mailbox: mailbox, folder: folder)
        counted.done = summary.done
        var last = cursor
        let isEmpty = wanted.isEmpty
        let validity = end.uidValidity
        let known = cursor?.uidValidity == validity ? cursor : nil
        let key = FolderKey(mailbox: mailbox, folder: folder)
        var intake = intake
        if let rules, !isEmpty { intake.categories = try rules.current() }
        var pacing = FetchPacing()
        pacing.batch = batch
        let isCareful = caution.isCareful(in: key)
        if isCareful { (pacing.batch, pacing.commands) = (1, 1) }
        var through: UInt32 = 0
        // Of the batches answered so far.
        var missing = UIDSet()
        var limit = downloadLimit.map { DownloadLimit(store: store, mailbox: mailbox, bytesPerDay: $0) }
        let before = session.receivedBytes
        defer { limit?.ended(received: session.receivedBytes - before) }
        if !isEmpty { try limit?.check() }
        let line = PassLine(
            workers: wanted.count < pipelined ? 0 : PassLine.usualWorkers, intake: intake,
            store: store, key: key, uidValidity: validity, redeciding: redeciding
        ) { commit in
            last = commit.batches.last?.reached ?? last
            for row in commit.rows where row.isNew || row.was != nil { counted.outcomes[row.outcome, default: 0] += 1 }
            counted.changed += commit.rows.count { $0.was != nil }
            for batch in commit.batches { counted.missing.formUnion(batch.missing) }
            counted.done += commit.entries + commit.batches.reduce(0) { $0 + $1.missing.count }
            progress(PassProgress(mailbox: mailbox, folder: folder, done: counted.done, total: total ?? wanted.count))
            try limit?.check()
        }
        do {
            defer { line.end() }
            try session.fetch(
                wanted, pacing: pacing,
                each: { fetched in
                    let begun = ContinuousClock.now
                    defer { counted.worked += ContinuousClock.now - begun }
                    limit?.took(UInt64(fetched.bytes.count))
                    try line.take(PassLine.Mail(fetched))
                },
                done: { batch in
                    let begun = ContinuousClock.now
                    defer { counted.worked += ContinuousClock.now - begun }
                    through = batch.through.rawValue
                    missing.formUnion(batch.missing)
                    let reached = FolderCursor(
                        uidValidity: validity,
                        nextUID: max(
                            known?.nextUID ?? 1,
                            min(through == .max ? through : through + 1, missing.first?.rawValue ?? .max)),
                        searchedDomains: known?.searchedDomains ?? end.searchedDomains)
                    try line.close(PassLine.Batch(batch, reached: reached))
                })
            let begun = ContinuousClock.now
            try line.finish()
            counted.worked += ContinuousClock.now - begun
            caution.passed(in: key)
        } catch let error as IMAPError where error.mayBeAMail {
            // What the server has answered in full is in the ledger first.
            try line.finish()
            if let next = wanted.first(where: { $0.rawValue > through }) {
                try suspect(next, error, end)
            }
            throw error
        }
        try lookForMissing(of: &counted, &session, validity)
        cursor = last
        summary.outcomes.merge(counted.outcomes, uniquingKeysWith: +)
        summary.done = counted.done
        summary.changed += counted.changed
        summary.worked += counted.worked
        summary.missing.formUnion(counted.missing)
    }
}

extension FolderPass {
    /// Mails that the server did not hand out although it said OK: gone since the search, as a rule. Those that it still lists are recorded as failed, so that
    /// they are asked for again; until that is known the cursor does not pass them.
    private func lookForMissing<Stream: ByteStream & ~Copyable>(
        of counted: inout PassSummary, _ session: inout Session<Stream>, _ validity: UInt32
    ) throws {
        guard let first = counted.missing.first, let last = counted.missing.last else { return }
        let listed = try session.search(SearchCriteria(first: first, through: last))
        let withheld = counted.missing.intersection(listed)
        if withheld.isEmpty { return }
        let entries = withheld.map { uid in
            intake.failedEntry(
                at: Intake.Place(mailbox: mailbox, folder: folder, uidValidity: validity, uid: uid.rawValue),
                reason: "the server lists this mail and does not hand it out")
        }
        for row in try store.recording.record(entries) where row.isNew {
            counted.outcomes[row.outcome, default: 0] += 1
        }
        counted.missing = counted.missing.subtracting(withheld)
    }

    /// The connection ended before `uid` had come. Where it is the mail that ends it, it is put aside.
    private func suspect(_ uid: UID, _ error: IMAPError, _ end: FolderCursor) throws {
        let key = FolderKey(mailbox: mailbox, folder: folder)
        guard caution.ended(at: uid, in: key) else { return }
        let place = Intake.Place(mailbox: mailbox, folder: folder, uidValidity: end.uidValidity, uid: uid.rawValue)
        _ = try store.recording.record([
            intake.failedEntry(at: place, reason: "the connection ends whenever this mail is fetched: \(error.what)")
        ])
        caution.passed(in: key)
    }
}
