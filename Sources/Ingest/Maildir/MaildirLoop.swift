import Chronology
import Glibc
public import IMAP
public import InternetMessage
import Ledger
import Logging
public import Settings
import Store

/// A Maildir, watched by its own thread: inotify announces each delivered message, and a poll finds what it
/// misses.
public final class MaildirLoop: MailboxWatcher {
    public let settings: MaildirSettings
    private let context: MailboxContext
    private let logger: Logger
    private let health: HealthReporter
    public let wake = Wake()
    public var name: String { settings.name }
    public var folders: [String] { settings.folders }

    /// Seconds between two checks for a missing Maildir: it may be mounted at any time, and a check is cheap.
    private static let missingInterval = 10
    /// The time for which a file that was created in `new` or `cur` itself, instead of being moved or linked there, may
    /// still be written.
    private static let writingTime = Duration.milliseconds(500)

    public init(settings: MaildirSettings, context: MailboxContext) {
        (self.settings, self.context) = (settings, context)
        health = HealthReporter(
            mailbox: settings.name, probeSeconds: Int64(settings.pollSeconds), freshSeconds: context.freshSeconds,
            store: context.store, states: context.states)
        logger = context.logger(of: settings.name)
    }

    public func runOnce() throws {
        var first: (any Error)?
        let reader = MailReader()
        report(.reading)
        for folder in settings.folders {
            do {
                if let fault = try readAll(MaildirFolder(folder, of: settings), reader) { first = first ?? fault }
            } catch {
                first = first ?? error
            }
        }
        report(.stopped, first.map { String(describing: $0) })
        if let first { throw first }
    }

    public func run() {
        var failures = 0
        while !wake.isStopped {
            do {
                try watch { failures = 0 }
                continue
            } catch {
                guard !wake.isStopped else { break }
                failures += 1
                let reason = String(describing: error)
                if failures == 1 {
                    logger.error(
                        "mailbox cannot be read",
                        metadata: ["reason": "\(reason)", "retry.seconds": "\(Self.missingInterval)"])
                }
                report(.waiting, reason, attempts: failures, pause: Double(Self.missingInterval))
                _ = wake.wait(until: .after(.seconds(Self.missingInterval)))
            }
        }
        report(.stopped)
    }

    /// Watches until a stop, or until a folder appears, disappears or is replaced.
    private func watch(completed: () -> Void) throws {
        report(.connecting)
        let reader = MailReader()
        var view = try MaildirView(settings)
        var isFirst = true
        while !view.isReplaced(settings) {
            try readChanged(&view, reader)
            if wake.isStopped { return }
            completed()
            report(.watching, view.reason, answered: true)
            if isFirst { logger.info("watching", metadata: ["inotify": "\(view.notices != nil)"]) }
            isFirst = false
            guard try waitForChange(&view, reader) else { return }
        }
    }

    /// Reads the folders that changed, or all of them.
    ///
    /// - Throws: the first fault if no folder can be read.
    private func readChanged(_ view: inout MaildirView, _ reader: MailReader) throws {
        var unreadable: [MaildirFault] = []
        for index in view.folders.indices where view.isDue(index) {
            report(.reading, answered: true)
            // Taken before reading, so that a change in between is seen by the next pass.
            let before = view.folders[index].stamps
            do {
                view.wasRead(index, before, fault: try readAll(view.folders[index], reader)?.description)
            } catch let fault as MaildirFault {
                unreadable.append(fault)
                view.wasRead(index, nil, fault: fault.description)
            }
        }
        view.readsAll = false
        view.hasUnreadable = !unreadable.isEmpty
        if !wake.isStopped, unreadable.count == view.folders.count, let fault = unreadable.first { throw fault }
    }

    /// Waits and reads files as they arrive, until the folders are to be read again.
    ///
    /// - Returns: false after a stop, or if a folder is gone.
    private func waitForChange(_ view: inout MaildirView, _ reader: MailReader) throws -> Bool {
        var deadline = Deadline.after(
            .seconds(view.isWhole ? settings.pollSeconds : min(settings.pollSeconds, Self.missingInterval)))
        while true {
            if !view.pending.isEmpty { deadline = min(deadline, .after(Self.writingTime)) }
            let event = wait(view.notices?.descriptor ?? -1, until: deadline)
            if wake.isStopped { return false }
            switch event {
            case .woken:
                view.readsAll = true
                return true
            case .timedOut where view.pending.isEmpty: return true
            case .timedOut:
                try read(view.pending, view.folders, reader)
                view.pending = []
                deadline = .after(.seconds(settings.pollSeconds))
            case .noticed:
                guard let files = view.arrivedFiles() else { return false }
                if view.readsAll { return true }
                try read(files, view.folders, reader)
            }
        }
    }

    private enum Event { case woken, noticed, timedOut }

    private func wait(_ descriptor: Int32, until deadline: Deadline) -> Event {
        while true {
            var waiting = [descriptor, wake.wakeDescriptor, wake.stopDescriptor].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            poll(&waiting, 3, deadline.milliseconds())
            if wake.isStopped || wake.consume() { return .woken }
            if waiting[0].revents != 0 { return .noticed }
            if deadline.isPast { return .timedOut }
        }
    }

    /// Faults of a folder of which some files were read.
    private struct Partial: Error, CustomStringConvertible {
        var faults: [String]
        var description: String {
            faults.first.map { $0 + (faults.count > 1 ? ", and \(faults.count - 1) more files" : "") }
                ?? "a mail was moved while it was to be read"
        }
    }

    /// Reads a whole folder.
    private func readAll(_ folder: MaildirFolder, _ reader: MailReader) throws -> Partial? {
        // A file that is renamed in between has its new name at once.
        for _ in 0..<3 {
            let summary = try pass(folder).run(reader)
            if summary.done > 0 { summary.log(to: logger) }
            if !summary.isPartial { return nil }
            if !summary.faults.isEmpty { return Partial(faults: summary.faults) }
        }
        return nil
    }

    /// Reads files that have just arrived.
    private func read(_ files: [MaildirFolder.File], _ folders: [MaildirFolder], _ reader: MailReader) throws {
        for folder in folders {
            let own = files.filter { $0.path.hasPrefix(folder.new + "/") || $0.path.hasPrefix(folder.cur + "/") }
            if own.isEmpty { continue }
            let summary = try pass(folder).run(own, reader)
            if summary.done > 0 { summary.log(to: logger) }
            if summary.isPartial { wake.wake() }
        }
    }

    private func pass(_ folder: MaildirFolder) throws -> MaildirPass {
        var intake = context.intake(settings.authentication)
        intake.rules = try context.rules.current()
        var pass = MaildirPass(
            store: context.store, intake: intake, mailbox: settings.name, folder: folder,
            since: UnixTime.now - Int64(settings.sinceDays) * 86_400)
        pass.isStopped = { [wake] in wake.isStopped }
        pass.progress = { [self] step in
            report(.reading, answered: true)
            context.progress(step)
        }
        return pass
    }

    /// - Parameters:
    ///   - answered: the folder has just been read.
    ///   - pause: seconds until the next attempt.
    private func report(
        _ state: MailboxHealth.State, _ reason: String? = nil, answered: Bool = false, attempts: Int = 0,
        pause: Double? = nil
    ) {
        // The pass itself reports a database that cannot be written.
        try? health.report(state, reason, answered: answered, attempts: attempts, pause: pause)
    }

    public func followClock() { health.followClock() }
}

extension AuthenticationPolicy {
    /// The policy that a mailbox of the configuration names.
    public init(_ authentication: MailboxSettings.Authentication) {
        self =
            switch authentication {
            case .authservID(let id, let forwarders): .pinned(authservID: id, forwarders: forwarders)
            case .trustDelivery: .trustDelivery
            case .verify(let id, let forwarders): .verified(authservID: id, forwarders: forwarders)
            }
    }
}
