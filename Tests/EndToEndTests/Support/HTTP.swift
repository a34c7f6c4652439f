import Glibc

/// A minimal HTTP client for ports of the loopback interface.
enum HTTP {
    struct Answer {
        /// The whole answer.
        var text: String
        var status: Int { Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0 }
        var head: String { String(text.split(separator: "\r\n\r\n", maxSplits: 1).first ?? "") }
        var body: String { text.split(separator: "\r\n\r\n", maxSplits: 1).dropFirst().first.map(String.init) ?? "" }
    }

    /// - Parameter url: `http://HOST:PORT/...`. HOST is ignored.
    static func get(_ url: String, host: String = "localhost") throws -> Answer { try send("GET", url, host: host) }

    /// - Parameter json: the body.
    static func send(_ method: String, _ url: String, host: String = "localhost", json: String? = nil) throws -> Answer
    {
        let parts = url.split(separator: "/", maxSplits: 2)
        guard parts.count > 1, let port = parts[1].split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw Failed(description: "no URL: \(url)")
        }
        var head = "\(method) /\(parts.count > 2 ? parts[2] : "") HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n"
        if let json { head += "Content-Type: application/json\r\nContent-Length: \(json.utf8.count)\r\n" }
        return try exchange(port, Array((head + "\r\n" + (json ?? "")).utf8))
    }

    /// Sends raw bytes and reads until the server closes or is silent for `timeout` seconds.
    static func exchange(_ port: UInt16, _ request: [UInt8], timeout: Int = 20) throws -> Answer {
        let client = try connect(port, timeout: timeout)
        defer { close(client) }
        // A server that refuses early does not read everything.
        _ = Glibc.send(client, request, request.count, Int32(MSG_NOSIGNAL))
        var answer: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(client, &piece, piece.count, 0)
            if count <= 0 { break }
            answer += piece[..<count]
        }
        return Answer(text: String(decoding: answer, as: UTF8.self))
    }

    /// - Parameter timeout: in seconds, for sending and for receiving.
    static func connect(_ port: UInt16, timeout: Int = 20) throws -> Int32 {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var timeout = timeval(tv_sec: timeout, tv_usec: 0)
        setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else {
            let reason = String(cString: strerror(errno))
            close(client)
            throw Failed(description: "port \(port): \(reason)")
        }
        return client
    }
}
