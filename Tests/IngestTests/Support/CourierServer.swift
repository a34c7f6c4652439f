import Chronology
import ChronologyFixture
import Foundation
import Glibc
import IMAP
import Store
import Testing

@testable import Ingest

/// A Maildir behind Courier's `imapd`, one process per connection, without a login (PREAUTH).
///
/// Debian's courier-imap and dovecot-imapd exclude each other. To have both, unpack Courier (`dpkg -x`) and name its
/// program in SPENDWISE_COURIER.
final class CourierServer {
    static let program: String? = {
        let given = ProcessInfo.processInfo.environment["SPENDWISE_COURIER"]
        return ([given].compactMap(\.self) + ["/usr/bin/imapd"]).first { path in
            // Other packages have a program of this name, too.
            access(path, X_OK) == 0 && access(maildirmake(for: path), X_OK) == 0
        }
    }()

    private static func maildirmake(for program: String) -> String {
        program.replacing("/imapd", with: "/maildirmake.courier")
    }

    let folder: TemporaryFolder
    var path: String { folder.path + "/Maildir" }
    private var delivered = 0

    init() throws {
        folder = try TemporaryFolder()
        for name in ["", "/.Junk"] {
            for directory in ["cur", "new", "tmp"] {
                try FileManager.default.createDirectory(
                    atPath: path + name + "/" + directory, withIntermediateDirectories: true)
            }
        }
        try Data().write(to: URL(filePath: path + "/.Junk/maildirfolder"))
        // Until a program opens a folder for writing, Courier numbers it anew for every connection.
        var client = try connect()
        for name in ["INBOX", "INBOX.Junk"] { _ = try client.command("SELECT \(name)") }
    }

    /// - Returns: the path of the file.
    @discardableResult
    func deliver(_ mail: [UInt8], to folder: String = "") throws -> String {
        delivered += 1
        let name = "\(1_700_000_000 + delivered).\(delivered).host"
        try Data(mail).write(to: URL(filePath: "\(path)\(folder)/tmp/\(name)"))
        rename("\(path)\(folder)/tmp/\(name)", "\(path)\(folder)/new/\(name)")
        return "\(path)\(folder)/new/\(name)"
    }

    /// Removes a delivered file, which Courier may have moved to `cur`.
    func remove(_ file: String) throws {
        let name = file.split(separator: "/").last.map(String.init) ?? ""
        for directory in ["new", "cur"] {
            for entry in try FileManager.default.contentsOfDirectory(atPath: path + "/" + directory)
            where entry.hasPrefix(name) {
                try FileManager.default.removeItem(atPath: "\(path)/\(directory)/\(entry)")
            }
        }
    }

    /// Another program's connection.
    struct Client {
        fileprivate var stream: CourierStream
        private var number = 0
        private var received = ""

        init(stream: CourierStream) { self.stream = stream }

        /// - Parameter literal: sent after the continuation request.
        mutating func command(_ text: String, literal: [UInt8]? = nil) throws -> String {
            number += 1
            try send(Array("A\(number) \(text)\r\n".utf8))
            if let literal {
                _ = try read { $0.contains("\r\n+ ") || $0.hasPrefix("+ ") }
                try send(literal + [0x0D, 0x0A])
            }
            let tag = "A\(number)"
            let answer = try read {
                $0.contains("\(tag) OK") || $0.contains("\(tag) NO") || $0.contains("\(tag) BAD")
            }
            try #require(answer.contains("\(tag) OK"), "\(text): \(answer)")
            return answer
        }

        private mutating func send(_ bytes: [UInt8]) throws {
            try bytes.withUnsafeBytes { try stream.write($0, deadline: .after(.seconds(10))) }
        }

        private mutating func read(until isDone: (String) -> Bool) throws -> String {
            received = ""
            var bytes = [UInt8](repeating: 0, count: 4096)
            while !isDone(received) {
                let outcome = try bytes.withUnsafeMutableBytes {
                    try stream.read(into: $0, deadline: .after(.seconds(10)), wakeable: false)
                }
                guard case .bytes(let count) = outcome else { throw CocoaError(.fileReadUnknown) }
                received += String(decoding: bytes[..<count], as: UTF8.self)
            }
            return received
        }
    }

    func connect() throws -> Client { Client(stream: try CourierStream(path)) }

    /// One connection that reads INBOX once, as the daemon does.
    func pass(_ book: Book) throws -> PassSummary {
        var session = try Session(over: try CourierStream(path), maximumMessageBytes: 1 << 20)
        let pass = FolderPass(
            store: book.store, intake: try Sample.intake(), key: .init(mailbox: "personal", folder: "INBOX"),
            sinceDays: 90)
        let summary = try pass.run(&session)
        session.logout()
        return summary
    }
}

/// A connection to a process of Courier. The process ends with it.
struct CourierStream: ByteStream {
    private let connection: CourierConnection

    init(_ maildir: String) throws { connection = try CourierConnection(maildir) }

    mutating func read(
        into buffer: UnsafeMutableRawBufferPointer, deadline: Deadline, wakeable: Bool
    ) throws(IMAPError) -> ReadOutcome {
        var waiting = pollfd(fd: connection.socket, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, deadline.milliseconds()) > 0 else { return .timedOut }
        let count = Glibc.read(connection.socket, buffer.baseAddress, buffer.count)
        return count > 0 ? .bytes(count) : .closed
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer, deadline: Deadline) throws(IMAPError) {
        _ = Glibc.write(connection.socket, bytes.baseAddress, bytes.count)
    }
}

fileprivate final class CourierConnection {
    let socket: Int32
    private let process = Process()

    init(_ maildir: String) throws {
        var ends: (Int32, Int32) = (-1, -1)
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let status = withUnsafeMutableBytes(of: &ends) {
            socketpair(AF_UNIX, kind, 0, $0.bindMemory(to: Int32.self).baseAddress)
        }
        try #require(status == 0)
        socket = ends.0
        let program = try #require(CourierServer.program)
        let other = FileHandle(fileDescriptor: ends.1, closeOnDealloc: true)
        process.executableURL = URL(filePath: program)
        process.arguments = [maildir]
        process.environment = [
            "AUTHENTICATED": "user", "IMAP_CAPABILITY": "IMAP4rev1 UIDPLUS IDLE",
            "LD_LIBRARY_PATH": URL(filePath: program).deletingLastPathComponent().path + "/../lib",
        ]
        (process.standardInput, process.standardOutput) = (other, other)
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        close(socket)
        process.waitUntilExit()
    }
}
