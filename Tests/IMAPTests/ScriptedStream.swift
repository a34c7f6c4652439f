import Chronology
import ChronologyFixture

@testable import IMAP

/// One step of a scripted session.
enum Step: Sendable {
    /// The client must have sent this line (without CR LF).
    case c(String)
    /// The server sends these bytes; CR LF is added.
    case s(String)
    /// The server sends exactly this.
    case raw([UInt8])
    /// Nothing comes until the deadline.
    case silence
    /// `Wake.wake()`.
    case wake
    /// `Wake.stop()`.
    case stop
}

/// Plays the server's part of a session, in pieces of any size, and checks the client's part.
final class Script {
    private var steps: [Step]
    private var next = 0
    private var offset = 0
    private var sent: [String] = []
    private var partial: [UInt8] = []
    /// The offset at which the server's bytes are split into two reads; all other reads return one step at most.
    var split: Int?
    /// Maximum bytes per read.
    var chunk = Int.max
    /// Number of the server's bytes after which the connection is closed.
    var cut: Int?
    private(set) var delivered = 0
    private(set) var problem: String?

    init(_ steps: [Step]) { self.steps = steps }

    static func bytes(_ step: Step) -> [UInt8] {
        switch step {
        case .s(let line): Array((line + "\r\n").utf8)
        case .raw(let bytes): bytes
        default: []
        }
    }

    var isPlayed: Bool { next == steps.count && sent.isEmpty }

    func write(_ bytes: UnsafeRawBufferPointer) {
        partial += bytes
        while let end = partial.firstIndex(of: 0x0A) {
            sent.append(String(decoding: partial[..<end].dropLast(), as: UTF8.self))
            partial.removeSubrange(...end)
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, wakeable: Bool) throws(IMAPError) -> ReadOutcome {
        while next < steps.count {
            if let cut, delivered >= cut { return .closed }
            switch steps[next] {
            case .c(let line):
                guard !sent.isEmpty else { return .timedOut }
                let got = sent.removeFirst()
                if got != line {
                    problem = "expected \(line), got \(got)"
                    return .closed
                }
                next += 1
            case .silence:
                next += 1
                return .timedOut
            case .wake:
                guard wakeable else { return .timedOut }
                next += 1
                return .woken
            case .stop: throw IMAPError(.stopped, retry: .stopped, what: "stopped")
            case .s, .raw:
                let bytes = Self.bytes(steps[next])
                var count = min(bytes.count - offset, chunk, buffer.count)
                if let split, delivered < split { count = min(count, split - delivered) }
                if let cut { count = min(count, cut - delivered) }
                buffer.copyBytes(from: bytes[offset..<(offset + count)])
                offset += count
                delivered += count
                if offset == bytes.count { (next, offset) = (next + 1, 0) }
                if count > 0 { return .bytes(count) }
            }
        }
        return .closed
    }
}

struct ScriptedStream: ByteStream {
    let script: Script
    let capabilities: Capabilities?
    /// DeflateTests test compression itself.
    var canCompress = true

    mutating func read(
        into buffer: UnsafeMutableRawBufferPointer, deadline: Deadline, wakeable: Bool
    ) throws(IMAPError) -> ReadOutcome {
        try script.read(into: buffer, wakeable: wakeable)
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer, deadline: Deadline) throws(IMAPError) { script.write(bytes) }

    mutating func startCompression(received: UnsafeRawBufferPointer) throws(IMAPError) { canCompress = false }
}

/// A literal with its true length.
func literal(_ text: String) -> String { "{\(text.utf8.count)}\r\n\(text)" }
