import Chronology
import ChronologyFixture
import Testing

@testable import IMAP

/// A server that repeats one response without end, as fast as it is read.
fileprivate struct Flood: ByteStream {
    var once: [UInt8]
    let forever: [UInt8]
    var given = 0
    /// Number of bytes after which the connection ends; a test that needs more has failed.
    let limit: Int
    var capabilities: Capabilities? { Capabilities() }

    mutating func read(
        into buffer: UnsafeMutableRawBufferPointer, deadline: Deadline, wakeable: Bool
    ) throws(IMAPError) -> ReadOutcome {
        if given > limit { return .closed }
        if !once.isEmpty {
            let count = min(once.count, buffer.count)
            buffer.copyBytes(from: once.prefix(count))
            once.removeFirst(count)
            given += count
            return .bytes(count)
        }
        var count = 0
        while count + forever.count <= buffer.count {
            UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyBytes(from: forever)
            count += forever.count
        }
        if count == 0 {
            buffer[0] = 0x20
            count = 1
        }
        given += count
        return .bytes(count)
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer, deadline: Deadline) throws(IMAPError) {}
}

/// A server that sends a few bytes from time to time, so that it is never idle.
fileprivate struct Drip: ByteStream {
    var once: [UInt8]
    let forever: [UInt8]
    var capabilities: Capabilities? { Capabilities() }

    mutating func read(
        into buffer: UnsafeMutableRawBufferPointer, deadline: Deadline, wakeable: Bool
    ) throws(IMAPError) -> ReadOutcome {
        if deadline.isPast { return .timedOut }
        let bytes = once.isEmpty ? forever : once
        once = []
        buffer.copyBytes(from: bytes)
        return .bytes(bytes.count)
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer, deadline: Deadline) throws(IMAPError) {}
}

@Suite struct LimitTests {
    /// A byte from time to time does not keep the session alive.
    @Test(arguments: [
        ("", "* OK Still here\r\n"), ("* 1 FETCH (UID 1 BODY[] {99999999}\r\n", "x"), ("* 1 FETCH (FLAGS ()", " "),
    ])
    func slowDripIsNoProgress(once: String, forever: String) throws {
        var timing = Timing()
        timing.search = .milliseconds(1)
        var session = try Session(
            over: Drip(once: Array(once.utf8), forever: Array(forever.utf8)), maximumMessageBytes: 1000, timing: timing)
        session.unrelatedLimit = .max
        let error = try #require(throws: IMAPError.self) {
            try session.fetch(UIDSet("1") ?? UIDSet()) { _ in
            } done: { _ in
            }
        }
        #expect(error.kind == .timedOut)
    }

    private func failure(_ once: String, _ forever: String, limit: Int) throws -> IMAPError.Kind? {
        var session = try Session(
            over: Flood(once: Array(once.utf8), forever: Array(forever.utf8), limit: limit), maximumMessageBytes: 1000)
        session.unrelatedLimit = 1000
        do {
            try session.fetch(UIDSet("1") ?? UIDSet()) { _ in
            } done: { _ in
            }
        } catch let error as IMAPError { return error.kind }
        return nil
    }

    struct Endless: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let once: String
        let forever: String
        /// Megabytes after which the server ends; a client that reads them has no limit.
        var megabytes = 1
    }

    static let endless: [Endless] = [
        Endless(testDescription: "a line that does not end", once: "* OK ", forever: "x"),
        Endless(testDescription: "a tag that does not end", once: "S", forever: "1"),
        Endless(testDescription: "a list that does not end", once: "* 1 FETCH (FLAGS (", forever: "a "),
        Endless(testDescription: "literals that do not end", once: "* 1 FETCH (X ", forever: "{0}\r\n"),
        Endless(testDescription: "a search that does not end", once: "* SEARCH", forever: " 1", megabytes: 20),
        Endless(testDescription: "untagged responses without end", once: "", forever: "* 1 RECENT\r\n"),
        Endless(testDescription: "FETCH responses without end", once: "", forever: "* 1 FETCH (UID 9 BODY[] NIL)\r\n"),
        Endless(
            testDescription: "a literal beyond 32 bits", once: "* 1 FETCH (UID 1 BODY[] {4294967296}\r\n", forever: "x"),
        Endless(
            testDescription: "a literal beyond 64 bits", once: "* 1 FETCH (UID 1 BODY[] {99999999999999999999999}\r\n",
            forever: "x"),
    ]

    @Test(arguments: endless) func ends(_ endless: Endless) throws {
        #expect(try failure(endless.once, endless.forever, limit: endless.megabytes << 20) == .limit)
    }

    @Test func nesting() throws {
        let deep =
            "* 1 FETCH (X " + String(repeating: "(", count: 200) + String(repeating: ")", count: 200) + " UID 1)\r\n"
        #expect(try failure(deep, "x", limit: 100_000) == .malformed)
        let depth = WireLimits.nesting
        let allowed =
            "* 1 FETCH (X " + String(repeating: "(", count: depth) + String(repeating: ")", count: depth)
            + " UID 1)\r\nS1 OK x\r\n"
        #expect(try failure(allowed, "x", limit: 100_000) == nil)
    }

    /// Memory is limited by the retained bytes, whatever size is announced and sent.
    @Test func literalOfAGigabyteIsDiscardedWhileReading() throws {
        let text = "* 1 FETCH (UID 1 BODY[] {4000000000}\r\n"
        var reader = WireReader(keep: 1000)
        reader.grow()
        var stream = Flood(once: Array(text.utf8), forever: Array(repeating: 0x78, count: 4096), limit: 20 << 20)
        let error = #expect(throws: IMAPError.self) {
            _ = try reader.next(from: &stream, timeout: .idle(.seconds(1)), wakeable: false)
        }
        #expect(error?.kind == .closed)
        #expect(reader.received > 19 << 20)
        #expect(reader.capacity <= WireReader.workingCapacity * 2)
    }

    /// A literal with too large a size contains the following text; one with too small a size leaves text where the
    /// grammar continues. Either must end the session and never deliver a forged message.
    @Test(arguments: [3, 5, 12, 39]) func literalsWithAWrongLength(_ size: Int) throws {
        let script = Script([
            .c("S1 UID FETCH 1:2 (UID INTERNALDATE RFC822.SIZE BODY.PEEK[]<0.100>)"),
            .s("* 1 FETCH (UID 1 BODY[] {\(size)}\r\nabcd)"), .s("* 2 FETCH (UID 2 BODY[] \(literal("efgh")))"),
            .s("S1 OK done"),
        ])
        var session = try Session(
            over: ScriptedStream(script: script, capabilities: Capabilities()), maximumMessageBytes: 100)
        var mails: [UInt32] = []
        #expect(throws: IMAPError.self) {
            try session.fetch(UIDSet("1:2") ?? UIDSet()) {
                mails.append($0.uid.rawValue)
            } done: { _ in
            }
        }
        #expect(mails.isEmpty)
    }
}
