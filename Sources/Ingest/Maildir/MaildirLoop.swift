import Glibc
public import IMAP
public import InternetMessage
import Ledger
public import Logging
public import Settings
public import Store

/// A Maildir, watched for ever by one thread of its own: told by the kernel of each mail that is delivered, and looking by itself from time to time.
public final class MaildirLoop: MailboxWatcher {
    public let settings: MaildirSettings
    private let store: Store
    private let rules: RulesInForce
    private let profiles: ProfilesInForce
    private let autoConfirmAt: Double
    private let keepsRaw: Bool
    private let keepsSettled: SettledKeeping
    private let logger: Logger
    private let progress: @Sendable (PassProgress) -> Void
    private let health: HealthNotes
    public let wake = Wake()
    public var name: String { settings.name }
    public var folders: [String] { settings.folders }

    /// Seconds between looks for a Maildir that is not there: it may be mounted at any time, and looking costs nothing.
    private static let patience = 10
    /// A file that is made in `new` or `cur` itself, and neither moved nor linked there, may be written for so long.
    private static let settling = Duration.milliseconds(500)

    public init(
        settings: MaildirSettings, store: Store, rules: RulesInForce? = nil, profiles: ProfilesInForce,
        autoConfirmAt: Double, keepsRaw: Bool, keepsSettled: SettledKeeping = .nothing, states: MailboxStates,
        logger: Logger, progress: @escaping @Sendable (PassProgress) -> Void
    ) {
        self.settings = settings
        self.store = store
        self.rules = rules ?? RulesInForce(store: store)
        self.profiles = profiles
        self.autoConfirmAt = autoConfirmAt
        self.keepsRaw = keepsRaw
        self.keepsSettled = keepsSettled
        self.progress = progress
        health = HealthNotes(
            mailbox: settings.name, probeSeconds: Int64(settings.pollSeconds), store: store, states: states)
        var logger = logger
        logger[metadataKey: "mailbox"] = "\(settings.name)"
        self.logger = logger
    }

    public func runOnce() throws {
        var first: (any Error)?
        let reader = MailReader()
        report(.reading)
        for folder in settings.folders {
            do {
                if let fault = try look(MaildirFolder(folder, of: settings), reader) { first = first ?? fault }
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
                        metadata: ["reason": "\(reason)", "retry.seconds": "\(Self.patience)"])
                }
                report(.waiting, reason, attempts: failures, pause: Double(Self.patience))
                _ = wake.wait(until: .after(.seconds(Self.patience)))
            }
        }
        report(.stopped)
    }

    /// Until a stop, or until a folder comes, goes or is replaced.
    private func watch(readAll: () -> Void) throws {
        report(.connecting)
        let reader = MailReader()
        let named = settings.folders.map { MaildirFolder($0, of: settings) }
        let identities = named.map(\.identity)
        // One that is not there does not keep the others from being read.
        let folders = named.filter { $0.absence == nil }
        let absence = named.lazy.compactMap(\.absence).first
        if folders.isEmpty, let absence { throw absence }
        var notices = FolderNotices()
        // Watched before it is read, so that no mail comes between.
        notices?.watchPlace(of: settings.path)
        for (index, folder) in folders.enumerated() {
            if folder.path != settings.path { notices?.watchPlace(of: folder.path) }
            for (half, directory) in [folder.new, folder.cur].enumerated() {
                if !(notices?.watch(directory, as: 2 * index + half) ?? false) { notices = nil }
            }
        }
        var stamps: [[Int64]?] = folders.map { _ in nil }
        var faults: [String?] = folders.map { _ in nil }
        var pending: [MaildirFolder.File] = []
        var isAll = true
        var hasSaidWatching = false
        while true {
            // The kernel tells of what was at these paths when they were watched, and of no folder above them.
            if settings.folders.map({ MaildirFolder($0, of: settings).identity }) != identities { return }
            var unreadable: [MaildirFault] = []
            for (index, folder) in folders.enumerated()
            where isAll || stamps[index] == nil || stamps[index] != folder.stamp {
                report(.reading, answered: true)
                // Before the look: what changes meanwhile is seen at the next. A change within the clock's step of the last may not show.
                let stamp = folder.stamp
                let fault: Partial?
                do { fault = try look(folder, reader) } catch let closed as MaildirFault {
                    unreadable.append(closed)
                    (faults[index], stamps[index]) = (closed.description, nil)
                    continue
                }
                faults[index] = fault?.description
                let isSettled = fault == nil && stamp.map { max($0[1], $0[4]) < Clock.now - 2 } ?? false
                stamps[index] = isSettled ? stamp : nil
            }
            isAll = false
            if wake.isStopped { return }
            if unreadable.count == folders.count, let fault = unreadable.first { throw fault }
            readAll()
            report(.watching, absence?.description ?? faults.lazy.compactMap(\.self).first, answered: true)
            if !hasSaidWatching {
                logger.info("watching", metadata: ["inotify": "\(notices != nil)"])
                hasSaidWatching = true
            }
            var deadline = Deadline.after(
                .seconds(
                    absence == nil && unreadable.isEmpty
                        ? settings.pollSeconds : min(settings.pollSeconds, Self.patience)))
            waiting: while true {
                if !pending.isEmpty { deadline = min(deadline, .after(Self.settling)) }
                let event = wait(notices?.descriptor ?? -1, until: deadline)
                if wake.isStopped { return }
                switch event {
                case .woken:
                    isAll = true
                    break waiting
                case .timedOut where pending.isEmpty: break waiting
                case .timedOut:
                    try look(at: pending, folders, reader)
                    pending = []
                    deadline = .after(.seconds(settings.pollSeconds))
                case .noticed:
                    var came: [MaildirFolder.File] = []
                    for notice in notices?.read() ?? [] {
                        switch notice {
                        case .gone: return
                        case .overflow: isAll = true
                        case .begun(let folder, let name): Self.add(name, folder, folders, to: &pending)
                        case .file(let folder, let name):
                            Self.add(name, folder, folders, to: &came)
                            pending.removeAll { $0.id == came.last?.id }
                        }
                    }
                    if isAll { break waiting }
                    try look(at: came, folders, reader)
                }
            }
        }
    }

    private static func add(
        _ name: String, _ number: Int, _ folders: [MaildirFolder], to files: inout [MaildirFolder.File]
    ) {
        let folder = folders[number / 2]
        if let file = MaildirFolder.File(directory: number % 2 == 0 ? folder.new : folder.cur, name: name) {
            files.append(file)
        }
    }

    private enum Event { case woken, noticed, timedOut }

    private func wait(_ descriptor: Int32, until deadline: Deadline) -> Event {
        while true {
            var waiting = [descriptor, wake.wakeDescriptor, wake.stopDescriptor].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            poll(&waiting, 3, deadline.milliseconds())
            if wake.isStopped || wake.take() { return .woken }
            if waiting[0].revents != 0 { return .noticed }
            if deadline.isPast { return .timedOut }
        }
    }

    /// What is wrong with a folder that could be read in part.
    private struct Partial: Error, CustomStringConvertible {
        var faults: [String]
        var isPartial: Bool
        var description: String {
            faults.first.map { $0 + (faults.count > 1 ? ", and \(faults.count - 1) more files" : "") }
                ?? "a mail was moved while it was to be read"
        }
    }

    /// The whole folder.
    private func look(_ folder: MaildirFolder, _ reader: MailReader) throws -> Partial? {
        // A file that is renamed meanwhile is there under its other name at once.
        for _ in 0..<3 {
            let summary = try pass(folder).run(reader)
            if summary.done > 0 { summary.log(to: logger) }
            if !summary.isPartial || !summary.faults.isEmpty {
                return summary.isPartial ? Partial(faults: summary.faults, isPartial: true) : nil
            }
        }
        return nil
    }

    /// Files that have just come.
    private func look(at files: [MaildirFolder.File], _ folders: [MaildirFolder], _ reader: MailReader) throws {
        for folder in folders {
            let mine = files.filter { $0.path.hasPrefix(folder.new + "/") || $0.path.hasPrefix(folder.cur + "/") }
            if mine.isEmpty { continue }
            let summary = try pass(folder).run(mine, reader)
            if summary.done > 0 { summary.log(to: logger) }
            if summary.isPartial { wake.wake() }
        }
    }

    private func pass(_ folder: MaildirFolder) throws -> MaildirPass {
        var intake = Intake(
            profiles: profiles.current, categories: try rules.current(),
            authentication: AuthenticationPolicy(settings.authentication),
            autoConfirmAt: autoConfirmAt, keepsRaw: keepsRaw)
        intake.keepsSettled = keepsSettled
        return MaildirPass(
            store: store, intake: intake, mailbox: settings.name, folder: folder,
            since: Clock.now - Int64(settings.sinceDays) * 86_400,
            progress: { [self] step in
                report(.reading, answered: true)
                progress(step)
            }, isStopped: { [wake] in wake.isStopped })
    }

    /// - Parameters:
    ///   - answered: the folder has just been seen.
    ///   - pause: seconds until the next try.
    private func report(
        _ state: MailboxHealth.State, _ reason: String? = nil, answered: Bool = false, attempts: Int = 0,
        pause: Double? = nil
    ) {
        // A database that cannot be written is reported by the pass itself.
        try? health.say(state, reason, answered: answered, attempts: attempts, pause: pause)
    }

    public func followClock() { health.followClock() }
}

extension AuthenticationPolicy {
    /// As a mailbox of the configuration says it.
    public init(_ authentication: MailboxSettings.Authentication) {
        self =
            switch authentication {
            case .authservID(let id): .pinned(authservID: id)
            case .trustDelivery: .trustDelivery
            }
    }
}
