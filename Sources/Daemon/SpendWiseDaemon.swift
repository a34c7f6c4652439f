public import ArgumentParser
import Settings

/// The `spendwised` command: watches mailboxes and serves the ledger.
public struct SpendWiseDaemon: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "spendwised", abstract: "Turns banks' alert e-mails into a ledger.",
        discussion: """
            Reads IMAP mailboxes over TLS (never changing them), recognizes banks' alerts and writes transactions to SQLite.
            SIGTERM stops within two seconds with nothing lost; SIGHUP reloads the profiles.
            """,
        version: ProgramVersion.text, subcommands: [Run.self, IngestRole.self, WebRole.self, Check.self])

    public init() {}

    /// Runs the command that the command line names. A role first restricts the files of this process to its own, for
    /// which the process must have no second thread yet.
    @MainActor public static func start() async {
        do {
            var command = try parseAsRoot()
            if let role = command as? any RoleCommand {
                RoleFiles.restrict(config: role.file.config, roles: role.roles)
            }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            exit(withError: error)
        }
    }
}

/// A command that runs until the daemon stops.
protocol RoleCommand: AsyncParsableCommand {
    var file: ConfigurationOption { get }
    var roles: Set<Assembly.Role> { get }
}

extension RoleCommand {
    func run() async throws { try await Assembly.start(config: file.config, roles: roles) }
}

struct ConfigurationOption: ParsableArguments {
    @Option(name: .long, help: "The configuration file, see spendwise.yaml(5).")
    var config = InstalledFiles.configuration
}

struct Run: RoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Both roles in one process: watch the mailboxes and serve the web page.")
    @OptionGroup var file: ConfigurationOption
    @Flag(help: "Make one pass over every mailbox, then exit: 0, or 1 if one could not be read to its end.")
    var once = false

    var roles: Set<Assembly.Role> { once ? [.once] : [.ingest, .web] }
}

struct IngestRole: RoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest", abstract: "Watch the mailboxes. Holds the passwords and opens no port.")
    @OptionGroup var file: ConfigurationOption
    @Flag(help: "Make one pass over every mailbox, then exit: 0, or 1 if one could not be read to its end.")
    var once = false

    var roles: Set<Assembly.Role> { once ? [.once] : [.ingest] }
}

struct WebRole: RoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "web", abstract: "Serve the web page and the API. Opens the port and reads no mail password.")
    @OptionGroup var file: ConfigurationOption

    var roles: Set<Assembly.Role> { [.web] }
}
