import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// Malicious requests to the real daemon.
    @Suite struct HostileClients {
        private static let host = "Host: localhost\r\n"
        private static func request(_ method: String, _ path: String, _ more: String = "", body: String = "") -> [UInt8]
        {
            Array("\(method) \(path) HTTP/1.1\r\n\(host)Connection: close\r\n\(more)\r\n\(body)".utf8)
        }
        private static let next = "GET /login HTTP/1.1\r\n\(host)\r\n"

        /// A request and the expected statuses.
        static let cases: [(name: String, bytes: [UInt8], statuses: [Int])] = [
            // Request smuggling: ambiguous message length (RFC 9112 section 6.3).
            (
                "length and chunks",
                request(
                    "POST", "/pair", "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n", body: "0\r\n\r\n" + next),
                [400]
            ),
            (
                "chunks and length",
                request(
                    "POST", "/pair", "Transfer-Encoding: chunked\r\nContent-Length: 6\r\n", body: "0\r\n\r\n" + next),
                [400]
            ),
            (
                "two lengths",
                request("POST", "/pair", "Content-Length: 0\r\nContent-Length: \(next.utf8.count)\r\n", body: next),
                [400]
            ),
            ("a list of lengths", request("POST", "/pair", "Content-Length: 0, 5\r\n", body: "aaaaa"), [400]),
            ("a negative length", request("POST", "/pair", "Content-Length: -1\r\n"), [400]),
            ("a signed length", request("POST", "/pair", "Content-Length: +5\r\n", body: "aaaaa"), [400]),
            ("a length beyond all", request("POST", "/pair", "Content-Length: 99999999999999999999\r\n"), [400]),
            (
                "chunks last but one",
                request("POST", "/pair", "Transfer-Encoding: chunked, identity\r\n", body: "0\r\n\r\n"), [400]
            ),
            (
                "a blank before the colon",
                request("POST", "/pair", "Transfer-Encoding : chunked\r\n", body: "0\r\n\r\n"), [400]
            ), ("a folded header", request("GET", "/login", "X-A: a\r\n b\r\n"), [400]),
            ("lines without CR", Array("GET /login HTTP/1.1\nHost: localhost\n\n".utf8), [400]),
            (
                "a wrong chunk size",
                request("POST", "/pair", "Transfer-Encoding: chunked\r\n", body: "0x2\r\naa\r\n0\r\n\r\n" + next), [422]
            ),
            (
                "a chunk size beyond all",
                request("POST", "/pair", "Transfer-Encoding: chunked\r\n", body: "ffffffffffffffffff\r\naa\r\n" + next),
                [422]
            ),
            (
                "a wrong chunk size to the login",
                request("POST", "/login", "Transfer-Encoding: chunked\r\n", body: "0x2\r\naa\r\n"), [400]
            ),
            (
                "a form of 9 kB to the login",
                request("POST", "/login", "Content-Length: 9000\r\n", body: String(repeating: "a", count: 9000)), [413]
            ),
            (
                "a body where none belongs",
                request("GET", "/login", "Content-Length: \(next.utf8.count)\r\n", body: next), [200]
            ),
            (
                "chunks in HTTP/1.0",
                Array(
                    "POST /login HTTP/1.0\r\n\(host)Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n\(next)"
                        .utf8), [400]
            ),
            // Foreign host names.
            ("two names", request("GET", "/login", "Host: evil.example\r\n"), [400]),
            ("the same name twice", request("GET", "/login", host), [400]),
            (
                "another name", Array("GET /login HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n".utf8),
                [421]
            ), ("no name", Array("GET /login HTTP/1.1\r\nConnection: close\r\n\r\n".utf8), [421]),
            // Of an absolute-form target, which is for proxies, only the path counts, with the Host field as always.
            (
                "our name in the target",
                Array("GET http://localhost/login HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n".utf8),
                [421]
            ), ("a file in the target", request("GET", "file:///etc/passwd"), [404]),
            (
                "a name behind the port",
                Array("GET /login HTTP/1.1\r\nHost: localhost:80:evil.example\r\nConnection: close\r\n\r\n".utf8), [421]
            ), ("a proxy", request("CONNECT", "localhost:25"), [400]), ("an asterisk", request("OPTIONS", "*"), [400]),
            // Paths.
            ("up", request("GET", "/static/../../../../etc/passwd"), [404]),
            ("up, escaped", request("GET", "/static/..%2f..%2f..%2fetc%2fpasswd"), [404]),
            ("up, all escaped", request("GET", "/static/%2e%2e/%2e%2e/etc/passwd"), [404]),
            ("up, backwards", request("GET", #"/static/..\..\etc\passwd"#), [404]),
            ("an absolute path", request("GET", "//etc/passwd"), [404]),
            ("two slashes", request("GET", "//transactions/"), [401]),
            ("a segment of dots", request("GET", "/static/../transactions/"), [404]),
            ("NUL", Array("GET /log\0in HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), [400]),
            ("NUL, escaped", request("GET", "/login%00"), [404]),
            (
                "no UTF-8",
                Array("GET /".utf8) + [0xFF, 0xFE, 0xC3, 0x28] + Array(" HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8),
                [400]
            ),
            ("no UTF-8, escaped", request("GET", "/%ff%fe%c3%28?next=%zz%ff%00"), [404]),
            ("NUL in a header", request("GET", "/login", "X-A: a\0b\r\n"), [400]),
            ("an unknown method", request("BREW", "/login"), [400]),
            // Too long.
            ("a long header", request("GET", "/login", "X-A: \(String(repeating: "a", count: 20_000))\r\n"), [400]),
            ("many headers", request("GET", "/login", (0..<200).map { "X-\($0): a\r\n" }.joined()), [400]),
            ("a long path", request("GET", "/" + String(repeating: "a", count: 20_000)), [400]),
            (
                "many cookies",
                request("GET", "/transactions/", "Cookie: \(String(repeating: "spendwise=sps_x; ", count: 800))\r\n"),
                [401]
            ),
            (
                "lists without end",
                request(
                    "POST", "/pair", "Content-Length: 1000\r\nContent-Type: application/json\r\n",
                    body: String(repeating: "[", count: 1000)), [422]
            ),
            (
                "objects without end",
                request(
                    "POST", "/pair", "Content-Length: 1000\r\nContent-Type: application/json\r\n",
                    body: String(repeating: #"{"a":"#, count: 200)), [422]
            ),
            (
                "a large body from anybody",
                request("POST", "/pair", "Content-Length: 3000000\r\n", body: String(repeating: "a", count: 3_000_000)),
                [422]
            ),
            (
                "small chunks without end",
                request(
                    "POST", "/pair", "Transfer-Encoding: chunked\r\n",
                    body: String(repeating: "1\r\na\r\n", count: 100_000)), [422]
            ),
            // Other protocols.
            ("HTTP/2", Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0], [400]),
            ("TLS", [0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3] + [UInt8](repeating: 0x61, count: 300), [400]),
            ("nothing but zeros", [UInt8](repeating: 0, count: 1000), [400]),
            ("no version", Array("GET /login\r\n\r\n".utf8), [400]),
        ]

        @Test(.timeLimit(.minutes(3))) func everyRequestIsRefused() throws {
            let site = try WebSite(", requests_per_minute: 0")
            for item in Self.cases {
                let answer = try HTTP.exchange(site.port, item.bytes, timeout: 10).text
                let statuses = answer.split(separator: "\r\n").filter { $0.hasPrefix("HTTP/1.1 ") }.compactMap {
                    Int($0.dropFirst(9).prefix(3))
                }
                #expect(statuses == item.statuses, "\(item.name): \(answer.prefix(400))")
                #expect(!answer.contains("root:"), "\(item.name)")
            }
            #expect(try HTTP.get("http://127.0.0.1:\(site.port)/login").status == 200)
            #expect(!site.log.contains("evil.example") && !site.log.contains("error"), "\(site.log)")
        }

        /// Hundreds of silent or incomplete connections of one client: the next request is served, and SIGTERM ends the
        /// daemon.
        @Test(.timeLimit(.minutes(2))) func manyOpenConnectionsDoNotBlockOthers() throws {
            let site = try WebSite(", requests_per_minute: 0")
            let halves = [
                "", "GET /login HT", "POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\npassph",
            ]
            let clients = try (0..<300).map { index in
                let client = try HTTP.connect(site.port)
                let bytes = Array(halves[index % halves.count].utf8)
                _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                return client
            }
            defer { for client in clients { close(client) } }
            #expect(try HTTP.get("http://127.0.0.1:\(site.port)/login").status == 200)
            var byte: UInt8 = 0
            #expect(recv(clients[0], &byte, 1, 0) <= 0, "the first has given way")
            #expect(recv(clients[299], &byte, 1, Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN, "the last has not")
            try site.daemon.logs("too many open connections")
            site.daemon.signal(SIGTERM)
            #expect(try site.daemon.exit(within: 15) == 0)
        }
    }
}
