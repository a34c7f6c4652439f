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

    /// Restricts the files of this process to those of the role that the command line names. Does nothing for another
    /// command. Must be called before the process has a second thread.
    public static func restrictFiles() {
        // Faults of the command line are reported when it is run.
        guard let command = try? parseAsRoot() as? any RoleCommand else { return }
        RoleFiles.restrict(config: command.file.config, roles: command.roles)
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
