import DovecotFixture
import Foundation
import Glibc
import LoopbackFixture
import Synchronization

/// A relay between the daemon and its server that simulates faults of the line: connections that stay open but carry no
/// data, as after a lost NAT entry or a pulled cable; connections that break after a number of bytes; delayed answers.
final class Relay: Sendable {
    /// A fault at one byte of the server's data, inside TLS.
    enum Fault: String, CaseIterable, Sendable {
        /// The end of the stream, without TLS's close_notify.
        case end
        /// A reset, as from a server that restarted.
        case reset
        /// One changed byte.
        case damage
    }

    let port: UInt16
    private let target: UInt16
    private let listener: Int32
    private let silentBelow = Atomic<Int>(0)
    private let accepted = Atomic<Int>(0)
    private let fromServer = Atomic<Int>(0)
    private let held = Atomic<Int>(.max)
    private let isHeld = Atomic<Bool>(false)
    private let wordsBeforeSilence = Atomic<Int>(.max)
    private let sockets = Mutex<[Int32]>([])
    private let fault = Mutex<(Fault, at: Int)?>(nil)

    init(to target: UInt16) throws {
        self.target = target
        port = try freePort()
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard Self.withLoopback(port, { bind(listener, $0, $1) }) == 0, listen(listener, 16) == 0 else {
            throw Failed(description: "relay: \(String(cString: strerror(errno)))")
        }
        Thread.detachNewThread { [self] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                // Programs started by a test must not inherit it.
                _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                serve(client)
            }
        }
    }

    /// Number of connections so far.
    var connections: Int { accepted.load(ordering: .acquiring) }

    /// Number of bytes that the server has sent.
    var bytes: Int { fromServer.load(ordering: .acquiring) }

    /// Silences all current connections without closing them.
    func fallSilent() { silentBelow.store(connections, ordering: .releasing) }

    /// Stops forwarding the server's data at an offset; `nil` resumes.
    func holds(at byte: Int?) { held.store(byte ?? .max, ordering: .releasing) }

    /// True if a connection has reached that offset.
    var isHolding: Bool { isHeld.load(ordering: .acquiring) }

    /// Silences the first connection after `count` messages of its client: the server receives the last one, but its
    /// answer never arrives.
    func fallsSilent(afterWords count: Int) { wordsBeforeSilence.store(count, ordering: .releasing) }

    /// Sets the fault of future connections; `nil` for none.
    func breaks(_ fault: Fault?, at byte: Int = 0) { self.fault.withLock { $0 = fault.map { ($0, at: byte) } } }

    func close() {
        shutdown(listener, Int32(SHUT_RDWR))
        sockets.withLock { for socket in $0 { shutdown(socket, Int32(SHUT_RDWR)) } }
    }

    private func serve(_ client: Int32) {
        let number = accepted.add(1, ordering: .acquiringAndReleasing).oldValue
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard Self.withLoopback(target, { connect(server, $0, $1) }) == 0 else {
            Glibc.close(client)
            Glibc.close(server)
            return
        }
        sockets.withLock { $0 += [client, server] }
        let fault = fault.withLock { $0 }
        for (from, to, counts) in [(client, server, false), (server, client, true)] {
            Thread.detachNewThread { [self] in
                var buffer = [UInt8](repeating: 0, count: 65536)
                var (before, words) = (0, 0)
                while case var count = read(from, &buffer, buffer.count), count > 0 {
                    if number < silentBelow.load(ordering: .acquiring) { continue }
                    if counts {
                        while before + count > held.load(ordering: .acquiring) {
                            isHeld.store(true, ordering: .releasing)
                            usleep(1000)
                        }
                    } else {
                        words += 1
                        if number == 0, words == wordsBeforeSilence.load(ordering: .acquiring) {
                            silentBelow.store(1, ordering: .releasing)
                        }
                    }
                    var ends = false
                    if counts {
                        fromServer.add(count, ordering: .relaxed)
                        if let fault, (before..<before + count).contains(fault.at) {
                            let place = fault.at - before
                            if fault.0 == .damage { buffer[place] ^= 0x55 } else { (count, ends) = (place, true) }
                        }
                        before += count
                    }
                    var sent = 0
                    while sent < count {
                        let written = buffer[sent..<count].withUnsafeBytes {
                            send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                        }
                        guard written > 0 else { break }
                        sent += written
                    }
                    if ends {
                        // connect(2) with AF_UNSPEC resets the connection.
                        if fault?.0 == .reset { Self.reset(to) }
                        break
                    }
                }
                // A silent connection does not end.
                if number >= silentBelow.load(ordering: .acquiring) {
                    for socket in [to, from] { shutdown(socket, Int32(SHUT_RDWR)) }
                }
            }
        }
    }

    /// Resets a connection: connect(2) with AF_UNSPEC.
    private static func reset(_ socket: Int32) {
        var nowhere = sockaddr()
        nowhere.sa_family = sa_family_t(AF_UNSPEC)
        connect(socket, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
    }

    private static func withLoopback(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
}
