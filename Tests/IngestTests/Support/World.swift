import Chronology
import ChronologyFixture
import CurlTransport
import IMAP
import Logging
import Settings
import Store
import Testing
import YAMLSource

@testable import Ingest

/// A server and a way of using it. Together they make the client send every command.
struct World: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var folders = ["INBOX"]
    /// Watched for a while as the daemon does; otherwise read once.
    var watches = false
    /// Events while the client waits, one after the other.
    var arrivals: [@Sendable (FakeServer) -> Void] = []
    let prepare: @Sendable (FakeServer) -> Void

    static let all = [once, gmail, old]

    static let once = World(testDescription: "one folder, read once") { server in
        for number in 0..<7 {
            server.folders["INBOX"]?.add(number % 3 == 2 ? Sample.newsletter(number) : Sample.alert(number))
        }
        server.folders["INBOX"]?.add(Sample.alert(0))
    }

    /// Messages with one number in two folders, compression, and capabilities only on request.
    static let gmail = World(
        testDescription: "Gmail, watched", folders: ["INBOX", "\\All"], watches: true,
        arrivals: [
            { deliver(5, to: ["INBOX", "All"], of: $0) },
            {
                $0.folders["INBOX"]?.add(Sample.newsletter(8))
                deliver(6, to: ["All"], of: $0)
            },
        ]
    ) { server in
        server.capabilities = [
            "IMAP4REV1", "ID", "IDLE", "ESEARCH", "X-GM-EXT-1", "SPECIAL-USE", "LIST-EXTENDED", "COMPRESS=DEFLATE",
        ]
        server.sendsCapabilities = false
        server.folders["All"] = FakeServer.Folder(validity: 11, attributes: "\\All")
        for number in 0..<4 { deliver(number, to: number < 2 ? ["INBOX", "All"] : ["All"], of: server) }
    }

    /// Without IDLE, ESEARCH and UIDNEXT; OR and parts are errors.
    static let old = World(
        testDescription: "an old server, watched", folders: ["INBOX", "Bank"], watches: true,
        arrivals: [{ deliver(5, to: ["INBOX"], of: $0) }, { deliver(6, to: ["Bank"], of: $0) }]
    ) { server in
        server.capabilities = ["IMAP4REV1"]
        server.sendsUIDNext = false
        server.refuses = { $0.contains(" OR ") || $0.contains("]<0.") }
        server.folders["Bank"] = FakeServer.Folder(validity: 9)
        for number in 0..<4 {
            deliver(number, to: number == 1 ? ["INBOX", "Bank"] : number == 3 ? ["Bank"] : ["INBOX"], of: server)
        }
    }

    private static func deliver(_ number: Int, to folders: [String], of server: FakeServer) {
        for folder in folders {
            server.folders[folder]?.add(Sample.alert(number), gmail: 0xF000_0000_0000_0000 + UInt64(number))
        }
    }

    func server() -> FakeServer {
        let server = FakeServer()
        prepare(server)
        server.arrivals = arrivals[...]
        return server
    }

    /// One connection from its opening to its end.
    func converse(_ server: FakeServer, _ book: Book, pipelined: Int = 16) throws {
        guard watches else {
            try server.pass(book, folders: folders, pipelined: pipelined)
            return
        }
        let loop = MailboxLoop(
            settings: try Self.settings.get()[testDescription, default: []][0], login: NoLogin(),
            context: try Sample.context(book), statusInterval: .zero)
        server.onIdle = { (server: FakeServer) throws(IMAPError) -> ReadOutcome in
            guard let arrival = server.arrivals.popFirst() else {
                loop.wake.stop()
                return .woken
            }
            arrival(server)
            return .timedOut
        }
        var attempt = MailboxLoop.Attempt(renewal: IdleRenewal(longest: .seconds(240)))
        var session = try Session(over: FakeStream(server: server), maximumMessageBytes: 1 << 20)
        try session.compress()
        try loop.read(&session, watching: true, &attempt)
    }

    struct NoLogin: LoginSource {
        func credential(wake: Wake) throws -> Credential { Credential(user: "asha", password: "x") }
    }

    private static let settings: Result<[String: [MailboxSettings]], any Error> = Result {
        var settings: [String: [MailboxSettings]] = [:]
        for world in all {
            let yaml = """
                database: x
                parsers: x
                mailboxes:
                  - { name: personal, host: h, user: u, password_file: p, folders: [\(world.folders.joined(separator: ", "))], authentication: trust-delivery }
                """
            settings[world.testDescription] = try Settings(YAMLFile(path: "test.yaml", bytes: Array(yaml.utf8)))
                .mailboxes
        }
        return settings
    }
}
