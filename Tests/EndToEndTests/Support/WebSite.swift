import DovecotFixture
import Foundation
import GRDB
import LoopbackFixture
import Testing

/// The web role with its own ledger, and curl as its client.
final class WebSite {
    static let passphrase = "lamp river otter"
    static let curl = "/usr/bin/curl"

    let station: Station
    let port: UInt16
    private(set) var daemon: Program
    private let scheme: String

    /// - Parameter web: additional keys of `web:`, each after a comma.
    init(_ web: String = "", host: String = "127.0.0.1", prepare: (Station) throws -> String = { _ in "" }) throws {
        station = try Station()
        port = try freePort()
        let web = web + (try prepare(station))
        scheme = web.contains("tls:") ? "https" : "http"
        station.settings = "web: { listen: '\(host):\(port)'\(web) }"
        daemon = try station.start(["web"])
        try waitUntilItServes()
    }

    private func waitUntilItServes() throws { try daemon.logs("info serving") }

    /// The text that the daemon wrote to standard error.
    var log: String { daemon.errors }

    func restart(between: () throws -> Void) throws {
        daemon.signal(SIGTERM)
        guard try daemon.exit(within: 20) == 0 else { throw Failed(description: daemon.errors) }
        try between()
        daemon = try station.start(["web"])
        try waitUntilItServes()
    }

    func setPassphrase() throws {
        let set = try station.start(
            ["passphrase", "set"], of: "parserctl",
            input: try station.scratch.write(Self.passphrase + "\n", to: "passphrase"))
        guard try set.exit() == 0 else { throw Failed(description: set.errors) }
    }

    func token(_ name: String, _ arguments: [String] = []) throws -> String {
        try station.control(["token", "add", name] + arguments).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func sql(_ text: String) throws { try DatabaseQueue(path: station.database).write { try $0.execute(sql: text) } }

    /// Sends one request with curl. The status is 0 if there was no answer.
    func ask(_ path: String, _ arguments: [String] = []) throws -> HTTP.Answer { try finish(begin(path, arguments)) }

    func begin(_ path: String, _ arguments: [String] = []) throws -> Program {
        try Program(
            Self.curl,
            ["-sS", "-i", "--noproxy", "*", "--max-time", "30", "--path-as-is"] + arguments + [
                "\(scheme)://localhost:\(port)\(path)", "--ipv4",
            ], in: station.scratch)
    }

    func finish(_ program: Program) throws -> HTTP.Answer {
        try program.exit(within: 60)
        return HTTP.Answer(text: program.output)
    }

    func login(_ passphrase: String = WebSite.passphrase, _ arguments: [String] = []) throws -> HTTP.Answer {
        try ask("/login", ["--data-urlencode", "passphrase=\(passphrase)"] + arguments)
    }
}

extension HTTP.Answer {
    /// Returns the value of the first header field with that name.
    func header(_ name: String) -> String? {
        head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }.map {
            $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
        }
    }

    /// The cookie as a client returns it.
    var cookie: String? { header("Set-Cookie").map { String($0.prefix { $0 != ";" }) } }
}
