import Access
import ArgumentParser
import Chronology
import Codecs
import Console
import Glibc
import Store

/// Tokens for programs and devices that use the web side.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Make, list and revoke tokens for programs and devices.",
        subcommands: [Add.self, Listing.self, Revoke.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Make a token and print it. It is shown only once; the ledger has its digest.",
            discussion: "Send it as 'Authorization: Bearer TOKEN'.")
        @Argument(help: "A unique name, such as 'phone' or 'prometheus'.")
        var name: String
        @Option(
            help:
                "read, write, review, calendar, shortcut, admin (which includes the others); several with commas, or by repeating the option. (default: read)"
        )
        var scope: [String] = []
        @Option(help: "Whose it is: it can do no more than the user. (default: the first owner)")
        var user: String?
        @Option(help: "Its lifetime, such as 90d, or never.")
        var expires = "365d"
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try orExit {
                let scopes = try Scopes(options: scope, otherwise: Scopes([.read]))
                try AccessNames.check(name)
                let now = UnixTime.now
                let end = expires == "never" ? nil : now + (try AccessNames.seconds(expires))
                let credential = Credential.random(.token)
                let store = try options.locations.store(readOnly: false)
                let user = try store.access.user(option: user)
                guard user.isEnabled else { throw Refused("the user '\(user.name)' is disabled") }
                try store.access.add(
                    AccessToken(
                        id: credential.id, name: name, user: user.id, digest: credential.digest,
                        scopes: scopes.description, created: now
                    ) {
                        $0.expires = end
                    })
                try store.audit.append(
                    AuditEvent(at: now, event: "token added: \(name) (\(scopes))", who: AccessNames.operatorName))
                try show(credential, scopes, until: end) {
                    _ = try store.access.revokeToken(named: credential.id, at: now)
                    try store.audit.append(
                        AuditEvent(
                            at: now, event: "token revoked: \(name) (could not be shown)", who: AccessNames.operatorName
                        ))
                }
                if Terminal.isTerminal, !options.json {
                    Output.line(
                        "\nThis is the only time that it is shown. Scopes: \(scopes.description), \(end.map { "until \($0.description)" } ?? "until 'parserctl token revoke \(name)'")."
                    )
                }
            }
        }

        /// Writes the token to standard output. The ledger has only its digest, so that a token that could not be
        /// written is of no use to anyone.
        private func show(
            _ credential: Credential, _ scopes: Scopes, until end: UnixTime?, revoke: () throws -> Void
        ) throws {
            let text =
                options.json
                ? JSON.object([
                    ("token", .string(credential.text)), ("id", .string(credential.id)),
                    ("name", .string(name)), ("scopes", .string(scopes.description)),
                    ("expires_at", JSON(describing: end)),
                ]).text : credential.text
            do { try Output.writeAll(Array((text + "\n").utf8)) } catch {
                try revoke()
                throw Refused("\(error); the token was revoked: make another with 'parserctl token add \(name)'")
            }
        }
    }

    struct Listing: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Show all tokens, also revoked and expired ones.")
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.read { store in
                let names = try store.access.users().map { ($0.id, $0.name) }
                options.show(
                    try store.access.tokens(),
                    as: .tokens(at: .now, users: Dictionary(uniqueKeysWithValues: names)))
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Revoke a token. It is refused from its next request on.")
        @Argument(help: "Its name or its id.")
        var name: String
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.write { store in
                let now = UnixTime.now
                let token = try store.access.revokeToken(named: name, at: now)
                try store.audit.append(
                    AuditEvent(at: now, event: "token revoked: \(token.name)", who: AccessNames.operatorName))
                options.show(
                    .object([("id", .string(token.id)), ("name", .string(token.name)), ("state", .string("revoked"))]),
                    "\(token.name) (\(token.id)) is revoked")
            }
        }
    }
}

/// Names and durations of the commands about access.
enum AccessNames {
    /// Checks a name, which appears in tables, in the journal of changes and in the audit log.
    static func check(_ name: String) throws {
        guard (1...64).contains(name.count), name == Terminal.printable(name),
            name.contains(where: { !$0.isWhitespace })
        else {
            throw ValidationError("use a name of 1 to 64 printable characters")
        }
    }

    /// The seconds of `90d`, `12h` or `5m`.
    static func seconds(_ text: String) throws -> Int64 {
        let units: [Character: Int64] = ["m": 60, "h": 3600, "d": 86_400, "y": 31_536_000]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()),
            (1...36_500).contains(count)
        else {
            throw ValidationError("'\(text)' is not a duration: write a number and m, h, d or y, such as 90d")
        }
        return count * unit
    }

    /// The user who runs the command, for the audit log.
    static var operatorName: String {
        guard let entry = getpwuid(getuid()), let name = entry.pointee.pw_name else { return "parserctl \(getuid())" }
        return "parserctl \(String(cString: name))"
    }
}

extension Scopes {
    /// - Parameter options: each names one or more scopes; all of them count.
    init(options: [String], otherwise usual: Scopes) throws {
        guard !options.isEmpty else {
            self = usual
            return
        }
        let names = Scope.allCases.map(\.rawValue).joined(separator: ", ")
        for option in options where Scopes(option) == nil { throw ValidationError("'\(option)' is none of: \(names)") }
        guard let all = Scopes(options.joined(separator: ",")) else {
            throw ValidationError("a scope is one of: \(names)")
        }
        self = all
    }
}

extension AuditEvent {
    /// An action of the person at the terminal, now.
    static func byOperator(_ event: String) -> AuditEvent {
        AuditEvent(at: UnixTime.now, event: event, who: AccessNames.operatorName)
    }
}

extension RowFormat where Row == AccessToken {
    /// - Parameter users: names by number.
    static func tokens(at now: UnixTime, users: [Int64: String]) -> RowFormat {
        func state(_ token: AccessToken) -> String {
            token.revoked != nil ? "revoked" : token.isExpired(at: now) ? "expired" : "good"
        }
        return RowFormat(
            empty: "no tokens; 'parserctl token add NAME' makes one, 'parserctl pair' one for a phone",
            object: { token in
                .object([
                    ("id", .string(token.id)), ("name", .string(token.name)), ("kind", .string(token.kind.rawValue)),
                    ("scopes", .string(token.scopes)), ("state", .string(state(token))),
                    ("user", JSON(users[token.user])),
                    ("created_at", JSON(describing: token.created)),
                    ("expires_at", JSON(describing: token.expires)),
                    ("last_used_at", JSON(describing: token.lastUsed)),
                    ("revoked_at", JSON(describing: token.revoked)),
                ])
            },
            columns: [
                .left("name") { $0.name }, .left("kind") { $0.kind.rawValue }, .left("id") { $0.id },
            ] + (users.count > 1 ? [.left("user") { users[$0.user] ?? "" }] : []) + [
                .left("scopes") { $0.scopes }, .left("state", state), .left("made") { $0.created.description },
                .left("expires") { $0.expires.map(\.description) ?? "never" },
                .left("last used") { $0.lastUsed.map(\.description) ?? "never" },
            ])
    }
}
