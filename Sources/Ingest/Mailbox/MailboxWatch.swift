import IMAP
import InternetMessage
import Ledger
import Logging
import Profiles
import Settings
import Store

/// What happens in one connection: every folder is read, then one is watched and the others are asked about.
///
/// Why one connection and not one a folder: providers allow few (Gmail 15 for all programs of a person), and the second folder of a
/// mailbox is where alerts are filed, not where seconds count. IDLE tells of the open folder at once; of the others a STATUS every
/// half minute tells, one round trip for all of them.
///
/// A note on health that cannot be written ends nothing here: a pass finds out by itself when the database is gone.
extension MailboxLoop {
    /// How soon new mail in a folder that is not open is seen.
    public static let lookAtOthers = Duration.seconds(30)
    /// How soon the open folder is opened anew though the server told of nothing: it may have been replaced or numbered anew, and some servers tell
    /// of no mail.
    public static let lookAnew = Duration.seconds(900)
    /// - Parameter watching: goes on until a fault or a stop; otherwise returns when every folder was read.
    func read<Stream: ByteStream & ~Copyable>(
        _ session: inout Session<Stream>, watching: Bool, _ attempt: inout Attempt
    ) throws {
        let folders = try resolve(settings.folders, &session)
        var view = View(folders: folders, nextLook: .after(lookAtOthers))
        var due = Set(folders)
        var hasSaidWatching = false
        while true {
            try? health.say(.reading, answered: true, newMail: view.hasNews)
            var intake = Intake(
                profiles: profiles.current, categories: .empty,
                authentication: AuthenticationPolicy(settings.authentication), autoConfirmAt: autoConfirmAt,
                keepsRaw: keepsRaw)
            intake.keepsSettled = keepsSettled
            // One at which conversations end does not keep the others from being read.
            let order =
                folders.firstIndex { $0 == attempt.endedAt }.map { folders[($0 + 1)...] + folders[...$0] }
                ?? folders[...]
            for folder in order where due.contains(folder) {
                attempt.endedAt = folder
                try pass(folder, &session, intake, &view)
                attempt.endedAt = nil
            }
            if !watching {
                if let fault = folders.compactMap({ view.marks.faults[$0] }).first { throw fault }
                return
            }
            attempt.hasReadAll = true
            guard let watched = folders.first(where: { view.marks.faults[$0] == nil }) else {
                throw folders.compactMap { view.marks.faults[$0] }.first ?? Self.noFolders
            }
            // What came into it while the others were open is read with the opening.
            if view.open?.folder != watched { try pass(watched, &session, intake, &view) }
            if !hasSaidWatching {
                logger.info("watching", metadata: ["idle": "\(session.capabilities.idle)"])
                hasSaidWatching = true
            }
            due = view.open == nil ? [watched] : try wait(watched, &session, &view, &attempt)
            if wake.isStopped { return }
        }
    }

    /// What is known of the folders in one connection.
    struct View {
        let folders: [String]
        var marks = FolderMarks()
        /// The folder that the session has open.
        var open: (folder: String, uidValidity: UIDValidity)?
        var nextLook: Deadline
        /// When the open folder is opened anew.
        var lookAnew = Deadline.after(.zero)
        /// The server told of mail that has not been read yet.
        var hasNews = false

        /// For health: folders that cannot be read.
        var reason: String? {
            let faults = folders.compactMap { marks.faults[$0]?.description }
            return faults.isEmpty ? nil : faults.joined(separator: " | ")
        }
    }

    private static let noFolders = IMAPError(
        .invalidRequest, retry: .afterReconfiguration, what: "the mailbox has no folders")

    /// Folders named by their special use (`\All`) get the name that they have on this server.
    private func resolve<Stream: ByteStream & ~Copyable>(
        _ names: [String], _ session: inout Session<Stream>
    ) throws -> [String] {
        var folders: [String] = []
        for name in names {
            var folder = name
            if name.hasPrefix("\\") {
                guard let found = try session.folder(for: name) else {
                    throw IMAPError(
                        .refused, retry: .afterReconfiguration,
                        what: "\(session.peer) marks no folder as \(ServerText.clean(name))",
                        remedy: "name the folder itself, as the mail program shows it")
                }
                folder = found.name
            }
            if !folders.contains(folder) { folders.append(folder) }
        }
        return folders
    }

    private func pass<Stream: ByteStream & ~Copyable>(
        _ folder: String, _ session: inout Session<Stream>, _ intake: Intake, _ view: inout View
    ) throws {
        let pass = FolderPass(
            store: store, rules: rules, intake: intake, mailbox: settings.name, folder: folder,
            sinceDays: settings.sinceDays,
            hasOtherFolders: view.folders.count > 1, compresses: settings.compress == .auto,
            progress: { [self] step in
                try? health.say(.reading, answered: true)
                progress(step)
            }, caution: caution, downloadLimit: settings.downloadLimit)
        do {
            let opened = view.open?.folder == folder && !view.lookAnew.isPast ? view.open?.uidValidity : nil
            let summary = try pass.run(&session, opened: opened)
            if let selected = summary.selected {
                view.marks.wasRead(folder, selected)
                view.open = (folder, selected.uidValidity)
                view.lookAnew = .after(lookAnew)
            }
            if let (before, now) = summary.renumbered {
                logger.notice(
                    "folder was numbered anew and is read again",
                    metadata: ["folder": "\(folder)", "uidvalidity": "\(before) \(now)"])
            }
            if summary.found > 0 { summary.log(to: logger) }
        } catch let error as IMAPError where error.scope == .folder && !session.isOver {
            // A folder that is gone does not keep the others from being read.
            logger.error("folder cannot be read", metadata: ["folder": "\(folder)", "reason": "\(error)"])
            view.marks.failed(folder, error)
            view.open = nil
        }
    }

    /// Waits until something is to be read, and keeps the connection proved alive.
    ///
    /// - Returns: the folders to read; all of them after a wake.
    private func wait<Stream: ByteStream & ~Copyable>(
        _ watched: String, _ session: inout Session<Stream>, _ view: inout View, _ attempt: inout Attempt
    ) throws -> Set<String> {
        let others = view.folders.filter { $0 != watched }
        var due: Set<String> = []
        view.hasNews = false
        try? health.say(.watching, view.reason, answered: true)
        while due.isEmpty {
            let interval = attempt.renewal.interval
            let slice = others.isEmpty ? interval : min(interval, lookAtOthers)
            let idled = Deadline.after(slice)
            let outcome: IdleOutcome
            do throws(IMAPError) {
                outcome = try session.waitForChange(renewAfter: slice, poll: .seconds(settings.pollSeconds))
            } catch {
                // Nobody said good-bye: the line was dead, and only the probe, or the kernel's, showed it.
                if error.kind == .timedOut || (error.kind == .closed && idled.isPast) { attempt.renewal.died() }
                throw error
            }
            switch outcome {
            case .changed: due.insert(watched)
            case .woken:
                if wake.isStopped { return [] }
                return Set(view.folders)
            case .doubtful:
                view.open = nil
                return Set(view.folders)
            case .renewed:
                if idled.isPast { attempt.renewal.survived() }
                if view.lookAnew.isPast { return [watched] }
            }
            if !others.isEmpty, view.nextLook.isPast {
                let statuses = try session.status(of: others.map { FolderName($0) })
                for (folder, status) in zip(others, statuses) where view.marks.needsReading(folder, status) {
                    due.insert(folder)
                }
                view.nextLook = .after(lookAtOthers)
            }
            if due.isEmpty { try? health.say(.watching, view.reason, answered: true) }
        }
        view.hasNews = true
        return due
    }
}
