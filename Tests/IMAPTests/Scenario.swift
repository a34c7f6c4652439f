import Chronology
import Testing

@testable import IMAP

/// The results of a session, line by line, for comparison.
final class Log {
    var lines: [String] = []

    func add(_ line: String) { lines.append(line) }

    /// Records an expected error; the error of a connection that the test cut is rethrown.
    func add(_ line: (IMAPError) -> String, _ error: any Error) throws {
        guard let error = error as? IMAPError, error.kind != .closed else { throw error }
        lines.append(line(error))
    }
}

/// A session and its expected results, however its bytes arrive.
struct Scenario: Sendable, CustomTestStringConvertible {
    let name: String
    var capabilities: [String]? = ["IMAP4rev1", "IDLE", "ESEARCH"]
    var maximumMessageBytes = 100
    var timing = Timing()
    var script: [Step]
    var run: @Sendable (inout Session<ScriptedStream>, Log) throws -> Void
    /// The last line may be `error KIND SCOPE RETRY`.
    var expect: [String]

    var testDescription: String { name }

    var serverBytes: Int { script.reduce(0) { $0 + Script.bytes($1).count } }

    /// Runs the scenario; an ``IMAPError`` becomes the last line, any other error is rethrown.
    func play(_ adjust: (Script) -> Void = { _ in }) throws -> (lines: [String], script: Script) {
        let player = Script(script)
        adjust(player)
        let log = Log()
        do {
            let stream = ScriptedStream(script: player, capabilities: capabilities.map { Capabilities($0) })
            var session = try Session(over: stream, maximumMessageBytes: maximumMessageBytes, timing: timing)
            try run(&session, log)
        } catch let error as IMAPError {
            log.add("error \(error.kind) \(error.scope) \(error.retry)")
        }
        return (log.lines, player)
    }
}

extension Session where Stream: ~Copyable {
    /// Fetches and records the results.
    mutating func fetchAll(_ uids: String, _ log: Log, pacing: FetchPacing = FetchPacing()) throws {
        try fetch(UIDSet(uids) ?? UIDSet(), pacing: pacing) { mail in
            var line = "mail \(mail.uid) \(String(decoding: mail.bytes, as: UTF8.self))"
            if let size = mail.size { line += " size \(size)" }
            if let date = mail.internalDate { line += " at \(date.instant.seconds)" }
            if mail.isTruncated { line += " truncated" }
            log.add(line)
        } done: { batch in
            var line = "done \(batch.through)"
            if !batch.missing.isEmpty { line += " missing \(batch.missing)" }
            if !batch.failed.isEmpty { line += " failed \(batch.failed.map { "\($0.kind) \($0.scope)" })" }
            log.add(line)
        }
    }
}

func show(_ selected: Selected) -> String {
    "validity \(selected.uidValidity) next \(selected.uidNext.map(\.description) ?? "?") exists \(selected.exists)"
}
