import Chronology
import Glibc
import IMAP
import InternetMessage
import Ledger
import Profiles
import Store

/// One read of one folder of a Maildir: every new file is read, and a bank's message is decided and recorded. The
/// counterpart of ``FolderPass``; the header of each file replaces the server's search.
struct MaildirPass {
    let store: Store
    let intake: Intake
    let folder: MaildirFolder
    /// The first pass ignores older files.
    let since: UnixTime
    var progress: (PassProgress) -> Void = { _ in }
    var isStopped: () -> Bool = { false }
    private let key: FolderKey

    /// Messages per commit.
    static let batch = 64
    /// File names per commit.
    static let names = 4096

    init(store: Store, intake: Intake, mailbox: String, folder: MaildirFolder, since: UnixTime) {
        (self.store, self.intake, self.folder, self.since) = (store, intake, folder, since)
        key = FolderKey(mailbox: mailbox, folder: folder.name)
    }

    /// Reads the whole folder.
    func run(_ reader: MailReader) throws -> PassSummary {
        let plan = try plan()
        let files = try discover(plan)
        var summary = PassSummary(mailbox: key.mailbox, folder: key.folder)
        // Files that were read before are read again only for a new bank.
        try record(files, reader, &summary) { file, domain in
            plan.isNew(file) || plan.addedDomains.contains(domain)
        }
        if !isStopped(), let cursor = plan.cursor, !cursor.searchedDomains.isSuperset(of: plan.domains) {
            try setCursor(plan.domains.union(cursor.searchedDomains))
        }
        try rescan(reader, &summary)
        return summary
    }

    /// Reads files that have just arrived.
    func run(_ files: [MaildirFolder.File], _ reader: MailReader) throws -> PassSummary {
        var summary = PassSummary(mailbox: key.mailbox, folder: key.folder)
        let new = try files.filter { try !store.maildirs.isExamined($0.id, in: key) }
        try record(new.compactMap(\.stamped), reader, &summary) { _, _ in true }
        return summary
    }

    /// State of the folder in the ledger.
    private struct Plan {
        /// `nil` on the first pass.
        let cursor: FolderCursor?
        /// Files that were read before.
        let known: Set<Int64>
        /// Files of failed messages whose next attempt is due.
        let due: Set<Int64>
        let domains: Set<String>
        /// Sender domains that the known files were not searched for.
        let addedDomains: Set<String>

        func isNew(_ file: MaildirFolder.File) -> Bool { !known.contains(file.id) || due.contains(file.id) }
    }

    private func plan() throws -> Plan {
        let cursor = try store.mailboxes.cursor(of: key)
        let domains = Set(intake.profiles.senderDomains)
        return Plan(
            cursor: cursor, known: Set(try store.maildirs.examined(in: key)),
            due: Set(try store.mailboxes.dueRetries(of: key).map { MaildirFolder.File.id($0) }), domains: domains,
            addedDomains: cursor.map { domains.subtracting($0.searchedDomains) } ?? [])
    }

    /// Lists the files to read, and forgets those that are gone.
    private func discover(_ plan: Plan) throws -> [MaildirFolder.File] {
        var files = try folder.files()
        let present = Set(files.lazy.map(\.id))
        try store.maildirs.forget(plan.known.filter { !present.contains($0) }, in: key)
        for id in plan.due where !present.contains(id) {
            let place = UInt64(bitPattern: id)
            try store.mailboxes.giveUp(
                [UInt32(truncatingIfNeeded: place)], of: key, uidValidity: UInt32(truncatingIfNeeded: place >> 32),
                reason: "the file no longer exists")
        }
        if plan.addedDomains.isEmpty { files.removeAll { !plan.isNew($0) } }
        files = files.compactMap(\.stamped)
        if plan.cursor == nil {
            // Older files are read on request (`parserctl rescan`).
            let old = files.filter { $0.time < since }.map(\.id)
            _ = try store.recording.record([], noting: .examined(old, in: key))
            files.removeAll { $0.time < since }
            try setCursor(plan.domains)
        } else if !plan.addedDomains.isEmpty {
            files.removeAll { !plan.isNew($0) && $0.time < since }
        }
        return files
    }

    /// A Maildir has no UIDs; its cursor only names the domains.
    private func setCursor(_ domains: Set<String>) throws {
        try store.mailboxes.setCursor(FolderCursor(uidValidity: 0, nextUID: 1, searchedDomains: domains), of: key)
    }

    private func rescan(_ reader: MailReader, _ summary: inout PassSummary) throws {
        for request in try store.rescans.requests(of: key) where !isStopped() {
            let domains = Set(intake.profiles.domains(ofBank: request.bank))
            if domains.isEmpty { continue }
            let since = request.since.map { UnixTime($0) - 86_400 } ?? UnixTime(seconds: .min)
            var reread = PassSummary(mailbox: key.mailbox, folder: key.folder)
            let files = try folder.files().compactMap(\.stamped).filter { $0.time >= since }
            try record(files, reader, &reread, redeciding: Outcome.redecidable) { domains.contains($1) }
            if isStopped() { return }
            try store.rescans.finish(request.id, examined: reread.done, changed: reread.outcomes.values.reduce(0, +))
            summary.add(reread, found: reread.found)
        }
    }

    /// Reads files in the order of their delivery. One commit holds messages and the names of their files.
    private func record(
        _ unordered: [MaildirFolder.File], _ reader: MailReader, _ summary: inout PassSummary,
        redeciding: Set<Outcome> = [], _ isWanted: (MaildirFolder.File, String) -> Bool
    ) throws {
        let files = unordered.sorted { ($0.time, $0.path) < ($1.time, $1.path) }
        var entries: [MailEntry] = []
        var names: [Int64] = []
        for (index, file) in files.enumerated() {
            if isStopped() { break }
            do {
                if let entry = try entry(of: file, reader, isWanted) { entries.append(entry) }
                names.append(file.id)
            } catch let fault as ArchiveFault {
                // Renamed in between: it is found under its new name. A file that stays unreadable is reported, and
                // read again by every pass.
                if access(file.path, F_OK) == 0 { summary.faults.append(fault.description) }
                summary.isPartial = true
            }
            if entries.count >= Self.batch || names.count >= Self.names {
                try commit(&entries, &names, redeciding, &summary)
            }
            if index % Self.batch == 0 { progress(index, of: files.count) }
        }
        try commit(&entries, &names, redeciding, &summary)
        summary.found = summary.done
        progress(files.count, of: files.count)
    }

    private func progress(_ done: Int, of total: Int) {
        progress(PassProgress(mailbox: key.mailbox, folder: key.folder, done: done, total: total))
    }

    private func commit(
        _ entries: inout [MailEntry], _ names: inout [Int64], _ redeciding: Set<Outcome>,
        _ summary: inout PassSummary
    ) throws {
        if names.isEmpty { return }
        for row in try store.recording.record(entries, redeciding: redeciding, noting: .examined(names, in: key))
        where row.isNew || row.was != nil {
            summary.outcomes[row.outcome, default: 0] += 1
            if row.was != nil { summary.changed += 1 }
        }
        summary.done += entries.count
        entries.removeAll(keepingCapacity: true)
        names.removeAll(keepingCapacity: true)
    }

    /// `nil` for a message that is not from a bank.
    private func entry(
        of file: MaildirFolder.File, _ reader: MailReader, _ isWanted: (MaildirFolder.File, String) -> Bool
    ) throws -> MailEntry? {
        var entry: MailEntry?
        let (validity, uid) = file.place
        let place = MailLocation(mailbox: key.mailbox, folder: key.folder, uidValidity: validity, uid: uid)
        try reader.readMail(file.path) { header in
            Message(parsing: header).from.contains {
                intake.profiles.bank(ofDomain: $0.domain) != nil && isWanted(file, $0.domain)
            }
        } each: { mail in
            guard mail.isWanted else { return }
            entry = intake.entry(
                for: mail.bytes, at: place, receivedAt: file.time, truncatedFrom: mail.isCut ? mail.size : nil)
        }
        return entry
    }
}
