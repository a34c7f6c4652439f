import ArgumentParser
import Console
import Fleet
import Ingest
import Settings
import Store
import YAMLSource

struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a household, with its ledger or a new one.",
        discussion: "The ledger is only read. Stop the programs that write it first.")
    @OptionGroup var file: FleetFile
    @Argument(help: "The name of the household: small letters, digits, dots, dashes and underscores.")
    var household: String
    @Option(help: "A YAML file with the household's settings: its mailboxes, without passwords.")
    var settings: String
    @Option(help: "The SQLite ledger of the household; a new one if none is named.")
    var from: String?

    func run() throws {
        let fleet = try file.read()
        let new = try NewSettings(path: settings, of: household, fleet)
        let households = try fleet.households()
        try withLedger(fleet.categories) { ledger in
            try households.add(household, settings: new.text, mailboxes: new.mailboxes, ledger: ledger)
        }
    }

    /// - Parameter categories: a new ledger gets them here, so that a worker need not write thousands of rows at once.
    private func withLedger(_ categories: String, _ body: (Store) throws -> Void) throws {
        if let from { return try body(Store(path: from, readOnly: true)) }
        try LedgerFolder.with { folder in
            let ledger = try Store(path: folder + "/ledger.db")
            try ledger.seed(from: categories)
            try body(ledger)
        }
    }
}

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the ledger of a household to a new SQLite file.")
    @OptionGroup var file: FleetFile
    @Argument(help: "The name of the household.") var household: String
    @Option(help: "The new file.") var output: String

    func run() throws {
        try file.read().households().export(household, to: output)
    }
}

struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Replace the settings of a household.",
        discussion: "The worker that reads it begins anew with them within seconds. The ledger stays as it is.")
    @OptionGroup var file: FleetFile
    @Argument(help: "The name of the household.") var household: String
    @Option(help: "A YAML file with all of its settings, as for 'add'.") var settings: String

    func run() throws {
        let fleet = try file.read()
        let new = try NewSettings(path: settings, of: household, fleet)
        try fleet.households().set(
            household, settings: new.text, mailboxes: new.mailboxes, receivers: new.receivers,
            statements: new.statements)
    }
}

struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Delete a household with its ledger, for ever.",
        discussion: "Export the ledger first if anybody may want it: nothing brings it back but a backup of PostgreSQL."
    )
    @OptionGroup var file: FleetFile
    @Argument(help: "The name of the household.") var household: String
    @Flag(help: "Delete it; without this option nothing is deleted.") var yes = false

    func run() throws {
        let households = try file.read().households()
        guard yes else {
            guard try households.all().contains(where: { $0.name == household }) else {
                throw FleetError("there is no household '\(household)'")
            }
            throw Refused(
                """
                nothing was deleted: 'remove' deletes every row of the household '\(household)' for ever.
                To keep its ledger, first: spendwise-fleet export \(household) --output \(household).db
                To delete it: spendwise-fleet remove \(household) --yes
                """)
        }
        try households.remove(household)
    }
}

/// Settings from a file, checked for a household.
fileprivate struct NewSettings {
    let text: String
    let mailboxes: [(name: String, host: String)]
    let receivers: [(name: String, host: String)]
    let statements: [String]

    init(path: String, of household: String, _ fleet: FleetConfiguration) throws {
        text = String(decoding: try YAMLFile(path: path).bytes, as: UTF8.self)
        let settings = try HouseholdSettings.read(
            Household(name: household, settings: text), database: "ledger.db", fleet)
        mailboxes = settings.mailboxes.map { ($0.name, $0.host) }
        receivers = settings.notifications.map { ($0.name, $0.host) }
        statements = settings.statements.map(\.name)
    }
}

extension FleetConfiguration {
    /// The database, after its check.
    func database() throws -> FleetDatabase {
        let database = FleetDatabase(postgresql)
        try database.check()
        return database
    }

    func households() throws -> Households { Households(try database()) }
}
