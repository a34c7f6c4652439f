import COpenSSL
import Glibc

/// An HTTP request.
struct Request {
    var method: String
    var target: String
    /// Header fields, names in lower case.
    var headers: [String: String] = [:]
    var body: String
}

/// A connected socket, with or without TLS.
final class Peer {
    private let descriptor: Int32
    private let tls: OpaquePointer?

    init?(_ descriptor: Int32, context: OpaquePointer?) {
        self.descriptor = descriptor
        var timeout = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        guard let context else {
            tls = nil
            return
        }
        tls = SSL_new(context)
        SSL_set_fd(tls, descriptor)
        guard SSL_accept(tls) == 1 else { return nil }
    }

    deinit {
        if let tls {
            SSL_shutdown(tls)
            SSL_free(tls)
        }
        // Read to the end: closing with unread data resets the connection, and the client may lose the answer.
        shutdown(descriptor, Int32(SHUT_WR))
        var timeout = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var rest = [UInt8](repeating: 0, count: 4096)
        while recv(descriptor, &rest, rest.count, 0) > 0 {}
        close(descriptor)
    }

    /// Reads up to 4096 bytes; returns none at the end of the stream.
    func read() -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: 4096)
        let count = tls.map { Int(SSL_read($0, &piece, 4096)) } ?? recv(descriptor, &piece, 4096, 0)
        return Array(piece.prefix(max(0, count)))
    }

    /// - Returns: false if the peer has closed.
    @discardableResult
    func write(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                tls.map { Int(SSL_write($0, bytes.baseAddress, Int32(bytes.count))) }
                    ?? send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    func request() -> Request? {
        var bytes: [UInt8] = []
        while true {
            if let end = bytes.indices.first(where: { bytes[$0...].starts(with: Array("\r\n\r\n".utf8)) }) {
                let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
                let length =
                    lines.first { $0.lowercased().hasPrefix("content-length:") }.flatMap {
                        Int($0.dropFirst(15).drop { $0 == " " })
                    } ?? 0
                while bytes.count < end + 4 + length {
                    let more = read()
                    if more.isEmpty { return nil }
                    bytes += more
                }
                let words = lines.first?.split(separator: " ") ?? []
                guard words.count == 3 else { return nil }
                let headers = lines.dropFirst().compactMap { line -> (String, String)? in
                    guard let colon = line.firstIndex(of: ":") else { return nil }
                    return (line[..<colon].lowercased(), String(line[line.index(after: colon)...].drop { $0 == " " }))
                }
                return Request(
                    method: String(words[0]), target: String(words[1]), headers: Dictionary(headers) { $1 },
                    body: String(decoding: bytes[(end + 4)...], as: UTF8.self))
            }
            let more = read()
            if more.isEmpty { return nil }
            bytes += more
        }
    }

    func answer(_ status: Int, _ body: String, type: String = "application/json") {
        write(
            "HTTP/1.1 \(status) X\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
        )
    }
}

/// A listener on a port of the loopback interface with one thread a connection.
final class Listener: @unchecked Sendable {  // its stored values are constant; threads only accept
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (socket, size) = (descriptor, length)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 && listen(socket, 64) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard isBound else {
            throw AuthorizationFixture.Failure(description: "no port: \(String(cString: strerror(errno)))")
        }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }

    /// Ends every `accept`.
    func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Starts the accepting thread, which keeps this value alive until ``stop()``: a descriptor closed earlier could be
    /// reused by another listener.
    func serve(_ each: @escaping @Sendable (Int32) -> Void) {
        Self.thread { [self] in
            while true {
                let client = accept(descriptor, nil, nil)
                if client < 0 {
                    if errno == EINTR || errno == ECONNABORTED { continue }
                    return
                }
                _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                Self.thread { each(client) }
            }
        }
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private static func thread(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Work(body))
        let status = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        if status == 0 { pthread_detach(thread) } else { work.release() }
    }
}
