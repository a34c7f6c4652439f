import Foundation
import Glibc
import LoopbackFixture

/// Error: the browser did not do what was requested.
public struct BrowserError: Error, CustomStringConvertible {
    public let description: String
}

/// A running `chromedriver`, ended with this value.
public final class WebDriver {
    private let process: pid_t
    let port: UInt16

    /// Time limit in seconds, far above what a loaded machine needs. Reaching it is a failure.
    static let timeout = 120.0

    /// True if this machine has Chromium and its driver.
    public static var isInstalled: Bool { path != nil }
    private static let path = (["/usr/bin/chromedriver", "/usr/local/bin/chromedriver"] as [String]).first {
        access($0, X_OK) == 0
    }

    public init() throws {
        guard let path = Self.path else {
            throw BrowserError(description: "chromedriver is not installed: run scripts/install-dependencies")
        }
        port = try freePort()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        for descriptor in [Int32(0), 1, 2] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        // A new process group, so that the browsers end with the driver.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        var argv = [strdup(path), strdup("--port=\(port)"), nil]
        defer {
            for pointer in argv { free(pointer) }
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        var process: pid_t = 0
        guard posix_spawn(&process, path, &actions, &attributes, &argv, environ) == 0 else {
            throw BrowserError(description: "\(path) does not start")
        }
        self.process = process
        try waitUntil("chromedriver answers") { (try? self.ask("GET", "/status")) != nil }
    }

    deinit {
        kill(-process, SIGTERM)
        var status: Int32 = 0
        for _ in 0..<500 where waitpid(process, &status, WNOHANG) == 0 { usleep(10_000) }
        kill(-process, SIGKILL)
    }

    /// Sends one command (W3C WebDriver, section 6). Returns its value.
    @discardableResult
    func ask(_ method: String, _ path: String, _ body: [String: Any]? = nil) throws -> Any? {
        let bytes = try body.map { [UInt8](try JSONSerialization.data(withJSONObject: $0)) } ?? []
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(client) }
        var timeout = timeval(tv_sec: Int(Self.timeout), tv_usec: 0)
        setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw BrowserError(description: "chromedriver does not listen") }
        var request =
            Array(
                "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: \(bytes.count)\r\nConnection: close\r\n\r\n"
                    .utf8) + bytes
        while !request.isEmpty {
            let sent = send(client, request, request.count, Int32(MSG_NOSIGNAL))
            guard sent > 0 else { throw BrowserError(description: "\(path): not sent") }
            request.removeFirst(sent)
        }
        return try Self.value(of: try answer(client, path), path)
    }

    /// Reads an answer of Content-Length bytes: not every version closes the connection.
    private func answer(_ client: Int32, _ path: String) throws -> [UInt8] {
        var answer: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65536)
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let head = answer.firstRange(of: end) {
                let text = String(decoding: answer[..<head.lowerBound], as: UTF8.self).lowercased()
                let line = text.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
                if let length = line.flatMap({ Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }),
                    answer.count >= head.upperBound + length
                {
                    return Array(answer[head.upperBound..<(head.upperBound + length)])
                }
            }
            let count = recv(client, &piece, piece.count, 0)
            guard count > 0 else { throw BrowserError(description: "\(path): no answer in \(Int(Self.timeout)) s") }
            answer += piece[..<count]
        }
    }

    private static func value(of body: [UInt8], _ path: String) throws -> Any? {
        let object = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        if let fault = object?["value"] as? [String: Any], let kind = fault["error"] as? String {
            throw BrowserError(description: "\(path): \(kind): \("\(fault["message"] ?? "")".prefix(300))")
        }
        return object?["value"]
    }
}

/// Polls until `condition` holds. Requests that fail during a navigation are repeated.
func waitUntil(_ what: @autoclosure () throws -> String, _ condition: () throws -> Bool) throws {
    let end = Date(timeIntervalSinceNow: WebDriver.timeout)
    while true {
        var fault: BrowserError?
        do { if try condition() { return } } catch let error as BrowserError { fault = error }
        guard Date() < end else {
            throw BrowserError(
                description:
                    "waited \(Int(WebDriver.timeout)) s in vain: \((try? what()) ?? "") \(fault?.description ?? "")")
        }
        usleep(20_000)
    }
}
