import DovecotFixture
import Foundation
import Testing

extension EndToEnd {
    @Suite struct Web {
        /// One request by hand: the status line, the header section and the body.
        private static func get(_ path: String, _ port: UInt16) throws -> (status: String, body: String) {
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            defer { close(client) }
            var patience = timeval(tv_sec: 20, tv_usec: 0)
            setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            address.sin_port = port.bigEndian
            let connected = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
            }
            guard connected == 0 else { throw Failed(description: "port \(port): \(String(cString: strerror(errno)))") }
            let request = Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
            guard send(client, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { throw Failed(description: "not sent") }
            var answer: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = recv(client, &piece, piece.count, 0)
                if count <= 0 { break }
                answer += piece[..<count]
            }
            let text = String(decoding: answer, as: UTF8.self)
            let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
            return (String(text.prefix { $0 != "\r\n" }), parts.count > 1 ? String(parts[1]) : "")
        }

        private static func object(_ path: String, _ port: UInt16) throws -> [String: Any] {
            let answer = try get(path, port)
            guard answer.status.contains(" 200 ") else { throw Failed(description: "\(path): \(answer)") }
            return try #require(try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
        }

        private static func listens(_ port: UInt16, _ daemon: Program) throws {
            try waitUntil("port \(port)\n\(daemon.errors)") {
                if daemon.hasEnded { throw Failed(description: daemon.errors) }
                return (try? get("/", port)) != nil
            }
        }

        @Test(.timeLimit(.minutes(2))) func theWebRoleAnswersAndNeedsNoPassword() throws {
            let station = try Station()
            let port = try freePort()
            station.settings = "web: { listen: '127.0.0.1:\(port)' }"
            station.mailboxes[0].passwordFile = "/nonexistent"
            let daemon = try station.start(["web"])
            try Self.listens(port, daemon)
            #expect(try Self.object("/", port)["name"] as? String == "SpendWise")
            #expect(try Self.object("/health", port)["status"] as? String == "ok")
            #expect(try Self.get("/nothing", port).status.contains(" 404 "))
            // Reads no mail.
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
            try daemon.says("watching")
            try daemon.says("mailbox=ravi")
            try Self.listens(port, daemon)
            let mail = Watching.coffee("new", minutes: 1)
            try station.deliver([mail], to: "asha")
            try waitUntil("its row") { station.ledger.mails == 1 }
            try waitUntil("both states") {
                let health = try Self.object("/health", port)
                let states = (health["mailboxes"] as? [[String: Any]] ?? []).map { "\($0["name"] ?? "") \($0["state"] ?? "")" }.sorted()
                return health["status"] as? String == "degraded" && states == ["asha watching", "ravi refused"]
            }
            #expect(!(try Self.get("/health", port).body.contains("not-the-password")))
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            try station.expectBooked([mail])
        }

        @Test(.timeLimit(.minutes(2))) func aPortThatIsTakenIsNamed() throws {
            let station = try Station()
            // The mail server listens there.
            station.settings = "web: { listen: '127.0.0.1:\(station.server.port)' }"
            let daemon = try station.start(["web"])
            #expect(try daemon.exit(within: 30) == 1)
            #expect(daemon.errors.contains("127.0.0.1:\(station.server.port)") && daemon.errors.contains("listen:"), "\(daemon.errors)")
        }
    }
}
