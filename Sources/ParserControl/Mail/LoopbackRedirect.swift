import Chronology
import Glibc

/// Receives the redirect of the authorization server on the loopback interface (RFC 8252 section 7.3): plain HTTP, GET
/// only.
final class LoopbackRedirect {
    let port: UInt16
    private let listener: Int32

    struct Failure: Error, CustomStringConvertible { let description: String }

    /// The maximum number of bytes of a request: far more than a browser's header has.
    private static let maximumRequest = 32 << 10
    /// Limits how long a silent connection keeps the browser waiting.
    private static let readTimeout = timeval(tv_sec: 5, tv_usec: 0)

    /// - Parameter port: 0 for any free port.
    init(port wanted: UInt16) throws(Failure) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var on: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = wanted.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else {
            let reason = String(cString: strerror(errno))
            close(listener)
            throw Failure(
                description:
                    "cannot wait on 127.0.0.1:\(wanted) for the browser: \(reason)\nChoose another redirect_port, or use --paste."
            )
        }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(listener) }

    enum Reply {
        /// The login is over.
        case end(title: String, text: String)
        /// A request of another or an older login.
        case goOn(title: String, text: String)
        case notFound
    }

    /// Answers requests as `judge` decides by their targets, until it ends the login or the time is over.
    ///
    /// - Returns: false if the time is over.
    func serve(seconds: Int, judge: (_ target: String) -> Reply) -> Bool {
        let end = Self.now + seconds
        while Self.now < end {
            var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, Int32(max(1, end - Self.now)) * 1000) > 0 else { continue }
            let client = accept(listener, nil, nil)
            guard client >= 0 else { continue }
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            defer { close(client) }
            guard let target = Self.target(client) else {
                Self.send(client, "400 Bad Request", title: "Bad request", text: "")
                continue
            }
            switch judge(target) {
            case .end(let title, let text):
                Self.send(client, "200 OK", title: title, text: text)
                return true
            case .goOn(let title, let text): Self.send(client, "400 Bad Request", title: title, text: text)
            case .notFound: Self.send(client, "404 Not Found", title: "Nothing here", text: "")
            }
        }
        return false
    }

    private static var now: Int { Int(SystemClock.monotonic.seconds) }

    /// The target of `GET TARGET HTTP/1.1`. The whole header is read: closing a socket with unread data would reset the
    /// connection.
    private static func target(_ client: Int32) -> String? {
        var timeout = readTimeout
        setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var request: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while request.count < maximumRequest, !request.ends(with: "\r\n\r\n") {
            let count = recv(client, &piece, piece.count, 0)
            guard count > 0 else { return nil }
            request += piece[..<count]
        }
        let words = request.prefix { $0 != 0x0D && $0 != 0x0A }.split(separator: 0x20)
        guard words.count == 3, words[0].elementsEqual("GET".utf8) else { return nil }
        return String(decoding: words[1], as: UTF8.self)
    }

    /// All texts are constant: nothing of the request is repeated.
    private static func send(_ client: Int32, _ status: String, title: String, text: String) {
        let page = """
            <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>SpendWise</title>
            <body style="font:1.1em system-ui;max-width:32em;margin:4em auto;padding:0 1em"><h1>\(title)</h1><p>\(text)</p></body></html>

            """
        let answer = Array(
            """
            HTTP/1.1 \(status)\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: \(page.utf8.count)\r\nConnection: close\r
            Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nContent-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\n\r\n\(page)
            """.utf8)
        var rest = answer[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
        shutdown(client, Int32(SHUT_WR))
    }
}

extension [UInt8] {
    fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
