import Chronology
import IMAP
import Ledger
import Profiles
import Store

/// One read of one folder on a server: plans, discovers new messages, skips copies, transfers the rest, and advances
/// the cursor.
struct FolderPass {
    let store: Store
    let intake: Intake
    let key: FolderKey
    /// Number of days that the first pass searches back.
    let sinceDays: Int
    /// Replaces the categories of `intake` before the first message is decided.
    var rules: RulesInForce?
    /// Copies of a message may have been recorded from another folder.
    var hasOtherFolders = false
    /// Requests compression on a slow connection.
    var compresses = false
    var progress: (PassProgress) -> Void = { _ in }
    var caution = FetchCaution()
    /// Bytes of mail in 24 hours; `nil`: unlimited.
    var downloadLimit: UInt64?
    /// Messages per commit. A larger batch needs fewer disk syncs and more memory.
    var batch = 64
    /// Minimum number of messages that are decided and recorded by other threads during the fetch.
    var parallelThreshold = 16

    init(store: Store, intake: Intake, key: FolderKey, sinceDays: Int) {
        (self.store, self.intake, self.key, self.sinceDays) = (store, intake, key, sinceDays)
    }

    /// - Parameter opened: the folder's UIDVALIDITY if the session has it open. Only newer messages are then searched,
    ///   which saves a round trip.
    func run<Stream: ByteStream & ~Copyable>(
        _ session: inout Session<Stream>, opened: UIDValidity? = nil
    ) throws -> PassSummary {
        let plan = try plan(&session, opened: opened)
        var state = PassState(plan: plan, recorder: recorder(for: plan))
        var wanted = try discover(plan, &session, &state)
        let last = wanted.last
        state.summary.found = wanted.count
        if hasOtherFolders || plan.isRenumbered { try skipCopies(&wanted, &session, &state) }
        try transfer(wanted, plan, &session, &state)
        try giveUpRetries(plan, state)
        let end = try advanceCursor(plan, past: last, state)
        try rescan(&session, upTo: end, &state.summary)
        try mark(plan, &session)
        return state.summary
    }

    private func plan<Stream: ByteStream & ~Copyable>(
        _ session: inout Session<Stream>, opened: UIDValidity?
    ) throws -> PassPlan {
        var cursor = try store.mailboxes.cursor(of: key)
        let selected = opened == nil ? try session.examine(FolderName(key.folder)) : nil
        guard let validity = opened ?? selected?.uidValidity else { throw Self.noNumbering }
        var folder = SyncPlan.Folder(
            uidValidity: validity, uidNext: selected?.uidNext, isEmpty: selected?.exists == 0)
        if let selected, let known = cursor, known.uidValidity == validity.rawValue {
            let numbering = try numbering(of: selected, known, &session)
            folder.searchedBelow = numbering.searchedBelow
            if !numbering.keepsRows {
                cursor = try store.mailboxes.setAsideNumbering(validity.rawValue, of: key)
            }
        }
        return PassPlan(
            key: key, selected: selected, cursor: cursor, folder: folder,
            sync: SyncPlan(
                cursor: cursor, folder, domains: intake.profiles.senderDomains, since: try since(cursor, folder)),
            retries: UIDSet(
                try store.mailboxes.dueRetries(of: key, uidValidity: validity.rawValue).lazy.compactMap { UID($0) }))
    }

    private static let noNumbering = IMAPError(
        .malformed, scope: .folder, retry: .later, what: "the folder has no UIDVALIDITY")

    private func recorder(for plan: PassPlan) -> FolderRecorder {
        FolderRecorder(store: store, key: key, uidValidity: plan.uidValidity, intake: intake)
    }

    /// The instant from which messages that were never searched are wanted.
    ///
    /// After a new numbering the search begins where the last one was left, at any age: the daemon may have been
    /// away for longer than the first pass looks back.
    private func since(_ cursor: FolderCursor?, _ folder: SyncPlan.Folder) throws -> UnixTime {
        let span = Int64(sinceDays) * 86_400
        let usual = UnixTime.now - span
        guard let cursor, cursor.uidValidity != folder.uidValidity.rawValue || folder.searchedBelow == 0,
            let left = try store.mailboxes.cursorMoved(of: key)
        else { return usual }
        return min(usual, left - span)
    }

    /// Searches the folder.
    ///
    /// - Returns: the messages without a row, and those whose next attempt is due.
    private func discover<Stream: ByteStream & ~Copyable>(
        _ plan: PassPlan, _ session: inout Session<Stream>, _ state: inout PassState
    ) throws -> UIDSet {
        var wanted = plan.retries
        for search in plan.sync.searches {
            let first = search.first ?? .min
            let found = try session.search(search)
            // Below the cursor a message may have been recorded before its bank was known: the server matches parts of
            // names.
            let isOlder = search.through.map { $0 < plan.firstNewUID } ?? false
            if isOlder { state.recorder.redeciding = [.unclaimed] }
            let recorded = try store.mailboxes.recordedUIDs(
                of: key, uidValidity: plan.uidValidity.rawValue, from: first.rawValue,
                besides: isOlder ? .unclaimed : nil)
            wanted.formUnion(found.subtracting(UIDSet(recorded.lazy.compactMap { UID($0) })))
        }
        return wanted
    }

    /// Fetches and records, as a whole or, if compression may pay, first a trial and then the rest.
    private func transfer<Stream: ByteStream & ~Copyable>(
        _ wanted: UIDSet, _ plan: PassPlan, _ session: inout Session<Stream>, _ state: inout PassState
    ) throws {
        state.total = wanted.count
        progress(state.progress)
        if wanted.isEmpty { return }
        if let rules { state.recorder.intake.rules = try rules.current() }
        for part in parts(of: wanted, session) {
            let (pace, worked) = (Pace(session), state.summary.worked)
            try fetch(part, &session, &state)
            if compresses, !session.isNear, pace.isSlow(session, besides: state.summary.worked - worked) {
                try session.compress()
            }
        }
    }

    /// Ends the attempts at messages that no longer exist.
    private func giveUpRetries(_ plan: PassPlan, _ state: PassState) throws {
        try store.mailboxes.giveUp(
            plan.retries.intersection(state.summary.missing).map(\.rawValue), of: key,
            uidValidity: plan.uidValidity.rawValue, reason: "the mail is no longer on the server")
    }

    private func advanceCursor(_ plan: PassPlan, past last: UID?, _ state: PassState) throws -> FolderCursor {
        var end = plan.sync.end
        if let last, last.rawValue >= end.nextUID { end.nextUID = last.next.rawValue }
        if end != state.cursor { try store.mailboxes.setCursor(end, of: key) }
        return end
    }
}

/// The work of a pass, derived from the ledger and the server.
struct PassPlan {
    let key: FolderKey
    /// `nil` if the session had the folder open.
    let selected: Selected?
    /// The cursor before the pass; `nil` on the first pass.
    let cursor: FolderCursor?
    let folder: SyncPlan.Folder
    let sync: SyncPlan
    /// Failed messages whose next attempt is due.
    let retries: UIDSet

    var uidValidity: UIDValidity { folder.uidValidity }

    /// The numbering marks of the last pass are still right, and no message has come since.
    var keepsMarks: Bool { !isRenumbered && folder.searchedBelow == folder.uidNext?.rawValue }

    var isRenumbered: Bool { cursor.map { $0.uidValidity != uidValidity.rawValue } ?? false }

    /// Every UID below it was searched before.
    var firstNewUID: UID { cursor.flatMap { isRenumbered ? nil : UID($0.nextUID) } ?? .min }
}
