import DurableFiles
import Glibc
import Ingest
import Logging
import Processes
import Profiles
import Review
import Settings
import Store

/// Examines everything that a start of the daemon needs, with the functions of the start, and changes nothing. The
/// exception is a refresh token that the server replaces at a login: the former one is no longer valid.
struct SetupCheck {
    /// Connects to no server.
    let isOffline: Bool
    let logger = Logger(label: "spendwised")

    /// The findings in the order of their dependence: without a configuration nothing else can be examined.
    func findings(config: String) async -> [Finding] {
        let settings: Settings
        do { settings = try Settings(path: config) } catch {
            return [.failed("configuration", error), MachineCheck.clock()]
        }
        let (added, problems) = Self.added(settings)
        let count = settings.mailboxes.count + settings.maildirs.count + added.count
        let sources = "\(config), \(count) mailbox\(count == 1 ? "" : "es")"
        let configuration: Finding = count > 0 ? .ok("configuration", sources) : .warning("configuration", sources)
        async let mailboxes = mailboxes(settings.mailboxes + added)
        async let local = onThread {
            [
                Self.profiles(settings), Self.ledger(settings), Self.integrity(settings), Self.backup(settings),
                MachineCheck.disk(FilePlace.folder(of: settings.database)), MachineCheck.clock(),
            ].compactMap(\.self)
        }
        let maildirs = settings.maildirs.flatMap { Self.folders(MaildirCheck.folders(of: $0), of: $0.name) }
        return await [configuration] + problems + local + mailboxes + maildirs
    }

    /// The mailboxes that were added on the page, if this user may read their file.
    private static func added(_ settings: Settings) -> ([MailboxSettings], [Finding]) {
        guard let place = AddedMailboxes(ledger: settings.database) else { return ([], []) }
        do {
            let (mailboxes, problems) = try place.read(beside: settings)
            return (mailboxes, problems.map { .failed("mailbox \($0.name ?? "of the page")", $0.error) })
        } catch {
            return ([], [.failed("mailboxes of the page", error)])
        }
    }

    /// Loads every profile, also those that the daemon loads with the first mail of a bank.
    private static func profiles(_ settings: Settings) -> Finding {
        do {
            let set = try ProfileSet(settings)
            let banks = set.banks.count
            if let fault = set.leftOut.first {
                return .warning("profiles", "\(banks) banks; an activated template is left out: \(fault)")
            }
            return banks > 0 ? .ok("profiles", "\(banks) banks") : .warning("profiles", "no bank is known")
        } catch {
            return .failed("profiles", error)
        }
    }

    private static func ledger(_ settings: Settings) -> Finding {
        let path = settings.database
        guard access(path, F_OK) == 0 else {
            return access(FilePlace.folder(of: path), W_OK) == 0
                ? .warning("ledger", "\(path) does not exist; the first start makes it")
                : Finding(level: .failed, subject: "ledger", detail: "\(path) cannot be made by this user")
        }
        do {
            _ = try Store(path: path, readOnly: true)
        } catch  where error.kind == .olderSchema {
            return .warning("ledger", "\(error)")
        } catch {
            return .failed("ledger", error)
        }
        guard access(path, W_OK) == 0 else {
            return Finding(
                level: .failed, subject: "ledger", detail: "\(path) may be read but not written by this user")
        }
        return .ok("ledger", path)
    }

    /// The result of the last check of the file, which the ingest role makes.
    private static func integrity(_ settings: Settings) -> Finding? {
        let last = CheckRecord(of: settings.database)
        guard let checkedAt = last.checkedAt else { return nil }
        guard let defect = last.defects.first else { return .ok("integrity", "checked at \(checkedAt)") }
        return Finding(
            level: .failed, subject: "integrity",
            detail:
                "\(settings.database) is damaged (\(defect)), found at \(checkedAt): \(CheckRecord.remedy)"
        )
    }

    /// The newest backup; `nil` if none is expected.
    private static func backup(_ settings: Settings) -> Finding? {
        let state = BackupState(of: settings.database, configured: settings.backupDays)
        if state.isOutdated { return .warning("backup", state.outdatedSentence) }
        return state.newest.map { .ok("backup", "made at \($0.madeAt): \($0.file)") }
    }

    /// In parallel; in the order of the configuration.
    private func mailboxes(_ mailboxes: [MailboxSettings]) async -> [Finding] {
        await withTaskGroup(of: (Int, [Finding]).self, returning: [Finding].self) { group in
            for (index, mailbox) in mailboxes.enumerated() {
                group.addTask { await onThread { (index, mailboxFindings(mailbox)) } }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.flatMap(\.1)
        }
    }

    private func mailboxFindings(_ mailbox: MailboxSettings) -> [Finding] {
        let check = MailboxCheck(mailbox, logger: logger)
        let credential = "credential \(mailbox.name)"
        let login = "login \(mailbox.name)"
        do {
            if isOffline {
                try check.readSecrets()
                return [.ok(credential, "is readable")]
            }
            let secret = try check.credential()
            do {
                let folders = try check.folders(secret)
                return [
                    .ok(credential, "is readable"), .ok(login, "\(mailbox.user) at \(mailbox.host):\(mailbox.port)"),
                ]
                    + Self.folders(folders, of: mailbox.name)
            } catch {
                return [.ok(credential, "is readable"), .failed(login, error)]
            }
        } catch {
            return [.failed(credential, error)]
        }
    }

    private static func folders(_ folders: [MailboxCheck.Folder], of mailbox: String) -> [Finding] {
        folders.map { folder in
            let subject = "folder \(mailbox)/\(folder.name)"
            switch folder.messages {
            case .success(let count): return .ok(subject, "\(count) message\(count == 1 ? "" : "s")")
            case .failure(let fault): return .failed(subject, fault)
            }
        }
    }
}
