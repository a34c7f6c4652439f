import DovecotFixture
import Foundation

/// A complete installation: a mail server, a configuration, a database and the two programs.
final class Station: Installation {
    let server: DovecotFixture

    init(users: [String] = ["user"], options: DovecotFixture.Options = .init()) throws {
        server = try DovecotFixture(
            users: Dictionary(uniqueKeysWithValues: users.map { ($0, Self.password) }), options: options)
        try super.init(users: users, port: server.port, caFile: server.caFile)
    }

    func deliver(_ mails: [Mail], to user: String = "user", folder: String = "INBOX") throws {
        for mail in mails {
            expectConfidential(mail)
            try server.deliver(mail.bytes, to: user, folder: folder, secondsSinceEpoch: mail.arrived)
        }
    }
}
