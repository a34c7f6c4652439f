import Access
import Chronology
import Fleet
import Foundation
import HTTPTypes
import HummingbirdTesting
import Ledger
import ProfileFixture
import Store
import TLSFixture
import Testing
import Web

@testable import FleetWeb

/// Requests to replicas by HTTP.
@Suite(.enabled(if: ReplicaSite.isPossible, ReplicaSite.need)) struct ServingTests {
    private static let anna = "anna.books.example"
    private static let ben = "ben.books.example"

    private static func coffee(_ note: String = "x") -> String {
        #"{"parsed_amount":"250.50","parsed_date":"2026-01-05","transaction_type":"expense","parsed_vendor":"\#(note)"}"#
    }

    private static func total(_ answer: TestClient.Response) -> Int? {
        answer.headers[HTTPField.Name("X-Total-Count")!].flatMap { Int($0) }
    }

    @Test func aReplicaShowsWhatOthersWroteAndOthersWhatItWrote() async throws {
        let site = try ReplicaSite()
        let household = try site.add("anna")
        let token = try site.token(household)
        try await site.serve(try site.server()) { client in
            let made = try await client.ask(.post, "/transactions/", of: Self.anna, token: token, json: Self.coffee())
            #expect(made.status == .created, "\(made.text)")
            let other = try site.copy(household)
            #expect(try other.transactions.find(1) != nil)
            try other.searches.save("by another", query: "x", by: .terminal)
            let list = try await client.ask(.get, "/transactions/", of: Self.anna, token: token)
            #expect(list.status == .ok && Self.total(list) == 1)
            let deleted = try await client.ask(.delete, "/transactions/1", of: Self.anna, token: token)
            #expect(deleted.status.code < 300, "\(deleted.text)")
            try other.catchUp(to: .max)
            #expect(try other.searches.all().count == 1)
        }
    }

    @Test func twoReplicasInTurnAndAtOnceLoseNothing() async throws {
        let site = try ReplicaSite()
        let household = try site.add("anna")
        let token = try site.token(household)
        let (first, second) = (try site.server("one"), try site.server("two"))
        try await site.serve(first) { one in
            try await site.serve(second) { two in
                for (number, client) in [one, two, one, two].enumerated() {
                    let made = try await client.ask(
                        .post, "/transactions/", of: Self.anna, token: token, json: Self.coffee("turn \(number)"))
                    #expect(made.status == .created, "\(made.text)")
                    // Each reads its own write and that of the other.
                    for reader in [one, two] {
                        let list = try await reader.ask(.get, "/transactions/", of: Self.anna, token: token)
                        #expect(Self.total(list) == number + 1)
                    }
                }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<12 {
                        group.addTask {
                            let made = try await [one, two][number % 2].ask(
                                .post, "/transactions/", of: Self.anna, token: token,
                                json: Self.coffee("at once \(number)"))
                            #expect(made.status == .created, "\(made.text)")
                        }
                    }
                    try await group.waitForAll()
                }
                for reader in [one, two] {
                    let list = try await reader.ask(.get, "/transactions/", of: Self.anna, token: token)
                    #expect(Self.total(list) == 16)
                }
            }
        }
        let copy = try site.copy(household)
        #expect(try copy.integrityDefects() == [])
    }

    @Test func aTokenIsNothingAtAnotherHousehold() async throws {
        let site = try ReplicaSite()
        let (anna, ben) = (try site.add("anna"), try site.add("ben"))
        let (token, other) = (try site.token(anna), try site.token(ben))
        try await site.serve(try site.server()) { client in
            _ = try await client.ask(.post, "/transactions/", of: Self.anna, token: token, json: Self.coffee("secret"))
            for (host, token, status) in [
                (Self.anna, token, 200), (Self.ben, other, 200), (Self.ben, token, 401), (Self.anna, other, 401),
                (Self.anna, nil, 401),
            ] as [(String, String?, Int)] {
                let answer = try await client.ask(.get, "/transactions/", of: host, token: token)
                #expect(answer.status.code == status, "\(host)")
                #expect(answer.text.contains("secret") == (host == Self.anna && status == 200))
            }
        }
    }

    @Test func otherHostsAreRefusedInTheFormOfTheAPI() async throws {
        let site = try ReplicaSite()
        try site.add("anna")
        try site.add("a_b")
        try await site.serve(try site.server()) { client in
            for (host, status) in [
                ("ben.books.example", 404), ("books.example", 421), ("anna.other.example", 421),
                ("a_b.books.example", 421),
                ("x.anna.books.example", 421), ("localhost", 421), ("ANNA.Books.Example:8443", 401),
            ] {
                let answer = try await client.ask(.get, "/transactions/", of: host)
                #expect(answer.status.code == status, "\(host): \(answer.text)")
                #expect(answer.headers[.contentType] == "application/problem+json")
                #expect(!answer.text.contains("household"))
                #expect(answer.headers[.contentSecurityPolicy] != nil)
            }
            // A balancer's question, by address.
            let health = try await client.ask(.get, "/health", of: "127.0.0.1:8001")
            #expect(health.status == .ok && health.text == #"{"status":"ok"}"#)
        }
    }

    @Test func unknownNamesAreLimited() async throws {
        let site = try ReplicaSite()
        try await site.serve(try site.server()) { client in
            var statuses: Set<Int> = []
            for number in 0..<70 {
                statuses.insert(try await client.ask(.get, "/", of: "n\(number).books.example").status.code)
            }
            #expect(statuses == [404, 429])
        }
    }

    /// The mails are in the ledger, for the household's worker to decide; without kept mails it would find nothing.
    @Test func savedMailsAreLeftToTheWorker() async throws {
        let site = try ReplicaSite()
        let (anna, ben) = (try site.add("anna"), try site.add("ben", settings: "keep_raw: 0\n"))
        let profiles = try ProfileFolder.set()
        let mail = "From: alerts@bank.example\r\nMessage-ID: <1@bank.example>\r\nSubject: Alert\r\n\r\nRs.5 spent\r\n"
        let body =
            "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"one.eml\"\r\n\r\n\(mail)\r\n--XX--\r\n"
        let type: HTTPFields = [.accept: "text/html", .contentType: "multipart/form-data; boundary=XX"]
        try await site.serve(try site.server(profiles: profiles)) { client in
            let token = try site.token(anna)
            func upload(_ host: String, _ token: String) async throws -> TestClient.Response {
                try await client.ask(.post, "/app/mailboxes/upload", of: host, token: token, body: body, type)
            }
            let first = try await upload(Self.anna, token)
            #expect(first.status == .ok && first.text.contains("Of banks: 1"), "\(first.text)")
            // Again before the worker has decided it: there is one mail.
            #expect(try await upload(Self.anna, token).status == .ok)
            let other = try site.copy(anna)
            #expect(try other.mails.page(MailQuery()).rows.map(\.outcome) == [.failed])
            #expect(try other.mailboxes.dueRetries(ofMailbox: MailLocation.upload).count == 1)
            #expect(try await upload(Self.ben, try site.token(ben)).status == .notFound)
        }
    }

    /// Each client of a balancer has its own limit.
    @Test func aBalancerNamesItsClients() async throws {
        let site = try ReplicaSite()
        let server = try site.server(web: "trusted_proxies: 127.0.0.0/8")
        try await site.serve(server) { client in
            let name = try #require(HTTPField.Name("X-Forwarded-For"))
            func answered(for addresses: String) async throws -> Int {
                var count = 0
                for number in 0..<70 {
                    let answer = try await client.ask(.get, "/", of: "n\(number).books.example", [name: addresses])
                    if answer.status == .notFound { count += 1 }
                }
                return count
            }
            // Sixty unknown names a minute, so one more each second.
            #expect(try await answered(for: "192.0.2.1") >= 60)
            #expect(try await answered(for: "192.0.2.2, 192.0.2.1") < 60)
            #expect(try await answered(for: "192.0.2.2") >= 60)
        }
    }

    @Test func withoutPostgreSQLTheAnswerIsToTryAgainAndThenItWorks() async throws {
        let site = try ReplicaSite()
        let household = try site.add("anna")
        let token = try site.token(household)
        try await site.serve(try site.server()) { client in
            let made = try await client.ask(.post, "/transactions/", of: Self.anna, token: token, json: Self.coffee())
            #expect(made.status == .created)
            try site.administer(
                """
                ALTER DATABASE \(site.databaseName) ALLOW_CONNECTIONS false;
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(site.databaseName)';
                """)
            for method in [HTTPRequest.Method.get, .post] {
                let away = try await client.ask(
                    method, "/transactions/", of: Self.anna, token: token, json: method == .post ? Self.coffee() : nil)
                #expect(away.status == .serviceUnavailable, "\(away.text)")
                #expect(away.headers[.retryAfter] != nil)
            }
            #expect(try await client.ask(.get, "/health", of: "127.0.0.1").status == .serviceUnavailable)
            try site.administer("ALTER DATABASE \(site.databaseName) ALLOW_CONNECTIONS true")
            let again = try await client.ask(.post, "/transactions/", of: Self.anna, token: token, json: Self.coffee())
            #expect(again.status == .created, "\(again.text)")
            let list = try await client.ask(.get, "/transactions/", of: Self.anna, token: token)
            #expect(Self.total(list) == 2)
        }
    }

    @Test func fewCopiesAreOpenAndNoneIsLeft() async throws {
        let site = try ReplicaSite()
        let names = (0..<5).map { "h\($0)" }
        let tokens = try names.map { try site.token(try site.add($0)) }
        let server = try site.server("small", households: 2)
        let folder = site.folder.appending(path: "small").path
        let copies = { try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".db") } }
        try await site.serve(server) { client in
            for _ in 0..<2 {
                for (name, token) in zip(names, tokens) {
                    let made = try await client.ask(
                        .post, "/transactions/", of: "\(name).books.example", token: token, json: Self.coffee())
                    #expect(made.status == .created, "\(made.text)")
                }
            }
            for (name, token) in zip(names, tokens) {
                let list = try await client.ask(.get, "/transactions/", of: "\(name).books.example", token: token)
                #expect(Self.total(list) == 2)
            }
        }
        #expect(try copies() == [])
    }

    @Test func aHouseholdThatIsGoneIsServedNoMore() async throws {
        let site = try ReplicaSite()
        let token = try site.token(try site.add("anna"))
        try await site.serve(try site.server()) { client in
            _ = try await client.ask(.post, "/transactions/", of: Self.anna, token: token, json: Self.coffee("former"))
            try site.remove("anna")
            #expect(try await client.ask(.get, "/transactions/", of: Self.anna, token: token).status == .notFound)
            // Another one of the same name begins with nothing of the former.
            let next = try site.token(try site.add("anna", ledger: "next"))
            #expect(try await client.ask(.get, "/transactions/", of: Self.anna, token: token).status == .unauthorized)
            let list = try await client.ask(.get, "/transactions/", of: Self.anna, token: next)
            #expect(Self.total(list) == 0)
        }
    }

    /// The replica has the profiles and the authentication policies that a decision needs.
    @Test func aReplicaDecidesRetainedMails() async throws {
        let site = try ReplicaSite()
        let household = try site.add("anna")
        let token = try site.token(household)
        let location = MailLocation(mailbox: "box", folder: "INBOX", uidValidity: 1, uid: 1)
        let decision = Decision(
            .quarantined, by: Decision.Source(profile: "hdfc", bank: "HDFC Bank"),
            reasons: [Reason(name: "authentication", weight: 0, note: "not confirmed")])
        let id = try #require(
            try site.copy(household).recording.record([
                MailEntry(at: location, decision) {
                    $0.messageID = "<1@bank.example>"
                    $0.fromAddress = "alerts@bank.example"
                    $0.raw = Array("From: alerts@bank.example\r\nSubject: x\r\n\r\ny".utf8)
                }
            ]).first?.mailID)
        try await site.serve(try site.server()) { client in
            // By no profile, so that it stays as it is.
            for action in ["retry", "release"] {
                let answer = try await client.ask(.post, "/mails/\(id)/\(action)", of: Self.anna, token: token)
                #expect(answer.status == .ok && answer.text.contains(#""changed":false"#), "\(action): \(answer.text)")
            }
        }
    }

    @Test func thePageComesWithIt() async throws {
        let site = try ReplicaSite()
        try site.add("anna")
        try await site.serve(try site.server()) { client in
            let page = try await client.ask(.get, "/login", of: Self.anna, [.accept: "text/html"])
            #expect(page.status == .ok && page.headers[.contentType]?.hasPrefix("text/html") == true)
            let redirect = try await client.ask(.get, "/", of: Self.anna, [.accept: "text/html"])
            #expect(redirect.status == .seeOther && redirect.headers[.location] == "/login")
        }
    }

    /// Nobody looks at the page of Ben, so the replica does not ask for his commits.
    @Test(.timeLimit(.minutes(2))) func anOpenPageHearsOfOthersWithoutARequest() async throws {
        let site = try ReplicaSite()
        let households = [(Self.anna, try site.add("anna")), (Self.ben, try site.add("ben"))]
        let tokens = try households.map { (host: $0.0, token: try site.token($0.1)) }
        let server = try site.server("one")
        try await site.serve(server) { client in
            try await site.serve(try site.server("two")) { other in
                for (host, token) in tokens { _ = try await client.ask(.get, "/transactions/", of: host, token: token) }
                #expect(await server.pool.watched().isEmpty)
                try await client.watch(Self.anna, token: tokens[0].token) { numbers in
                    let first = try await numbers.next()
                    for (host, token) in tokens.reversed() {
                        let made = try await other.ask(
                            .post, "/transactions/", of: host, token: token, json: Self.coffee())
                        #expect(made.status == .created, "\(made.text)")
                    }
                    let second = try await numbers.next()
                    #expect(first != nil && second != nil && first != second)
                    #expect(await server.pool.watched().map(\.name) == ["anna"])
                    // A page of a household that is gone ends.
                    try site.remove("anna")
                    #expect(try await numbers.next() == nil)
                }
            }
        }
    }

    /// Real handshakes.
    @Test(.timeLimit(.minutes(5))) func oneCertificateServesAllAndIsReadAgain() async throws {
        let site = try ReplicaSite()
        try site.add("anna")
        let server = try site.server(web: "tls: self-signed")
        let folder = site.folder.appending(path: "replica").path
        let files = SelfSignedFiles(certificate: folder + "/web-certificate.pem", key: folder + "/web-key.pem")
        try await site.serve(server) { client in
            let old = try files.client()
            await files.expect(200, client.port, old, name: Self.anna)
            await files.expect(404, client.port, old, name: Self.ben)
            await files.expect(nil, client.port, nil, name: Self.anna, "nothing is answered in the clear")
            try files.remove()
            try server.reloadCertificate()
            await files.expect(nil, client.port, old, name: Self.anna)
            let renewed = try files.client()
            await files.expect(200, client.port, renewed, name: Self.anna)
            // An unreadable file changes nothing.
            try "nonsense".write(toFile: files.key, atomically: true, encoding: .utf8)
            #expect(throws: Web.CertificateError.self) { try server.reloadCertificate() }
            await files.expect(200, client.port, renewed, name: Self.anna)
        }
    }
}
