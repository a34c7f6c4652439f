import Glibc
import IMAP
import InternetMessage
import Ledger
import Profiles
import Store

/// One look at one folder of a Maildir: every file that was not looked at yet is, and a bank's mail is decided and recorded. The counterpart of
/// `FolderPass`; the header of each file takes the place of the server's search.
struct MaildirPass {
    let store: Store
    let intake: Intake
    let mailbox: String
    let folder: MaildirFolder
    /// Seconds since 1970: how far back the first pass looks.
    let since: Int64
    let progress: (PassProgress) -> Void
    let isStopped: () -> Bool

    /// Files per commit, of mails that are recorded and of files that are only noted.
    static let batch = 64
    static let noted = 4096

    private var key: FolderKey { FolderKey(mailbox: mailbox, folder: folder.name) }

    /// Looks at the whole folder.
    func run(_ reader: MailReader) throws -> PassSummary {
        var files = try folder.files()
        let cursor = try store.mailboxes.cursor(of: key)
        let seen = try store.maildirs.examined(in: key)
        let domains = Set(intake.profiles.senderDomains)
        let added = cursor.map { domains.subtracting($0.searchedDomains) } ?? []
        let due = Set(try store.mailboxes.dueRetries(of: key).map { MaildirFolder.File.id($0) })
        var summary = PassSummary(mailbox: mailbox, folder: folder.name)
        let present = Set(files.lazy.map(\.id))
        try store.maildirs.forget(seen.filter { !present.contains($0) }, in: key)
        for id in due where !present.contains(id) {
            let place = UInt64(bitPattern: id)
            try store.mailboxes.giveUp(
                [UInt32(truncatingIfNeeded: place)], of: key, uidValidity: UInt32(truncatingIfNeeded: place >> 32),
                reason: "the file is no longer there")
        }
        let known = Set(seen)
        if added.isEmpty { files.removeAll { known.contains($0.id) && !due.contains($0.id) } }
        files = files.compactMap { file -> MaildirFolder.File? in
            var file = file
            return file.stamp() ? file : nil
        }
        if cursor == nil {
            // What lies before the first pass is looked at when somebody asks for it.
            let old = files.filter { $0.time < since }.map(\.id)
            _ = try store.recording.record([], noting: .looked(at: old, in: key))
            files.removeAll { $0.time < since }
            try store.mailboxes.setCursor(FolderCursor(uidValidity: 0, nextUID: 1, searchedDomains: domains), of: key)
        } else if !added.isEmpty {
            files.removeAll { known.contains($0.id) && $0.time < since && !due.contains($0.id) }
        }
        // Of files that were looked at before, only what may be from a bank that is new.
        let isWanted = { (file: MaildirFolder.File, domain: String) in
            !known.contains(file.id) || due.contains(file.id) || added.contains(domain)
        }
        try take(files, reader, redeciding: [], isWanted, &summary)
        if !isStopped(), cursor != nil, cursor?.searchedDomains.isSuperset(of: domains) == false {
            try store.mailboxes.setCursor(
                FolderCursor(uidValidity: 0, nextUID: 1, searchedDomains: domains.union(cursor?.searchedDomains ?? [])),
                of: key)
        }
        try rescan(reader, &summary)
        return summary
    }

    /// Looks at single files that have just come.
    func run(_ paths: [MaildirFolder.File], _ reader: MailReader) throws -> PassSummary {
        var summary = PassSummary(mailbox: mailbox, folder: folder.name)
        var files: [MaildirFolder.File] = []
        for var file in paths where try !store.maildirs.isExamined(file.id, in: key) {
            if file.stamp() { files.append(file) }
        }
        try take(files, reader, redeciding: [], { _, _ in true }, &summary)
        return summary
    }

    private func rescan(_ reader: MailReader, _ summary: inout PassSummary) throws {
        for request in try store.rescans.requests(of: key) where !isStopped() {
            let domains = Set(intake.profiles.domains(ofBank: request.bank))
            if domains.isEmpty { continue }
            let since = request.since.flatMap(Day.init(iso:)).map { Int64($0.daysSince1970) * 86_400 } ?? .min
            var looked = PassSummary(mailbox: mailbox, folder: folder.name)
            let files = try folder.files().compactMap { file -> MaildirFolder.File? in
                var file = file
                return file.stamp() && file.time >= since ? file : nil
            }
            try take(files, reader, redeciding: Outcome.redecidable, { domains.contains($1) }, &looked)
            if isStopped() { return }
            try store.rescans.finish(request.id, lookedAt: looked.done, changed: looked.outcomes.values.reduce(0, +))
            summary.found += looked.found
            summary.done += looked.done
            summary.changed += looked.changed
            summary.outcomes.merge(looked.outcomes, uniquingKeysWith: +)
        }
    }

    /// Reads files in the order of their delivery and commits what they are together with their names.
    private func take(
        _ unordered: [MaildirFolder.File], _ reader: MailReader, redeciding: Set<Outcome>,
        _ isWanted: (MaildirFolder.File, String) -> Bool,
        _ summary: inout PassSummary
    ) throws {
        let files = unordered.sorted { ($0.time, $0.path) < ($1.time, $1.path) }
        var entries: [MailEntry] = []
        var names: [Int64] = []
        func commit() throws {
            if names.isEmpty { return }
            for row in try store.recording.record(entries, redeciding: redeciding, noting: .looked(at: names, in: key))
            where row.isNew || row.was != nil {
                summary.outcomes[row.outcome, default: 0] += 1
                if row.was != nil { summary.changed += 1 }
            }
            summary.done += entries.count
            entries.removeAll(keepingCapacity: true)
            names.removeAll(keepingCapacity: true)
        }
        for (index, file) in files.enumerated() {
            if isStopped() { break }
            do {
                if let entry = try entry(of: file, reader, isWanted) { entries.append(entry) }
                names.append(file.id)
            } catch let fault as ArchiveFault {
                // Renamed at this moment: it is found under its other name. One that stays unreadable is shown, and tried at every look.
                if access(file.path, F_OK) == 0 { summary.faults.append(fault.description) }
                summary.isPartial = true
            }
            if entries.count >= Self.batch || names.count >= Self.noted { try commit() }
            if index % Self.batch == 0 {
                progress(PassProgress(mailbox: mailbox, folder: folder.name, done: index, total: files.count))
            }
        }
        try commit()
        summary.found = summary.done
        progress(PassProgress(mailbox: mailbox, folder: folder.name, done: files.count, total: files.count))
    }

    /// `nil` where it is not from a bank.
    private func entry(
        of file: MaildirFolder.File, _ reader: MailReader, _ isWanted: (MaildirFolder.File, String) -> Bool
    ) throws -> MailEntry? {
        var entry: MailEntry?
        let (validity, uid) = file.place
        let place = Intake.Place(mailbox: mailbox, folder: folder.name, uidValidity: validity, uid: uid)
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
