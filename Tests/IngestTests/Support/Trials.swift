import IMAP
import Ledger
import Store
import Testing

@testable import Ingest

/// Disturbs a session. The next one, undisturbed, must lead to the same ledger as without the fault; in between the
/// cursor must not have passed a message without a row. One ledger serves all trials, one after the other.
final class Trials {
    struct Course: Sendable {
        let facts: [String]
        /// Number of bytes that the server sent.
        let bytes: Int
        let commands: [String]
    }

    let world: World
    private let book: Book
    private let expected: Course

    init(in world: World) throws {
        self.world = world
        book = try Book()
        expected = try Self.undisturbed(world)
    }

    static func undisturbed(_ world: World) throws -> Course { try #require(courses[world.testDescription]).get() }

    private static let courses: [String: Result<Course, any Error>] = Dictionary(
        uniqueKeysWithValues: World.all.map { world in
            (
                world.testDescription,
                Result {
                    let (server, book) = (world.server(), try Book())
                    try world.converse(server, book)
                    return Course(facts: try facts(server, book), bytes: server.sent, commands: server.commands)
                }
            )
        })

    /// - Parameter variant: any number. It only changes the division of work among threads.
    func expectRecovery(
        _ what: @autoclosure () -> String, variant: Int = 0, _ location: SourceLocation = #_sourceLocation,
        _ disturb: (FakeServer) -> Void
    ) throws {
        let server = world.server()
        try book.clear()
        disturb(server)
        do { try world.converse(server, book, pipelined: variant % 2 == 0 ? 16 : 1) } catch is IMAPError {}
        for (name, folder) in server.folders {
            guard let cursor = try book.cursor(name)?.nextUID else { continue }
            let recorded = try book.store.mailboxes.recordedUIDs(
                of: .init(mailbox: "personal", folder: name), uidValidity: folder.validity, from: 1)
            let passed = folder.mails.filter {
                $0.uid < cursor && Sample.isAlert($0.bytes) && !recorded.contains($0.uid)
            }.map(\.uid)
            if !passed.isEmpty {
                Issue.record(
                    "\(world): \(what()): the cursor \(cursor) of \(name) passed \(passed)", sourceLocation: location)
            }
        }
        server.reconnect()
        try world.converse(server, book)
        // A message that the server garbled may be recorded as failed, and is fetched again when it is due.
        if try Self.facts(server, book) != expected.facts {
            try book.sql("UPDATE processed_emails SET next_attempt_at = '2000-01-01T00:00:00Z' WHERE status = 'failed'")
            server.reconnect()
            try world.converse(server, book)
        }
        let facts = try Self.facts(server, book)
        if facts != expected.facts { Issue.record("\(world): \(what()): \(facts)", sourceLocation: location) }
    }

    /// The content of the ledger, without the choice among copies of a message: the first that could be read is booked.
    private static func facts(_ server: FakeServer, _ book: Book) throws -> [String] {
        var places: [String] = []
        var outcomes: [String: [String]] = [:]
        for mail in try book.store.mails.latest(Set(Outcome.allCases), limit: 10_000) {
            let folder = server.folders[mail.folder]
            let id = folder?.validity == mail.uidValidity ? folder?.mails.first { $0.uid == mail.uid }?.id : nil
            places.append("\(mail.mailbox)/\(mail.folder) \(mail.uidValidity):\(mail.uid)")
            outcomes[id ?? "unknown message", default: []].append("\(mail.outcome)")
        }
        return places.sorted() + outcomes.map { "\($0) \($1.sorted())" }.sorted() + [
            "\(try book.transactions()) transactions"
        ]
    }
}
