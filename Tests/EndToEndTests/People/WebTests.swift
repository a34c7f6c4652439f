import DovecotFixture
import Foundation
import LoopbackFixture
import Testing

extension EndToEnd {
    @Suite struct Web {
        private static func get(_ path: String, _ port: UInt16) throws -> HTTP.Answer {
            try HTTP.get("http://127.0.0.1:\(port)\(path)")
        }

        private static func object(_ path: String, _ port: UInt16, expecting status: Int = 200) throws -> [String: Any]
        {
            let answer = try get(path, port)
            guard answer.status == status else { throw Failed(description: "\(path): \(answer)") }
            return try JSONOutput.object(answer.body)
        }

        private static func listens(_ port: UInt16, _ daemon: Program) throws {
            try waitUntil("port \(port)\n\(daemon.errors)") {
                if daemon.hasEnded { throw Failed(description: daemon.errors) }
                return (try? get("/", port)) != nil
            }
        }

        @Test(.timeLimit(.minutes(2))) func webRoleServesWithoutPassword() throws {
            let station = try Station()
            let port = try freePort()
            station.settings = "web: { listen: '127.0.0.1:\(port)' }"
            station.mailboxes[0].passwordFile = "/nonexistent"
            let daemon = try station.start(["web"])
            try Self.listens(port, daemon)
            #expect(try Self.object("/", port)["name"] as? String == "SpendWise")
            let health = try Self.object("/health", port)
            #expect(
                health["status"] as? String == "degraded"
                    && "\(health["reasons"] ?? "")".contains("personal: has not been read yet"))
            #expect(try HTTP.get("http://127.0.0.1:\(port)/metrics", host: "evil.example").status == 421)
            #expect(try Self.get("/nothing", port).status == 404)
            // It reads no mail.
            #expect(!station.server.log.contains("Login"))
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
        }

        @Test(.timeLimit(.minutes(2))) func bothRolesInOneProcess() throws {
            let station = try Station(users: ["asha", "ravi"])
            let port = try freePort()
            station.settings = "web: { listen: '127.0.0.1:\(port)' }"
            station.mailboxes[1].passwordFile = try station.scratch.write("not-the-password", to: "wrong")
            let daemon = try station.start(["run"])
            try daemon.logs("watching")
            try daemon.logs("mailbox=ravi")
            try Self.listens(port, daemon)
            let mail = Watching.coffee("new", minutes: 1)
            try station.deliver([mail], to: "asha")
            try waitUntil("its row") { station.ledger.mails == 1 }
            try waitUntil("both states") {
                guard try Self.get("/health", port).status == 503 else { return false }
                let health = try Self.object("/health", port, expecting: 503)
                let states = (health["mailboxes"] as? [[String: Any]] ?? []).map {
                    "\($0["name"] ?? "") \($0["state"] ?? "")"
                }.sorted()
                return health["status"] as? String == "failing" && states == ["asha watching", "ravi refused"]
            }
            #expect(!(try Self.get("/health", port).body.contains("not-the-password")))
            let metrics = try Self.get("/metrics", port)
            #expect(metrics.head.lowercased().contains("content-type: text/plain; version=0.0.4; charset=utf-8"))
            for line in [
                #"spendwise_mail_outcomes{bank="icici",outcome="recorded"} 1"#,
                #"spendwise_mails_total{bank="icici"} 1"#,
                #"spendwise_transactions{status="confirmed"} 1"#,
                #"spendwise_mailbox_state{mailbox="ravi",state="refused"} 1"#,
                #"spendwise_mailbox_state{mailbox="asha",state="watching"} 1"#,
                #"spendwise_mailbox_overdue{mailbox="asha"} 0"#,
            ] { #expect(metrics.body.contains(line + "\n"), "\(line)\n\(metrics.body)") }
            // The command line shows the same.
            func output(_ object: [String: Any]) -> [String] {
                (object["mailboxes"] as? [[String: Any]] ?? []).map { box in
                    ["name", "state", "reason", "last_mail_at", "last_bank_mail_at", "attempts", "overdue"]
                        .map { key in "\(key)=\(box[key].flatMap { $0 is NSNull ? nil : "\($0)" } ?? "none")" }.joined(
                            separator: " ")
                }.sorted()
            }
            let status = try JSONOutput.object(station.control(["status", "--json"]))
            #expect(try output(status) == output(Self.object("/health", port, expecting: 503)))
            #expect(output(status).contains { $0.contains("name=ravi state=refused") && $0.contains("password") })
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            try station.expectBooked([mail])
        }

        /// With watched mailboxes, too: all threads end.
        @Test(.timeLimit(.minutes(2)), arguments: ["web", "run"]) func usedPortIsReported(role: String) throws {
            let station = try Station(users: ["asha", "ravi"])
            // The mail server's port.
            station.settings = "web: { listen: '127.0.0.1:\(station.server.port)' }"
            let daemon = try station.start([role])
            #expect(try daemon.exit(within: 30) == 1)
            #expect(
                daemon.errors.contains("127.0.0.1:\(station.server.port)") && daemon.errors.contains("listen:"),
                "\(daemon.errors)")
        }
    }
}
