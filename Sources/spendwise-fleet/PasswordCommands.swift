import ArgumentParser
import Console
import Fleet
import Glibc
import Settings

struct KeygenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keygen", abstract: "Make a key pair for sealed passwords.",
        discussion: """
            Writes the private key to a new file of mode 0600, for 'key_file' of the workers, and prints the public key, \
            for 'public_key' where passwords are set. Whoever loses the private key sets every password again.
            """)
    @Option(help: "The new file.") var output: String

    func run() throws {
        let key = try BoxPrivateKey()
        try KeyFile(name: output.hasPrefix("/") ? output : "\(Self.workingFolder)/\(output)", folder: "/").create(key)
        Output.line(key.publicKey.text)
    }

    private static var workingFolder: String {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return String(cString: path)
    }
}

struct PasswordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password", abstract: "Store the password of a mailbox, sealed to the public key.",
        discussion: """
            Asks for it without showing it. If standard input is not a terminal, its first line is the password. \
            It replaces 'password_command' for this mailbox.
            """)
    @OptionGroup var file: FleetFile
    @Argument(help: "The name of the household.") var household: String
    @Argument(help: "The name of the mailbox.") var mailbox: String

    func run() throws {
        let fleet = try file.read()
        let key = try fleet.sealingKey()
        let table = PasswordTable(try fleet.database())
        let place = try table.place(household: household, mailbox: mailbox)
        let password = try TypedSecret.read("Password of mailbox \(mailbox) of \(household)")
        try table.set(SealedPassword(Array(password.utf8), for: place, to: key), for: place)
    }
}

struct SecretCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret",
        abstract: "Store the secret of a receiver of notifications or the password of statements, sealed.",
        discussion: """
            The token of ntfy, the signing secret of a webhook, the password of a mail server, or that of a bank's \
            statements. Asks for it without showing it. If standard input is not a terminal, its first line is the \
            secret.
            """)
    @OptionGroup var file: FleetFile
    @Argument(help: "The name of the household.") var household: String
    @Argument(
        help:
            "A receiver in the settings of the household, or the bank of statements: hdfc, or hdfc-3307 with 'account'."
    )
    var name: String

    func run() throws {
        let fleet = try file.read()
        let key = try fleet.sealingKey()
        let stored = Household(name: household, settings: try fleet.households().settings(of: household))
        let settings = try HouseholdSettings.read(stored, database: "ledger.db", fleet)
        let place: SealedPassword.Place
        let secret: [UInt8]
        if let sink = settings.notifications.first(where: { $0.name == name }) {
            place = SealedPassword.Place(household: household, receiver: name, host: sink.host)
            secret = Array(try TypedSecret.read("Secret of receiver \(name) of \(household)").utf8)
            if case .webhook = sink.receiver, WebhookSettings.key(secret) == nil {
                throw Refused("a signing secret is 24 to 64 bytes in Base64: make one with 'openssl rand -base64 32'")
            }
        } else if settings.statements.contains(where: { $0.name == name }) {
            place = SealedPassword.Place(household: household, statement: name)
            secret = Array(try TypedSecret.read("Password of statements \(name) of \(household)").utf8)
        } else {
            throw FleetError(
                "the household '\(household)' has no receiver '\(name)' and no statements of this name: name it with 'set' first"
            )
        }
        try PasswordTable(fleet.database()).set(SealedPassword(secret, for: place, to: key), for: place)
    }
}

/// A secret from the terminal or from standard input.
fileprivate enum TypedSecret {
    static func read(_ question: String) throws -> String {
        let isTerminal = isatty(STDIN_FILENO) == 1
        guard let line = isTerminal ? try HiddenInput.line("\(question): ") : readLine() else {
            throw Refused("standard input has no password")
        }
        return line
    }
}

struct ResealCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reseal", abstract: "Seal all passwords and secrets anew, to the present public key.",
        discussion: "Needs 'key_file' with the private keys of the former ones, and of the new one for the workers.")
    @OptionGroup var file: FleetFile

    func run() throws {
        let fleet = try file.read()
        let key = try fleet.sealingKey()
        guard let keys = fleet.keyFile else {
            throw FleetError("no 'key_file' in the configuration: its private keys open the passwords")
        }
        let (sealed, faults) = try PasswordTable(fleet.database()).sealAll(to: key, with: keys)
        for fault in faults { Output.error("spendwise-fleet: \(fault)") }
        Output.line("\(sealed) sealed anew")
        if !faults.isEmpty { throw ExitCode(1) }
    }
}

extension FleetConfiguration {
    fileprivate func sealingKey() throws -> BoxPublicKey {
        guard let publicKey else {
            throw FleetError("no 'public_key' in the configuration: 'spendwise-fleet keygen' prints one")
        }
        return publicKey
    }
}
