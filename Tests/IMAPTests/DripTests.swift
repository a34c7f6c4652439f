import Chronology
import ChronologyFixture
import Glibc
import Testing

@testable import IMAP

/// A server that never completes a response: it sends a few bytes repeatedly, each time before an idle timeout.
struct SlowServer: ByteStream {
    let capabilities: Capabilities?
    var first: [UInt8]
    let forever: [UInt8]
    let chunk: Int
    var at = 0
    let budget = ReadBudget()

    final class ReadBudget {
        /// Number of reads after which the connection ends; a client that gets there has no deadline.
        var left = 4000
    }

    var canCompress: Bool { true }

    mutating func read(
        into buffer: UnsafeMutableRawBufferPointer, deadline: Deadline, wakeable: Bool
    ) throws(IMAPError) -> ReadOutcome {
        if !first.isEmpty {
            let count = min(first.count, buffer.count)
            buffer.copyBytes(from: first.prefix(count))
            first.removeFirst(count)
            return .bytes(count)
        }
        if deadline.isPast { return .timedOut }
        // Simulates the slow server.
        usleep(500)
        budget.left -= 1
        if budget.left < 0 { return .closed }
        let count = min(chunk, buffer.count)
        for index in 0..<count { buffer[index] = forever[(at + index) % forever.count] }
        at += count
        return .bytes(count)
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer, deadline: Deadline) throws(IMAPError) {}

    mutating func startCompression(received: UnsafeRawBufferPointer) throws(IMAPError) {}
}

/// Every command has its own deadline, which received bytes do not extend.
@Suite struct DripTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var capabilities: [String]? = ["IMAP4rev1", "IDLE", "ESEARCH"]
        /// Response that arrives at once.
        var first = ""
        let run: @Sendable (inout Session<SlowServer>) throws -> Void
    }

    static let cases: [Case] = [
        Case(testDescription: "CAPABILITY", capabilities: nil, run: { _ in }),
        Case(testDescription: "ID", capabilities: ["ID"], run: { _ in }),
        Case(testDescription: "EXAMINE", run: { _ = try $0.examine(.inbox) }),
        Case(testDescription: "STATUS", run: { _ = try $0.status(of: [.inbox, FolderName("Bank")]) }),
        Case(testDescription: "LIST", run: { _ = try $0.folder(for: "\\All") }),
        Case(testDescription: "LIST of all folders", run: { _ = try $0.folders() }),
        Case(testDescription: "COMPRESS", capabilities: ["COMPRESS=DEFLATE"], run: { _ = try $0.compress() }),
        Case(testDescription: "UID SEARCH", run: { _ = try $0.search(SearchCriteria(from: ["a.example"])) }),
        Case(
            testDescription: "UID SEARCH without OR", capabilities: [], first: "S1 BAD what\r\n",
            run: { _ = try $0.search(SearchCriteria(from: ["a.example", "b.example"])) }),
        Case(
            testDescription: "UID SEARCH X-GM-RAW", capabilities: ["X-GM-EXT-1"],
            run: { _ = try $0.search(SearchCriteria(from: ["a.example"])) }),
        Case(
            testDescription: "UID FETCH X-GM-MSGID", capabilities: ["X-GM-EXT-1"],
            run: { _ = try $0.gmailMessageIDs(of: UIDSet("1:3") ?? UIDSet()) }),
        Case(
            testDescription: "UID FETCH",
            run: {
                try $0.fetch(UIDSet("1:3") ?? UIDSet()) { _ in
                } done: { _ in
                }
            }),
        Case(
            testDescription: "UID FETCH, in the middle of a mail", first: "* 1 FETCH (UID 1 BODY[]<0> {99999999}\r\n",
            run: {
                try $0.fetch(UIDSet("1:3") ?? UIDSet()) { _ in
                } done: { _ in
                }
            }),
        Case(testDescription: "UID FETCH BODYSTRUCTURE", run: { _ = try $0.structure(of: .min) }),
        Case(testDescription: "UID FETCH of parts", run: { _ = try $0.sections(["1"], of: .min) }),
        Case(
            testDescription: "UID FETCH of message identities", run: { _ = try $0.identities(of: UIDSet(.min)) }),
        Case(testDescription: "NOOP", run: { try $0.noop() }),
        Case(testDescription: "IDLE", run: { _ = try $0.idle() }),
        Case(testDescription: "DONE", first: "+ idling\r\n", run: { _ = try $0.idle(renewAfter: .milliseconds(20)) }),
        Case(
            testDescription: "NOOP behind a pause", capabilities: [], run: { _ = try $0.pause(for: .milliseconds(20)) }),
    ]

    @Test(arguments: cases, [1, 18]) func receivedBytesExtendNoDeadline(item: Case, chunk: Int) throws {
        let slow = SlowServer(
            capabilities: item.capabilities.map { Capabilities($0) }, first: Array(item.first.utf8),
            forever: Array("* OK Still here\r\n".utf8), chunk: chunk)
        let error = try #require(throws: IMAPError.self) {
            var session = try Session(over: slow, timing: Self.timing)
            try item.run(&session)
        }
        #expect(error.kind == .timedOut)
    }

    static let timing: Timing = {
        var timing = Timing()
        (timing.answer, timing.probe, timing.search, timing.silence) = (
            .milliseconds(30), .milliseconds(30), .milliseconds(30), .milliseconds(30)
        )
        return timing
    }()

    /// Half a number, half a literal: the response to LOGOUT is not awaited to its end, either.
    @Test(arguments: ["* OK Still here\r\n", "* X-NEWS {100000}\r\n"]) func responseToLogoutHasATimeout(
        forever: String
    ) throws {
        var timing = Self.timing
        timing.farewell = .milliseconds(20)
        let slow = SlowServer(capabilities: Capabilities(), first: [], forever: Array(forever.utf8), chunk: 5)
        let budget = slow.budget
        let session = try Session(over: slow, timing: timing)
        session.logout()
        #expect(budget.left > 0)
    }
}
