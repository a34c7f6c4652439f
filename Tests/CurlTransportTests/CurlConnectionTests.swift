import Chronology
import DovecotFixture
import Glibc
import IMAP
import Testing

@testable import CurlTransport

typealias Connected = Session<CurlConnection>

/// One server for the suite; every test has its own user.
fileprivate let server: Result<DovecotFixture, any Error> = Result {
    var users: [String: String] = [:]
    for name in ["login", "many", "large", "idle", "wake", "stop", "flags", "gone", "moved", "folders"] {
        users[name] = "p\"a\\ss wörd"
    }
    return try DovecotFixture(users: users)
}

func endpoint(_ server: DovecotFixture, tls: Endpoint.TLS = .implicit, host: String = "localhost") -> Endpoint {
    Endpoint(host: host, port: tls == .implicit ? server.port : server.startTLSPort, tls: tls, caFile: server.caFile)
}

fileprivate func connect(_ user: String, wake: Wake = Wake(), maximumMessageBytes: Int = 1 << 20) throws -> Connected {
    try Session(
        over: CurlConnection(
            to: endpoint(try server.get()), credential: Credential(user: user, password: "p\"a\\ss wörd"), wake: wake),
        maximumMessageBytes: maximumMessageBytes)
}

func mail(_ number: Int, padding: Int = 0) -> String {
    "From: alerts@bank.example\r\nSubject: number \(number)\r\nMessage-ID: <\(number)@bank.example>\r\n\r\nBody of \(number)\r\n"
        + String(repeating: "x", count: padding)
}

@Suite struct CurlConnectionTests {
    @Test(arguments: [Endpoint.TLS.implicit, .startTLS]) func logsIn(_ tls: Endpoint.TLS) throws {
        let server = try server.get()
        var session = try Session(
            over: CurlConnection(
                to: endpoint(server, tls: tls), credential: Credential(user: "login", password: "p\"a\\ss wörd"),
                wake: Wake()))
        #expect(session.capabilities.idle)
        #expect(session.capabilities.esearch)
        let selected = try session.examine(.inbox)
        #expect(selected.exists == 0)
        session.logout()
    }

    @Test func fetchesManyMails() throws {
        let server = try server.get()
        for number in 1...300 { try server.deliver(mail(number, padding: number * 37), to: "many") }
        var session = try connect("many")
        let selected = try session.examine(.inbox)
        #expect(selected.exists == 300)
        #expect(try session.search(SearchCriteria(from: ["other.example"])).isEmpty)
        let uids = try session.search(
            SearchCriteria(from: ["bank.example", "other.example"], since: Day(.epoch)))
        #expect(uids.count == 300)
        var seen: [UID: String] = [:]
        var through: [UID] = []
        var pacing = FetchPacing()
        pacing.batch = 32
        try session.fetch(uids, pacing: pacing) { mail in
            #expect(seen[mail.uid] == nil)
            #expect(!mail.isTruncated && mail.size == UInt64(mail.bytes.count) && mail.internalDate != nil)
            seen[mail.uid] = String(decoding: mail.bytes, as: UTF8.self)
        } done: { batch in
            #expect(batch.missing.isEmpty && batch.failed.isEmpty)
            through.append(batch.through)
        }
        #expect(seen.count == 300)
        #expect(Set(seen.values) == Set((1...300).map { mail($0, padding: $0 * 37) }))
        #expect(through == through.sorted() && through.last == uids.last)
        session.logout()
    }

    @Test func cutsALargeMail() throws {
        let server = try server.get()
        try server.deliver(mail(1), to: "large")
        try server.deliver(mail(2, padding: 60 << 20), to: "large")
        try server.deliver(mail(3), to: "large")
        var session = try connect("large")
        _ = try session.examine(.inbox)
        var found: [String] = []
        try session.fetch(try session.search(SearchCriteria())) { mail in
            found.append("\(mail.uid) \(mail.bytes.count) \(mail.size ?? 0) \(mail.isTruncated)")
        } done: { _ in
        }
        let small = mail(1).utf8.count
        let large = small + (60 << 20)
        #expect(
            found.sorted() == ["1 \(small) \(small) false", "2 \(1 << 20) \(large) true", "3 \(small) \(small) false"])
        session.logout()
    }

    @Test func changesNoFlag() throws {
        let server = try server.get()
        for number in 1...5 { try server.deliver(mail(number), to: "flags") }
        let before = server.flags(of: "flags")
        #expect(before.count == 5)
        var session = try connect("flags")
        _ = try session.examine(.inbox)
        try session.fetch(try session.search(SearchCriteria())) { _ in
        } done: { _ in
        }
        session.logout()
        #expect(server.flags(of: "flags") == before)
        #expect(before.values.allSatisfy { !$0.contains("S") })
    }

    @Test func reportsExpungedMails() throws {
        let server = try server.get()
        for number in 1...4 { try server.deliver(mail(number), to: "gone") }
        var session = try connect("gone")
        _ = try session.examine(.inbox)
        let uids = try session.search(SearchCriteria())
        for file in server.files(of: "gone").prefix(2) { server.remove(file) }
        var mails: [UInt32] = []
        var missing = UIDSet()
        try session.fetch(uids) {
            mails.append($0.uid.rawValue)
        } done: {
            missing.formUnion($0.missing)
        }
        #expect(mails == [3, 4])
        #expect(missing.description == "1:2")
        session.logout()
    }

    @Test func seesAnotherNumbering() throws {
        let server = try server.get()
        try server.deliver(mail(1), to: "moved")
        var session = try connect("moved")
        let first = try session.examine(.inbox)
        session.logout()
        try server.setUIDValidity(first.uidValidity.rawValue + 77, of: "moved")
        var again = try connect("moved")
        let second = try again.examine(.inbox)
        #expect(second.uidValidity.rawValue == first.uidValidity.rawValue + 77)
        #expect(second.exists == 1)
        again.logout()
    }

    @Test func opensOtherFolders() throws {
        let server = try server.get()
        try server.deliver(mail(1), to: "folders", folder: "Bank &- more")
        try server.deliver(mail(2), to: "folders", folder: "&AOk-t&AOk-")
        var session = try connect("folders")
        #expect(try session.examine(FolderName("Bank & more")).exists == 1)
        #expect(try session.examine(FolderName("été")).exists == 1)
        let error = #expect(throws: IMAPError.self) { _ = try session.examine(FolderName("Nowhere")) }
        #expect(error?.kind == .refused && error?.scope == .folder && error?.retry == .afterReconfiguration)
        #expect(try session.examine(.inbox).exists == 0)
        session.logout()
    }
}
