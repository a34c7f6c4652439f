import Chronology
import IMAP
import InternetMessage
import Ledger
import Logging
import Profiles
import Settings
import Store

/// One connection: every folder is read, then one is watched and the others are polled.
///
/// Not one connection per folder: providers allow few (Gmail 15 for all programs of a person), and in the second folder
/// of a mailbox, where alerts are filed, seconds do not count. IDLE announces mail in the open folder at once; STATUS
/// every half minute finds it in the others, in one round trip.
///
/// A health report that cannot be written ends nothing here: a pass detects that the database is unavailable.
extension MailboxLoop {
    /// - Parameter watching: continues until a fault or a stop; otherwise returns when every folder has been read.
    func read<Stream: ByteStream & ~Copyable>(
        _ session: inout Session<Stream>, watching: Bool, _ attempt: inout Attempt
    ) throws {
        let folders = try session.folders(named: settings.folders)
        var view = View(folders: folders, nextStatus: .after(statusInterval))
        var due = Set(folders)
        var isFirst = true
        while true {
            try? health.report(.reading, answered: true, newMail: view.hasNewMail)
            let intake = context.intake(settings.authentication)
            try readFolders(due, &session, intake, &view, &attempt)
            if !watching {
                if let fault = folders.compactMap({ view.marks.faults[$0] }).first { throw fault }
                return
            }
            attempt.hasReadAll = true
            guard let watched = folders.first(where: { view.marks.faults[$0] == nil }) else {
                throw folders.compactMap { view.marks.faults[$0] }.first ?? Self.noFolders
            }
            // Opening it finds what arrived while the others were open.
            if view.open?.folder != watched { try pass(watched, &session, intake, &view) }
            if isFirst { logger.info("watching", metadata: ["idle": "\(session.capabilities.idle)"]) }
            isFirst = false
            due = view.open == nil ? [watched] : try wait(watched, &session, &view, &attempt)
            if wake.isStopped { return }
        }
    }

    /// The state of the folders in one connection.
    struct View {
        let folders: [String]
        var marks = FolderMarks()
        /// The folder that the session has open.
        var open: (folder: String, uidValidity: UIDValidity)?
        var nextStatus: Deadline
        /// Time at which each readable folder is examined again, regardless of the server's announcements.
        var reopen: [String: Deadline] = [:]
        /// The server announced mail that has not been read yet.
        var hasNewMail = false

        /// The faults of folders that cannot be read, for health.
        var reason: String? {
            let faults = folders.compactMap { marks.faults[$0]?.description }
            return faults.isEmpty ? nil : faults.joined(separator: " | ")
        }

        func needsReopening(_ folder: String) -> Bool { reopen[folder]?.isPast ?? false }
    }

    private static let noFolders = IMAPError(
        .invalidRequest, retry: .afterReconfiguration, what: "the mailbox has no folders")

    /// Reads the folder at which the last connection ended after the others, so that it does not block them.
    private func readFolders<Stream: ByteStream & ~Copyable>(
        _ due: Set<String>, _ session: inout Session<Stream>, _ intake: Intake, _ view: inout View,
        _ attempt: inout Attempt
    ) throws {
        let folders = view.folders
        let order =
            folders.firstIndex { $0 == attempt.endedAt }.map { folders[($0 + 1)...] + folders[...$0] } ?? folders[...]
        for folder in order where due.contains(folder) {
            attempt.endedAt = folder
            try pass(folder, &session, intake, &view)
            attempt.endedAt = nil
        }
    }

    private func pass<Stream: ByteStream & ~Copyable>(
        _ folder: String, _ session: inout Session<Stream>, _ intake: Intake, _ view: inout View
    ) throws {
        var pass = FolderPass(
            store: context.store, intake: intake, key: FolderKey(mailbox: settings.name, folder: folder),
            sinceDays: settings.sinceDays)
        (pass.rules, pass.caution, pass.downloadLimit) = (context.rules, caution, settings.downloadLimit)
        (pass.hasOtherFolders, pass.compresses) = (view.folders.count > 1, settings.compress == .auto)
        pass.progress = { [self] step in
            try? health.report(.reading, answered: true)
            context.progress(step)
        }
        do {
            let opened = view.open?.folder == folder && !view.needsReopening(folder) ? view.open?.uidValidity : nil
            let summary = try pass.run(&session, opened: opened)
            if let selected = summary.selected {
                view.marks.wasRead(folder, selected)
                view.open = (folder, selected.uidValidity)
                view.reopen[folder] = .after(reopenInterval)
            }
            if let (before, now) = summary.renumbered {
                logger.notice(
                    "folder was numbered anew and is read again",
                    metadata: ["folder": "\(folder)", "uidvalidity": "\(before) \(now)"])
            }
            if summary.found > 0 { summary.log(to: logger) }
        } catch let error as IMAPError where error.scope == .folder && !session.isOver {
            // A folder that is gone does not block the others.
            logger.error("folder cannot be read", metadata: ["folder": "\(folder)", "reason": "\(error)"])
            view.marks.failed(folder, error)
            (view.open, view.reopen[folder]) = (nil, nil)
        }
    }

    /// Waits for new mail and keeps the connection alive.
    ///
    /// - Returns: the folders to read; all of them after a wake.
    private func wait<Stream: ByteStream & ~Copyable>(
        _ watched: String, _ session: inout Session<Stream>, _ view: inout View, _ attempt: inout Attempt
    ) throws -> Set<String> {
        let others = view.folders.filter { $0 != watched }
        var due: Set<String> = []
        view.hasNewMail = false
        try? health.report(.watching, view.reason, answered: true)
        while due.isEmpty {
            switch try idle(hasOthers: !others.isEmpty, &session, view, &attempt) {
            case .changed:
                due.insert(watched)
                view.hasNewMail = true
            case .woken: return wake.isStopped ? [] : Set(view.folders)
            case .doubtful:
                view.open = nil
                return Set(view.folders)
            case .renewed: due.formUnion(view.folders.filter(view.needsReopening))
            }
            if !others.isEmpty, view.nextStatus.isPast {
                let statuses = try session.status(of: others.map { FolderName($0) })
                for (folder, status) in zip(others, statuses) where view.marks.needsReading(folder, status) {
                    due.insert(folder)
                    view.hasNewMail = true
                }
                view.nextStatus = .after(statusInterval)
            }
            if due.isEmpty { try? health.report(.watching, view.reason, answered: true) }
        }
        return due
    }

    /// One IDLE, until the next STATUS or EXAMINE is due.
    private func idle<Stream: ByteStream & ~Copyable>(
        hasOthers: Bool, _ session: inout Session<Stream>, _ view: View, _ attempt: inout Attempt
    ) throws -> IdleOutcome {
        var slice = attempt.renewal.interval
        if let reopen = view.reopen.values.min() { slice = min(slice, max(reopen.remaining, .milliseconds(100))) }
        if hasOthers { slice = min(slice, statusInterval) }
        let idled = Deadline.after(slice)
        do throws(IMAPError) {
            let outcome = try session.waitForChange(renewAfter: slice, poll: .seconds(settings.pollSeconds))
            if outcome == .renewed, idled.isPast { attempt.renewal.survived() }
            return outcome
        } catch {
            // Without a BYE: the connection was dead, and only the probe, or the kernel's, showed it.
            if error.kind == .timedOut || (error.kind == .closed && idled.isPast) { attempt.renewal.died() }
            throw error
        }
    }
}

extension Session where Stream: ~Copyable {
    /// Replaces special uses (`\All`) by the names of the folders on this server.
    mutating func folders(named names: [String]) throws -> [String] {
        var folders: [String] = []
        for name in names {
            var folder = name
            if name.hasPrefix("\\") {
                guard let found = try self.folder(for: name) else {
                    throw IMAPError(
                        .refused, retry: .afterReconfiguration,
                        what: "\(peer) marks no folder as \(ServerText.clean(name))",
                        remedy: "name the folder itself, as the mail program shows it")
                }
                folder = found.name
            }
            if !folders.contains(folder) { folders.append(folder) }
        }
        return folders
    }
}
