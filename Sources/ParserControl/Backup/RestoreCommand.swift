import ArgumentParser
import Backup
import Chronology
import Codecs
import Console
import DurableFiles
import Settings
import Store

/// Replaces the ledger by that of a backup.
struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Replace the ledger by that of a backup.",
        discussion: """
            The backup is proved first, compared with the present ledger, and put in its place in one transaction: after an error or a crash the ledger is the \
            old one. Stop spendwised before. The present ledger is saved beside it as LEDGER.before-restore-TIME.tgz, with its audit log, whose newest digest \
            is in the audit log of the restored one. After the next start, mail that \
            arrived since the backup is read again from the mailbox; what people changed since then has to be done again.
            """)
    @Argument(help: "The backup.")
    var file: String
    @Flag(help: "Do not ask.")
    var yes = false
    @OptionGroup var passphrase: PassphraseOption
    @OptionGroup var options: LedgerOptions

    func run() async throws {
        try orExit {
            let path = try options.locations.databasePath()
            let secret = try passphrase.forReading(file)
            Terminal.progress("checking the backup")
            let backup = try BackupFile.open(
                file, unpackingIn: FileReplacement(path, mode: .kept).folder, passphrase: secret)
            Terminal.progress(nil)
            let before = try? present(path)?.figures()
            if !options.json { show(backup.manifest, before, try backup.ledger.figures(), path) }
            if !yes {
                guard try options.confirm("replace the ledger?", unattended: "restore replaces the ledger") else {
                    return Output.line("nothing was changed")
                }
            }
            let saved = try present(path).flatMap { try save($0, beside: path) }
            let isDamaged = !DatabasePath(path).isEmpty && saved == nil
            // Part of what replaces the ledger, so that no crash leaves a restored ledger without it.
            try backup.ledger.audit.append(.byOperator(event(backup.manifest, replacing: present(path))))
            let result = try Restoration.run(backup.ledger, over: path, isDamaged: isDamaged)
            report(result, path, saved)
        }
    }

    /// The present ledger; `nil` if there is none or it cannot be read. It is opened for one step only, because the
    /// replacement needs the sole connection.
    private func present(_ path: String) -> Store? {
        DatabasePath(path).isEmpty ? nil : try? Store(path: path, readOnly: true)
    }

    /// The event of the audit log: the log of the present ledger is replaced too, and goes on in the saved copy. Its
    /// newest digest shows that the copy is whole.
    private func event(_ manifest: BackupManifest, replacing present: Store?) -> String {
        let end = present.flatMap { try? $0.audit.newestDigest() }
        return "ledger restored: backup of \(manifest.createdAt)"
            + (end.map { ", replaced the audit log that ends with \($0)" } ?? "")
    }

    /// - Returns: `nil` for a damaged ledger, whose file is kept instead.
    private func save(_ present: Store, beside path: String) throws -> String? {
        guard present.lastCheck.defects.isEmpty else { return nil }
        let now = UnixTime.now
        let saved = "\(path).before-restore-\(BackupFolder.stamp(now)).tgz"
        do {
            _ = try BackupFile.write(present, to: saved, at: now, appVersion: ProgramVersion.number)
            return saved
        } catch let error as StoreError {
            guard error.kind == .corrupt || error.kind == .notADatabase else { throw error }
            return nil
        }
    }

    private func show(_ manifest: BackupManifest, _ before: LedgerFigures?, _ after: LedgerFigures, _ path: String) {
        var table = Table([("", .left), ("present ledger", .right), ("backup", .right)])
        func row(_ title: String, _ value: (LedgerFigures) -> String) {
            table.add([title, before.map(value) ?? "cannot be read", value(after)])
        }
        for (title, name) in [
            ("transactions", "transactions"), ("mails", "processed_emails"), ("changes by people", "changes"),
            ("mappings", "vendor_mappings"),
        ] { row(title) { "\($0.rows[name] ?? 0)" } }
        row("latest transaction") { $0.lastTransaction?.description ?? "none" }
        row("last mail processed") { $0.lastMail?.description ?? "none" }
        row("last change by a person") { $0.lastChange?.description ?? "none" }
        Output.line("ledger \(path)\nbackup \(file), made at \(manifest.createdAt) by version \(manifest.appVersion)\n")
        table.print()
        Output.line()
    }

    private func report(_ result: Restoration.Result, _ path: String, _ saved: String?) {
        var members: [(String, JSON)] = [("ledger", .string(path)), ("before", JSON(saved))]
        var text = "\(path): restored"
        if let saved { text += "; the former ledger is saved as \(saved)" }
        if case .replacedDamaged(let kept) = result {
            members.append(("damaged", .string(kept)))
            text += "; the damaged file is kept as \(kept)"
        }
        options.show(.object(members), text + "\nStart spendwised again; it reads what arrived since the backup.")
    }
}
