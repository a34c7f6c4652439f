public import Glibc

/// A connection of another mail program, without TLS. It ends with this value.
public final class MailClient {
    private let socket: Int32
    private let process: pid_t?
    private var number = 0
    private var unread: [UInt8] = []

    /// Reads the greeting.
    ///
    /// - Parameter process: the server of this connection alone, which ends with it.
    public init(socket: Int32, process: pid_t? = nil) throws {
        (self.socket, self.process) = (socket, process)
        var timeout = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        _ = try readLine()
    }

    /// Connects to a port of the loopback interface.
    public convenience init(port: UInt16) throws {
        guard let socket = connection(to: port, seconds: 30) else {
            throw FixtureError(description: "no server on port \(port)")
        }
        try self.init(socket: socket)
    }

    deinit {
        close(socket)
        var status: Int32 = 0
        if let process { while waitpid(process, &status, 0) < 0, errno == EINTR {} }
    }

    /// Sends a command.
    ///
    /// - Parameter literal: sent after the continuation request.
    /// - Returns: the whole answer.
    /// - Throws: ``FixtureError`` with the answer if it is not OK.
    @discardableResult
    public func command(_ text: String, literal: [UInt8]? = nil) throws -> String {
        number += 1
        let tag = "A\(number) "
        try send(Array("\(tag)\(text)\r\n".utf8))
        var answer = ""
        while true {
            let line = try readLine()
            answer += line
            if let literal, line.hasPrefix("+ ") { try send(literal + [0x0D, 0x0A]) }
            guard line.hasPrefix(tag) else { continue }
            if line.hasPrefix(tag + "OK") { return answer }
            throw FixtureError(description: "\(text): \(answer)")
        }
    }

    /// Appends a message to a folder, whose name is quoted modified UTF-7.
    public func append(_ bytes: [UInt8], to folder: String) throws {
        try command("APPEND \(folder) {\(bytes.count)}", literal: bytes)
    }

    /// Returns the FETCH responses with the flags of all messages of a folder, without \Recent, which concerns one
    /// session.
    public func flags(of folder: String) throws -> [String] {
        try command("EXAMINE \(folder)")
        return try command("UID FETCH 1:* (FLAGS)").split(separator: "\r\n").filter { $0.contains("FETCH (") }.map {
            String($0).replacing("\\Recent ", with: "").replacing(" \\Recent", with: "").replacing("\\Recent", with: "")
        }
    }

    /// Returns the UIDVALIDITY of a folder, which is opened for writing.
    public func uidValidity(of folder: String) throws -> UInt32 {
        let answer = try command("SELECT \(folder)")
        let value = answer.split(separator: "[UIDVALIDITY ").dropFirst().first?.prefix { $0.isNumber }
        guard let value = value.flatMap({ UInt32($0) }) else {
            throw FixtureError(description: "\(folder) has no UIDVALIDITY: \(answer)")
        }
        return value
    }

    private func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw FixtureError(description: "the server closed the connection") }
            sent += count
        }
    }

    /// Returns a line with its end.
    private func readLine() throws -> String {
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            if let end = unread.firstIndex(of: 0x0A) {
                defer { unread.removeSubrange(...end) }
                return String(decoding: unread[...end], as: UTF8.self)
            }
            let count = read(socket, &piece, piece.count)
            guard count > 0 else {
                throw FixtureError(
                    description: "no answer of the server after '\(String(decoding: unread, as: UTF8.self))'")
            }
            unread += piece[..<count]
        }
    }
}
