import Access
import ArgumentParser
import Chronology
import Console
import Glibc
import Settings
import Store

/// The passphrase of the web page.
struct PassphraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passphrase", abstract: "Set or remove the passphrase or PIN of the web page.",
        subcommands: [Set.self, Remove.self])

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract:
                "Ask for a passphrase twice, without showing it, and store its hash. Every login and passkey ends.",
            discussion:
                "If standard input is not a terminal, its first line is the passphrase. For one of several users: 'parserctl user passphrase'."
        )
        @OptionGroup var locations: Locations

        func run() async throws {
            try orExit {
                let store = try locations.store(readOnly: false)
                let user = try store.access.onlyUser()
                try NewPassphrase.set(of: user, isOnly: true, in: store)
                Output.line(
                    "The passphrase is set and valid at once. Every login has ended, and every passkey is removed.")
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove the passphrase: no login to the page is possible. Tokens stay valid.")
        @OptionGroup var locations: Locations

        func run() async throws {
            try orExit {
                let store = try locations.store(readOnly: false)
                let now = UnixTime.now
                let user = try store.access.onlyUser()
                let isSet = user.hasPassphrase
                try store.access.setLoginSecret(nil, of: user.id, at: now)
                if isSet {
                    try store.audit.append(
                        AuditEvent(at: now, event: "passphrase removed", who: AccessNames.operatorName))
                }
                Output.line(
                    isSet
                        ? "The passphrase is removed with every passkey, and every login has ended."
                        : "No passphrase was set.")
            }
        }
    }
}

/// A passphrase from the terminal, or from the first line of standard input.
enum NewPassphrase {
    /// - Parameter isOnly: true if there is no other user, whose name the audit log then leaves out.
    static func set(of user: UserRow, isOnly: Bool, in store: Store) throws {
        let passphrase = try ask()
        if let weakness = PassphraseRules.weakness(of: passphrase) {
            throw Refused(
                "this passphrase is not accepted: \(weakness)\nThree or four unrelated words are easy to remember.")
        }
        guard let hash = PassphraseHash(of: passphrase) else {
            throw Refused("the passphrase cannot be hashed: not enough memory")
        }
        try store.write { store in
            try store.access.setLoginSecret(hash.text, of: user.id, at: .now)
            try store.audit.append(.byOperator("passphrase set" + (isOnly ? "" : ": \(user.name)")))
        }
    }

    private static func ask() throws -> String {
        guard isatty(STDIN_FILENO) == 1 else {
            guard let line = readLine() else {
                throw Refused("standard input has no passphrase")
            }
            return line
        }
        let first = try HiddenInput.line("New passphrase or PIN: ")
        guard try HiddenInput.line("Once more: ") == first else {
            throw Refused("the two passphrases differ; nothing was changed")
        }
        return first
    }
}

extension AccessRepository {
    /// The user of a household of one.
    ///
    /// - Throws: `Refused` if there are several.
    func onlyUser() throws -> UserRow {
        let users = try users()
        guard users.count == 1, let user = users.first else {
            throw Refused(
                "there are \(users.count) users: use 'parserctl user passphrase NAME', and 'parserctl user list' for their names"
            )
        }
        return user
    }

    /// The named user; without a name, the oldest owner.
    ///
    /// - Throws: `Refused` for an unknown name.
    func user(option name: String?) throws -> UserRow {
        guard let name else { return try firstOwner() }
        guard let user = try user(named: name) else {
            throw Refused("there is no user named '\(name)': 'parserctl user list' shows all")
        }
        return user
    }
}
