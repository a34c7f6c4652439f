import Chronology
import CourierFixture
import Glibc
import IMAP
import MailServerFixture
import Store
import Testing

@testable import Ingest

/// Courier's `imapd` with a Maildir, read without a login.
struct CourierServer {
    let mail: CourierMaildir

    init() throws {
        mail = try CourierMaildir()
        let client = try mail.connect()
        try client.command("CREATE INBOX.Junk")
        try client.command("SELECT INBOX.Junk")
    }

    /// One connection that reads INBOX once, as the daemon does.
    func pass(_ book: Book) throws -> PassSummary {
        var session = try Session(over: try CourierStream(mail), maximumMessageBytes: 1 << 20)
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

    init(_ mail: CourierMaildir) throws { connection = try CourierConnection(mail) }

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
    private let process: pid_t

    init(_ mail: CourierMaildir) throws { (socket, process) = try mail.connection() }

    deinit {
        close(socket)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
}
