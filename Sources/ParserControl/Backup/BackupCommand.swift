import ArgumentParser
import Backup
import Chronology
import Codecs
import Console
import DurableFiles
import Settings
import Store

/// Makes, proves and rotates backups of the ledger.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Back up the ledger while it is in use, and prove backups.",
        discussion: """
            A backup is one .tgz file with a manifest and a snapshot of the whole ledger. It has the mails that were retained and the digests of tokens: \
            keep it where others cannot read it, or encrypt it with --encrypt. The mail passwords and the configuration are not part of it.
            """,
        subcommands: [Create.self, Portable.self, Verify.self, Listing.self], defaultSubcommand: Create.self)

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Write a backup and prove that it can be restored.")
        @Argument(help: "The new file. Default: one in --directory, named by the time.")
        var file: String?
        @Option(help: "A folder for backups that are named by the time.")
        var directory: String?
        @Option(help: "Keep this number of backups in --directory and remove older ones. Default: all.")
        var keep: Int?
        @Flag(help: "Encrypt it by a passphrase, in the format of age(1).")
        var encrypt = false
        @OptionGroup var passphrase: PassphraseOption
        @OptionGroup var options: LedgerOptions

        func validate() throws {
            guard (file == nil) != (directory == nil) else {
                throw ValidationError("name either the new file or a folder with --directory")
            }
            guard keep == nil || directory != nil else { throw ValidationError("--keep needs --directory") }
            guard keep ?? 1 >= 1 else { throw ValidationError("--keep is at least 1") }
        }

        func run() async throws {
            try options.read { store in
                let now = UnixTime.now
                let secret = encrypt ? try passphrase.forWriting() : nil
                let folder = directory.map(BackupFolder.init)
                let path = file ?? folder?.file(at: now, isEncrypted: encrypt) ?? ""
                store.noteCopy(encrypt ? "backup: encrypted" : "backup")
                Terminal.progress("copying the ledger")
                let manifest = try BackupFile.write(
                    store, to: path, at: now, appVersion: ProgramVersion.number, passphrase: secret)
                Terminal.progress(nil)
                // A backup that was never opened proves nothing.
                Terminal.progress("checking the backup")
                let place = encrypt ? store.path : path
                _ = try BackupFile.open(
                    path, unpackingIn: FileReplacement(place, mode: .kept).folder, passphrase: secret)
                Terminal.progress(nil)
                note(BackupRecord(madeAt: now, file: path), of: store.path)
                let removed = try keep.flatMap { try folder?.keepNewest($0) } ?? []
                options.show(
                    .object([
                        ("file", .string(path)), ("manifest", manifest.json),
                        ("removed", .array(removed.map(JSON.string))),
                    ]),
                    "\(path): \(manifest.summary)" + (removed.isEmpty ? "" : "; \(removed.count) older removed"))
            }
        }

        /// Records the backup for `status` and `/health`; a user who may only read the ledger cannot.
        private func note(_ backup: BackupRecord, of ledger: String) {
            do { try backup.write(of: ledger) } catch {
                Output.error("parserctl: the backup is complete, but its time was not recorded: \(error)")
            }
        }
    }

    struct Portable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "json",
            abstract: "Write the ledger as JSON, which other programs can read and 'restore' takes.",
            discussion:
                "It has every row of people and mailboxes, without the bytes of mails, tokens, logins and paired devices."
        )
        @Argument(help: "The new file.")
        var file: String
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.read { store in
                store.noteCopy("backup: json")
                try PortableFile.write(store, to: file, at: .now, appVersion: ProgramVersion.number)
                // A backup that was never opened proves nothing.
                let manifest = try BackupFile.open(file, unpackingIn: FileReplacement(file, mode: .kept).folder)
                    .manifest
                options.show(
                    .object([("file", .string(file)), ("manifest", manifest.json)]), "\(file): \(manifest.summary)")
            }
        }
    }

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Prove that a backup can be restored: unpack it, compare the digests, check the whole ledger.")
        @Argument(help: "The backup.")
        var file: String
        @Flag(help: "Print JSON.")
        var json = false
        @OptionGroup var passphrase: PassphraseOption

        func run() async throws {
            try orExit {
                let secret = try passphrase.forReading(file)
                Terminal.progress("unpacking and checking")
                let manifest = try BackupFile.open(
                    file, unpackingIn: TemporaryPath.folder, passphrase: secret
                ).manifest
                Terminal.progress(nil)
                Output.line(json ? manifest.json.text : "\(file): complete and restorable, \(manifest.summary)")
            }
        }
    }

    struct Listing: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Show the backups in a folder, the newest first.")
        @Argument(help: "The folder.")
        var directory: String

        func run() async throws {
            try orExit { for file in try BackupFolder(directory).files() { Output.line(file) } }
        }
    }
}

extension BackupManifest {
    /// One line for people.
    var summary: String {
        "\(rows["transactions"] ?? 0) transactions and \(rows["processed_emails"] ?? 0) mails at \(createdAt)"
    }
}
