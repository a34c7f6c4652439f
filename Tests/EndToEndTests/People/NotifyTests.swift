import DovecotFixture
import Glibc
import LoopbackFixture
import Testing

/// systemd's notification socket: a datagram socket in the file system or in the abstract namespace.
fileprivate final class NotifySocket {
    private let descriptor: Int32
    /// For `$NOTIFY_SOCKET`. A leading @ denotes the abstract namespace.
    let name: String

    init(_ name: String) throws {
        self.name = name
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            path.copyBytes(from: name.utf8)
            if name.hasPrefix("@") { path[0] = 0 }
        }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard bound == 0 else { throw Failed(description: "\(name): \(String(cString: strerror(errno)))") }
        var timeout = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Fills the receive buffer, so that further senders block.
    func fill() throws {
        let sender = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(sender) }
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let known = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &length) == 0 && connect(sender, $0, length) == 0
            }
        }
        guard known else { throw Failed(description: "\(name): \(String(cString: strerror(errno)))") }
        while send(sender, "x", 1, Int32(MSG_DONTWAIT)) == 1 {}
    }

    /// The messages that have arrived and were not read.
    func unread() -> [String] {
        var messages: [String] = []
        while let message = receive(Int32(MSG_DONTWAIT)) { messages.append(message) }
        return messages
    }

    /// The next message; `nil` if none arrives in time.
    private func receive(_ flags: Int32 = 0) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, flags)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    /// Reads and returns messages up to the first that begins with `words`.
    @discardableResult
    func expect(_ words: String) throws -> [String] {
        var seen: [String] = []
        while seen.count < 1000, let message = receive() {
            seen.append(message)
            if message.hasPrefix(words) { return seen }
        }
        throw Failed(description: "no '\(words)' on \(name), only \(seen)")
    }
}

extension EndToEnd {
    @Suite struct ServiceManager {
        @Test(.timeLimit(.minutes(2)), arguments: [false, true]) func stateIsReportedToSystemd(abstract: Bool) throws {
            let station = try Station()
            let socket = try NotifySocket((abstract ? "@" : "") + station.scratch.path + "/notify")
            let daemon = try station.start(
                ["ingest"], environment: ["NOTIFY_SOCKET": socket.name, "WATCHDOG_USEC": "100000"])
            try socket.expect("READY=1")
            // Twice: it repeats.
            try socket.expect("WATCHDOG=1")
            try socket.expect("WATCHDOG=1")
            try daemon.logs("watching")
            #expect(try socket.expect("STATUS=personal: watching").count > 0)
            daemon.signal(SIGHUP)
            let reloading = try #require(try socket.expect("RELOADING=1").last)
            #expect(reloading.contains("\nMONOTONIC_USEC="))
            try socket.expect("READY=1")
            daemon.signal(SIGTERM)
            try socket.expect("STOPPING=1")
            #expect(try daemon.exit(within: 10) == 0)
        }

        /// A reload immediately after READY=1 must not end the process.
        @Test(.timeLimit(.minutes(2))) func reloadRightAfterStart() throws {
            let station = try Station()
            let socket = try NotifySocket(station.scratch.path + "/notify")
            try socket.fill()
            let daemon = try station.start(["ingest"], environment: ["NOTIFY_SOCKET": socket.name])
            // The daemon blocks in READY=1 until it is read below.
            try waitUntil("SIGHUP to be caught or ignored\n\(daemon.errors)") {
                daemon.catches(SIGHUP) || daemon.hasEnded
            }
            daemon.signal(SIGHUP)
            try socket.expect("READY=1")
            try socket.expect("RELOADING=1")
            try socket.expect("READY=1")
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
        }

        /// A client that starts after READY=1 is served, and a web role that cannot listen is never ready.
        @Test(.timeLimit(.minutes(2))) func webRoleIsReadyWhenItListens() throws {
            let station = try Station()
            let port = try freePort()
            station.settings = "web: { listen: '127.0.0.1:\(port)' }"
            let socket = try NotifySocket(station.scratch.path + "/notify")
            let environment = ["NOTIFY_SOCKET": socket.name]
            let daemon = try station.start(["web"], environment: environment)
            try socket.expect("READY=1")
            let client = try Program(WebSite.curl, ["-sS", "http://127.0.0.1:\(port)/login"], in: station.scratch)
            #expect(try client.exit(within: 60) == 0, "\(client.errors)")
            let second = try station.start(["web"], environment: environment)
            #expect(try second.exit(within: 60) == 1)
            #expect(!socket.unread().contains { $0.hasPrefix("READY=1") })
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
        }

        /// WATCHDOG_PID of another process disables the watchdog (sd_watchdog_enabled(3)).
        @Test(.timeLimit(.minutes(2))) func watchdogOfAnotherProcessIsIgnored() throws {
            let station = try Station()
            let socket = try NotifySocket(station.scratch.path + "/notify")
            let daemon = try station.start(
                ["ingest"], environment: ["NOTIFY_SOCKET": socket.name, "WATCHDOG_USEC": "50000", "WATCHDOG_PID": "1"])
            try daemon.logs("watching")
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            let output = try socket.expect("STOPPING=1")
            #expect(!output.contains("WATCHDOG=1"))
        }
    }
}
