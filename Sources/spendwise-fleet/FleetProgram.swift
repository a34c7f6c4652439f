import ArgumentParser
import Fleet
import Settings
import Statements

@main struct Main {
    /// On the main thread, so that a child that reads a statement has no other thread than this one.
    @MainActor static func main() async {
        StatementChild.runIfStarted()
        await FleetProgram.main()
    }
}

/// The `spendwise-fleet` command.
struct FleetProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spendwise-fleet",
        abstract: "Reads the mailboxes of many households into one PostgreSQL, and serves their ledgers.",
        version: ProgramVersion.text,
        subcommands: [
            MigrateCommand.self, AddCommand.self, SetCommand.self, ExportCommand.self, RemoveCommand.self,
            HouseholdsCommand.self, MailboxesCommand.self, StatusCommand.self, WorkerCommand.self, DrainCommand.self,
            ServeCommand.self, TokenCommand.self, PassphraseCommand.self, KeygenCommand.self, PasswordCommand.self,
            SecretCommand.self,
            ResealCommand.self, ProviderCommand.self, ProvidersCommand.self,
        ])
}

struct FleetFile: ParsableArguments {
    @Option(name: .long, help: "The configuration of the fleet.")
    var config = "/etc/spendwise/fleet.yaml"

    func read() throws -> FleetConfiguration { try FleetConfiguration(path: config) }
}

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Create the tables, or bring them up to date.")
    @OptionGroup var file: FleetFile

    func run() throws { try FleetDatabase(file.read().postgresql).migrate() }
}

struct DrainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drain", abstract: "Let a worker give its households back and end.")
    @OptionGroup var file: FleetFile
    @Argument(help: "The name of the worker.") var worker: String

    func run() throws {
        guard try LeaseTable(file.read().database()).drain(worker) else {
            throw FleetError("there is no worker '\(worker)'")
        }
    }
}
