import Access
import ArgumentParser
import Chronology
import Console
import Fleet
import Glibc
import Settings
import Store

/// The first access to a household's page and API; further tokens, devices and users are made on the page.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Make a token for a household's API and print it, as 'parserctl token add' does.",
        discussion: "It is the household's: no other host accepts it. Send it as 'Authorization: Bearer TOKEN'.")
    @OptionGroup var file: FleetFile
    @Argument(help: "The name of the household.") var household: String
    @Argument(help: "A unique name of the token, such as 'phone'.") var name: String
    @Option(help: "read, write, review, calendar, shortcut, admin (which includes the others), with commas.")
    var scope = "read"
    @Option(help: "Whose it is: it can do no more than the user. (default: the first owner)") var user: String?
    @Option(help: "Its lifetime in days.") var days: Int64 = 365

    func validate() throws {
        guard Scopes(scope) != nil else { throw ValidationError("'\(scope)' names no scope: see --help") }
        guard (1...36_500).contains(days) else { throw ValidationError("--days is a number from 1 to 36500") }
        guard (1...64).contains(name.count), name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else { throw ValidationError("use a name of 1 to 64 printable characters") }
    }

    func run() throws {
        guard let scopes = Scopes(scope) else { return }
        let credential = Credential.random(.token)
        try file.withLedger(of: household) { ledger in
            let now = UnixTime.now
            let owner = try ledger.access.enabledUser(user)
            try ledger.write { ledger in
                try ledger.access.add(
                    AccessToken(
                        id: credential.id, name: name, user: owner.id, digest: credential.digest,
                        scopes: scopes.description, created: now
                    ) {
                        $0.expires = now + days * 86_400
                    })
                try ledger.audit.append(
                    AuditEvent(at: now, event: "token added: \(name) (\(scopes))", who: Self.operatorName))
            }
        }
        Output.line(credential.text)
    }

    /// For the audit log.
    static var operatorName: String { "spendwise-fleet \(getuid())" }
}

struct PassphraseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passphrase",
        abstract: "Set the passphrase of a user's page, from the first line of standard input.",
        discussion: "Every login and passkey of the user ends.")
    @OptionGroup var file: FleetFile
    @Argument(help: "The name of the household.") var household: String
    @Option(help: "The user. (default: the first owner)") var user: String?

    func run() throws {
        guard isatty(STDIN_FILENO) == 0, let passphrase = readLine() else {
            throw FleetError("standard input has no passphrase: pass it by a pipe, so that no terminal shows it")
        }
        if let weakness = PassphraseRules.weakness(of: passphrase) {
            throw FleetError("this passphrase is not accepted: \(weakness)")
        }
        guard let hash = PassphraseHash(of: passphrase) else {
            throw FleetError("the passphrase cannot be hashed: not enough memory")
        }
        try file.withLedger(of: household) { ledger in
            let (user, now) = (try ledger.access.enabledUser(user), UnixTime.now)
            try ledger.write { ledger in
                try ledger.access.setLoginSecret(hash.text, of: user.id, at: now)
                try ledger.audit.append(
                    AuditEvent(at: now, event: "passphrase set: \(user.name)", who: TokenCommand.operatorName))
            }
        }
    }
}

extension AccessRepository {
    /// The named user; without a name, the oldest owner.
    fileprivate func enabledUser(_ name: String?) throws -> UserRow {
        guard let name else { return try firstOwner() }
        guard let found = try user(named: name) else { throw FleetError("there is no user named '\(name)'") }
        guard found.isEnabled else { throw FleetError("the user '\(name)' is disabled") }
        return found
    }
}

extension FleetFile {
    /// Calls `body` with a copy of a household's ledger, which is removed afterwards. What it writes is the
    /// household's.
    fileprivate func withLedger(of household: String, _ body: (Store) throws -> Void) throws {
        let households = Households(try read().database())
        guard let found = try households.find(household) else {
            throw FleetError("there is no household '\(household)'")
        }
        try LedgerFolder.with { folder in
            try body(
                households.copy(of: found.id) { _, primary, rows in
                    try Store(copy: folder + "/ledger.db", of: primary, rows: rows)
                })
        }
    }
}
