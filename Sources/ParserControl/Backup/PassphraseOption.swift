import ArgumentParser
import Backup
import Console
import Glibc
import Settings

/// The passphrase of an encrypted backup: from a file or the terminal, never from an argument or the environment, which
/// other processes can read.
struct PassphraseOption: ParsableArguments {
    @Option(help: "The file whose first line is the passphrase of an encrypted backup. Default: ask.")
    var passphraseFile: String?

    /// The passphrase of a new backup.
    func forWriting() throws -> BackupPassphrase {
        let passphrase = try read(isNew: true)
        guard passphrase.isLongEnough else {
            throw Refused(
                "the passphrase is shorter than \(BackupPassphrase.shortest) characters; four unrelated words are easy to remember"
            )
        }
        return passphrase
    }

    /// The passphrase of an existing backup; `nil` if it needs none.
    func forReading(_ backup: String) throws -> BackupPassphrase? {
        BackupFile.isEncrypted(backup) ? try read(isNew: false) : nil
    }

    private func read(isNew: Bool) throws -> BackupPassphrase {
        if let passphraseFile {
            let secret = try SecretFile(.backupPassphrase, name: SetupPlace.absolute(passphraseFile), folder: "/")
                .read()
            if let passphrase = BackupPassphrase(secret) { return passphrase }
        }
        guard isatty(STDIN_FILENO) == 1 else {
            throw Refused("the passphrase cannot be asked for without a terminal: use --passphrase-file")
        }
        let first = try HiddenInput.line("Passphrase of the backup: ")
        guard try !isNew || HiddenInput.line("Once more: ") == first else {
            throw Refused("the two passphrases differ; nothing was changed")
        }
        guard let passphrase = BackupPassphrase(Array(first.utf8)) else { throw Refused("the passphrase is empty") }
        return passphrase
    }
}
