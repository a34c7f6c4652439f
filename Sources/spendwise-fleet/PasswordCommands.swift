import ArgumentParser
import Console
import Fleet
import Glibc

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
        let isTerminal = isatty(STDIN_FILENO) == 1
        guard
            let password = isTerminal
                ? try HiddenInput.line("Password of mailbox \(mailbox) of \(household): ") : readLine()
        else { throw Refused("standard input has no password") }
        try table.set(SealedPassword(Array(password.utf8), for: place, to: key), for: place)
    }
}

struct ResealCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reseal", abstract: "Seal all passwords anew, to the present public key.",
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
