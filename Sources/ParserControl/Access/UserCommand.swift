import Access
import ArgumentParser
import Chronology
import Codecs
import Store

/// The members of the household who use the web page.
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "The users of the web page and their roles.",
        discussion: """
            With one user, the login asks for the passphrase only; with several, for a name, too. An owner may do everything, an editor changes the \
            books, a reader sees them. The page adds editors and readers; owners are made here.
            """,
        subcommands: [
            Listing.self, Add.self, SetRole.self, Passphrase.self, Disable.self, Enable.self, Remove.self, Rename.self,
        ], defaultSubcommand: Listing.self)

    struct Listing: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "Show the users, oldest first.")
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.read { options.show(try $0.access.users(), as: .users) }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add a user.",
            discussion: "'parserctl user passphrase NAME' sets the passphrase; without one, nobody can log in as NAME.")
        @Argument(help: "A unique name, for the login and the history.")
        var name: String
        @Option(help: "owner, editor or reader. (default: reader)", transform: { try choice($0, "a role") })
        var role: Role?
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.write { store in
                try AccessNames.check(name)
                let role = role ?? .reader
                let user = try store.write { store in
                    let user = try store.access.addUser(named: name, role, at: .now)
                    try store.audit.append(.byOperator("user added: \(user.name) (\(role.rawValue))"))
                    return user
                }
                options.show(
                    user.json, "\(user.name) is added: 'parserctl user passphrase \(user.name)' sets a passphrase")
                let all = try store.access.users()
                if all.count == 2, let first = all.first {
                    options.note("From now on the login asks for a name. That of the first user is '\(first.name)'.")
                }
            }
        }
    }

    struct SetRole: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "role", abstract: "Change the role of a user, from the next request on.")
        @Argument(help: "As 'parserctl user list' shows it.")
        var name: String
        @Argument(help: "owner, editor or reader.", transform: { try choice($0, "a role") })
        var role: Role
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try UserCommand.change(named: name, options, "role changed", detail: " (\(role.rawValue))") {
                try $0.access.setRole(role, ofUser: $1.id)
            } text: {
                "\($0.name) is \(role == .reader ? "a" : "an") \(role.rawValue)"
            }
        }
    }

    struct Passphrase: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "passphrase",
            abstract: "Set or remove the passphrase of a user. Every login and passkey of the user ends.",
            discussion: "If standard input is not a terminal, its first line is the passphrase.")
        @Argument(help: "As 'parserctl user list' shows it.")
        var name: String
        @Flag(help: "Remove it: nobody can log in as this user.")
        var remove = false
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.write { store in
                let user = try store.access.user(option: name)
                if remove {
                    try store.write { store in
                        try store.access.setLoginSecret(nil, of: user.id, at: .now)
                        try store.audit.append(.byOperator("passphrase removed: \(user.name)"))
                    }
                } else {
                    try NewPassphrase.set(of: user, isOnly: false, in: store)
                }
                options.show(
                    (try store.access.user(user.id) ?? user).json,
                    "The passphrase of \(user.name) is \(remove ? "removed" : "set"). Every login and passkey of \(user.name) has ended."
                )
            }
        }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable",
            abstract: "Disable a user: every login, passkey and token ends, and none begins.")
        @Argument(help: "As 'parserctl user list' shows it.")
        var name: String
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try UserCommand.change(named: name, options, "user disabled") {
                try $0.access.disableUser($1.id, at: .now)
            } text: {
                "\($0.name) is disabled: every login, passkey and token has ended"
            }
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "enable", abstract: "Enable a user. The passphrase is valid again; tokens are not.")
        @Argument(help: "As 'parserctl user list' shows it.")
        var name: String
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try UserCommand.change(named: name, options, "user enabled") {
                try $0.access.enableUser($1.id)
            } text: {
                "\($0.name) is enabled"
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a user with all access. The history keeps the name.")
        @Argument(help: "As 'parserctl user list' shows it.")
        var name: String
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try UserCommand.change(named: name, options, "user removed") {
                try $0.access.removeUser($1.id)
            } text: {
                "\($0.name) is removed"
            }
        }
    }

    struct Rename: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename", abstract: "Rename a user, also in the history.")
        @Argument(help: "As 'parserctl user list' shows it.")
        var name: String
        @Argument(help: "The new name.")
        var new: String
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try AccessNames.check(new)
            try UserCommand.change(named: name, options, "user renamed", detail: " to \(new)") {
                try $0.access.renameUser($1.id, to: new)
            } text: {
                "\(name) is named \($0.name) now"
            }
        }
    }

    /// Changes one user, with an event in the audit log in the same transaction.
    fileprivate static func change(
        named name: String, _ options: LedgerOptions, _ event: String, detail: String = "",
        _ body: (WriteTransaction, UserRow) throws -> UserRow, text: (UserRow) -> String
    ) throws {
        try options.write { store in
            let user = try store.write { store in
                let user = try store.access.user(option: name)
                let changed = try body(store, user)
                try store.audit.append(.byOperator("\(event): \(user.name)\(detail)"))
                return changed
            }
            options.show(user.json, text(user))
        }
    }
}

extension RowFormat where Row == UserRow {
    static var users: RowFormat {
        RowFormat(
            empty: "no users", object: \.json,
            columns: [
                .left("name") { $0.name }, .left("role") { $0.role.rawValue },
                .left("state") { $0.isEnabled ? $0.hasPassphrase ? "enabled" : "no passphrase" : "disabled" },
                .left("since") { $0.created.map { $0.day().description } ?? "the beginning" },
            ])
    }
}

extension UserRow {
    var json: JSON {
        .object([
            ("id", .integer(id)), ("name", .string(name)), ("role", .string(role.rawValue)),
            ("has_passphrase", .bool(hasPassphrase)), ("created_at", JSON(describing: created)),
            ("disabled_at", JSON(describing: disabled)),
        ])
    }
}
