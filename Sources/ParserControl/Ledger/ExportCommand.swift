import ArgumentParser
import Chronology
import Codecs
import Console
import Exports
import Glibc
import Ledger
import Settings
import Store

struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the transactions to standard output, in a form that other programs import.")

    @Option(help: ArgumentHelp("One of: \(formats)."), transform: { try choice($0, "a format") })
    var format = ExportFormat.csv
    @Option(help: "First day, yyyy-mm-dd.")
    var since: String?
    @Option(help: "Last day, yyyy-mm-dd.")
    var until: String?
    @Option(help: "confirmed, needs_review, rejected or all.")
    var status = "confirmed"
    @Option(help: "Only transactions with this tag.")
    var tag: String?
    @Option(help: "Only transactions of this category.")
    var category: String?
    @Option(help: "Only transactions of the account with this number, as in 'parserctl account'.")
    var account: Int64?
    @Option(help: "Only what no export of this name has contained; remembers what this one contains.")
    var sinceLast: String?
    @Flag(help: "Begin CSV with a byte order mark, for spreadsheets that need it for UTF-8.")
    var bom = false
    @OptionGroup var locations: Locations

    func run() async throws {
        var request = ExportRequest(format)
        request.query.since = try day(since)
        request.query.until = try day(until)
        request.query.statuses = try statuses(status)
        (request.query.tag, request.query.category, request.query.userAccountID) = (tag, category, account)
        (request.name, request.marksEncoding) = (sinceLast, bom)
        try orExit {
            let store = try locations.store(readOnly: sinceLast == nil)
            store.noteCopy("export: \(format.rawValue)")
            let session = try store.read { ledger in try write(request, in: ledger) }
            // After the last byte is written: a repetition after a broken pipe contains the same transactions again.
            if let sinceLast { try store.exports.mark(sinceLast, format: format.rawValue, session.exported) }
        }
    }

    /// Writes the file from one snapshot.
    private func write(_ request: ExportRequest, in ledger: Snapshot) throws -> ExportSession {
        var session = try ExportSession(request, in: ledger)
        while let piece = try session.next(in: ledger) { Output.write(piece) }
        return session
    }
}

extension Export {
    private static let formats = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
}
