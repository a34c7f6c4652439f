import Foundation
import Testing

/// A configuration, a database and the two programs, for mailboxes on any server.
class Installation {
    struct Mailbox {
        var name = "personal"
        var host = "127.0.0.1"
        var port: UInt16
        var caFile: String
        var user = "user"
        var passwordFile: String
        /// Configuration lines that replace the password's.
        var secret: String?
        var folders = "[INBOX]"
        var authservID = "mx.google.com"
        var more = ""

        var text: String {
            """
              - name: \(name)
                host: \(host)
                port: \(port)
                ca_file: \(caFile)
                user: \(user)
            \(secret ?? "    password_file: \(passwordFile)")
                folders: \(folders)
                authserv_id: \(authservID)
                since: 90d
            \(more)
            """
        }
    }

    /// Long enough not to occur anywhere by chance.
    static let password = "quiet-otter-29-lamps"

    let scratch: Scratch
    var database: String
    var parsers: [String]
    var mailboxes: [Mailbox] = []
    var settings = ""
    /// Amounts and names of all delivered messages. None may occur in a log.
    private var confidential: Set<String> = []

    /// Mailboxes of one server with the password of ``password``.
    init(users: [String], port: UInt16, caFile: String) throws {
        scratch = try Scratch()
        database = scratch.path + "/ledger.db"
        parsers = [try scratch.threeBanks()]
        let password = try scratch.write(Self.password + "\n", to: "password")
        mailboxes = users.map {
            Mailbox(
                name: $0 == "user" ? "personal" : $0, port: port, caFile: caFile, user: $0, passwordFile: password)
        }
    }

    var ledger: LedgerFile { LedgerFile(path: database) }

    /// Writes the current configuration. Returns its path.
    func configuration() throws -> String {
        try scratch.write(
            """
            database: \(database)
            parsers: [\(parsers.joined(separator: ", "))]
            categories: \(Program.root)/config/categories.yaml
            \(settings)
            \(mailboxes.isEmpty ? "" : "mailboxes:\n")\(mailboxes.map(\.text).joined(separator: "\n"))
            """, to: "spendwise.yaml")
    }

    /// Notes what a message contains that no log may.
    func expectConfidential(_ mail: Mail) {
        guard let booked = mail.booked else { return }
        confidential.formUnion(
            [booked.merchant, booked.reference, Mail.rupees(booked.amountMinor)].compactMap(\.self))
    }

    func start(
        _ arguments: [String], of program: String = "spendwised", environment: [String: String] = [:],
        input: String = "/dev/null"
    ) throws -> Program {
        try Program(
            program, arguments + ["--config", try configuration()], environment: environment, input: input, in: scratch)
    }

    /// Makes one pass. The test fails if the status differs, or if the log contains secrets or message text.
    @discardableResult
    func pass(expecting status: Int32 = 0, _ location: SourceLocation = #_sourceLocation) throws -> String {
        let program = try start(["ingest", "--once"])
        let got = try program.exit()
        #expect(got == status, "\(program.errors)", sourceLocation: location)
        expectDiscreet(program, location)
        return program.errors
    }

    /// Runs `parserctl` with the configuration of this station.
    func control(
        _ arguments: [String], expecting status: Int32 = 0, _ location: SourceLocation = #_sourceLocation
    ) throws -> String {
        let program = try start(arguments, of: "parserctl")
        let got = try program.exit()
        #expect(got == status, "\(program.errors)\(program.output)", sourceLocation: location)
        return program.output
    }

    /// Expects neither the password nor message text in the log.
    func expectDiscreet(_ program: Program, _ location: SourceLocation = #_sourceLocation) {
        let log = program.errors
        #expect(!log.contains(Self.password), sourceLocation: location)
        #expect(confidential.filter { log.contains($0) } == [], "\(log)", sourceLocation: location)
    }

    /// Expects exactly the transactions of these messages, and an outcome for every fetched message.
    func expectBooked(_ mails: [Mail], _ location: SourceLocation = #_sourceLocation) throws {
        let expected = Dictionary(mails.compactMap { mail in mail.booked.map { (mail.id, $0) } }) { first, _ in first }
        let got = try ledger.booked()
        for id in Set(expected.keys).union(got.keys).sorted() {
            #expect(got[id] == expected[id], "\(id)", sourceLocation: location)
        }
        let outcomes = mails.filter { $0.outcome != "not fetched" }.map { "\($0.id) \($0.outcome)" }
        #expect(try ledger.outcomes() == outcomes, sourceLocation: location)
    }
}
