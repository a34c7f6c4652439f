import CourierFixture
import CyrusFixture
import MailServerFixture
import Testing

/// A mail server besides Dovecot, with the user `user`.
protocol OtherServer: AnyObject {
    init(password: String) throws

    var port: UInt16 { get }
    var caFile: String { get }

    /// Delivers a message to INBOX as the mail transfer agent does.
    func deliver(_ bytes: [UInt8]) throws

    /// Returns a connection of another mail program that has logged in.
    func connect() throws -> MailClient
}

extension CyrusFixture: OtherServer {}

extension CourierFixture: OtherServer {
    func deliver(_ bytes: [UInt8]) throws { try mail.deliver(bytes) }
    func connect() throws -> MailClient { try mail.connect() }
}

/// A complete installation with another mail server than Dovecot.
final class OtherStation<Server: OtherServer>: Installation {
    let server: Server

    init() throws {
        server = try Server(password: Self.password)
        try super.init(users: ["user"], port: server.port, caFile: server.caFile)
        mailboxes[0].authservID = "mx.example.org"
        // The open folder is examined again after this time if the server renumbers it without an announcement.
        mailboxes[0].more = "    poll: 10s"
    }

    /// Returns a message with the results of a server of one's own. Gmail's would be those of a stranger, because Cyrus
    /// adds a Received field of its host above them.
    func bytes(of mail: Mail) -> [UInt8] {
        expectConfidential(mail)
        return Array(String(decoding: mail.bytes, as: UTF8.self).replacing("google.com", with: "example.org").utf8)
    }

    func deliver(_ mails: [Mail]) throws {
        for mail in mails { try server.deliver(bytes(of: mail)) }
    }

    /// Appends messages to a folder as another mail program does.
    ///
    /// - Parameter folder: quoted modified UTF-7.
    func append(_ mails: [Mail], to folder: String) throws {
        let client = try server.connect()
        for mail in mails { try client.append(bytes(of: mail), to: folder) }
    }

    /// Waits until the ledger has the transactions of all messages.
    func waitUntilBooked(_ mails: [Mail], by daemon: Program) throws {
        try waitUntil("the transactions of \(mails.map(\.id))\n\(daemon.errors)") {
            try ledger.mails > 0 && Set(ledger.booked().keys) == Set(mails.map(\.id))
        }
    }

    /// Expects the transaction of each message exactly once, whatever the number of rows.
    func expectBookedOnce(_ mails: [Mail], _ location: SourceLocation = #_sourceLocation) throws {
        let expected = Dictionary(mails.compactMap { mail in mail.booked.map { (mail.id, $0) } }) { first, _ in first }
        #expect(try ledger.booked() == expected, sourceLocation: location)
        #expect(try ledger.count("SELECT count(*) FROM transactions") == expected.count, sourceLocation: location)
    }
}
