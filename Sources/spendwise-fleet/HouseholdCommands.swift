import ArgumentParser
import Fleet
import Glibc
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
        let text = String(decoding: try YAMLFile(path: settings).bytes, as: UTF8.self)
        let read = try HouseholdSettings.read(Household(name: household, settings: text), database: "ledger.db", fleet)
        let database = FleetDatabase(fleet.postgresql)
        try database.check()
        try withLedger { ledger in
            try Households(database).add(
                household, settings: text, mailboxes: read.mailboxes.map { ($0.name, $0.host) }, ledger: ledger)
        }
    }

    private func withLedger(_ body: (Store) throws -> Void) throws {
        if let from { return try body(Store(path: from, readOnly: true)) }
        var template = Array("/tmp/spendwise-fleet.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw FleetError("no temporary folder: \(String(cString: strerror(errno)))")
        }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let path = folder + "/ledger.db"
        defer {
            for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
            rmdir(folder)
        }
        try body(Store(path: path))
    }
}

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the ledger of a household to a new SQLite file.")
    @OptionGroup var file: FleetFile
    @Argument(help: "The name of the household.") var household: String
    @Option(help: "The new file.") var output: String

    func run() throws {
        let database = FleetDatabase(try file.read().postgresql)
        try database.check()
        try Households(database).export(household, to: output)
    }
}
