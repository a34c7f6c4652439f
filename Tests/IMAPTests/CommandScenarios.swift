import Chronology
import ChronologyFixture
import Testing

@testable import IMAP

/// A command, the server's OK, and the result of a refusal.
struct Spoken: Sendable, CustomTestStringConvertible {
    /// The script after a response, and the result.
    struct Course: Sendable {
        var script: [Step] = []
        let lines: [String]
    }

    let testDescription: String
    var capabilities: [String]? = ["IMAP4rev1", "IDLE", "ESEARCH"]
    /// The script up to the response.
    let asked: [Step]
    var tag = "S1"
    let good: Course
    let no: Course
    let bad: Course
    /// A refusal that concerns the server and not this command.
    var unavailable: Course?
    let run: @Sendable (inout Session<ScriptedStream>, Log) throws -> Void

    /// The scenario with `answer` in place of the OK; `%` is the tag. A session that is not over is used afterwards.
    func answered(_ name: String, _ answer: [Step], _ course: Course) -> Scenario {
        let answer = answer.map { step in
            if case .s(let line) = step { return Step.s(line.replacing("%", with: tag)) }
            return step
        }
        var script = asked + answer + course.script
        var expect = course.lines
        if course.lines.last?.hasPrefix("error") != true {
            let sent = script.count { if case .c(let line) = $0 { line != "DONE" } else { false } }
            script += [.c("S\(sent + 1) NOOP"), .s("S\(sent + 1) OK done")]
            expect.append("alive")
        }
        return Scenario(
            name: "\(testDescription): \(name)", capabilities: capabilities, script: script,
            run: { session, log in
                do { try run(&session, log) } catch let error as IMAPError {
                    guard !session.isOver else { throw error }
                    log.add("\(error.kind) \(error.scope) \(error.retry)")
                }
                try session.noop()
                log.add("alive")
            }, expect: expect)
    }

    var whole: Scenario { answered("OK", [], good) }

    static func refused(_ scope: String) -> Course { Course(lines: ["refused \(scope) later"]) }
    static func rejected(_ scope: String) -> Course { Course(lines: ["rejected \(scope) later"]) }
}

fileprivate let part = "(UID INTERNALDATE RFC822.SIZE BODY.PEEK[]<0.100>)"
fileprivate let mail = "(UID INTERNALDATE RFC822.SIZE BODY.PEEK[])"
fileprivate let twoSenders = SearchCriteria(from: ["a.example", "b.example"])
fileprivate let gmailSenders = SearchCriteria(
    from: ["a.example", "b.example"], since: Day(year: 2026, month: 1, day: 4), sinceInstant: 1_767_600_000)

/// Every command but LOGOUT, which has its own test.
let spokenCommands: [Spoken] = [
    Spoken(
        testDescription: "CAPABILITY", capabilities: nil, asked: [.c("S1 CAPABILITY")],
        good: .init(script: [.s("* CAPABILITY IMAP4rev1 IDLE"), .s("S1 OK done")], lines: ["open"]),
        no: .init(lines: ["error refused mailbox later"]), bad: .init(lines: ["error rejected mailbox later"]),
        run: { _, log in log.add("open") }),
    Spoken(
        testDescription: "ID", capabilities: ["ID"], asked: [.c("S1 ID (\"name\" \"SpendWise\")")],
        good: .init(script: [.s("* ID (\"name\" \"x\")"), .s("S1 OK done")], lines: ["open"]),
        no: .init(lines: ["open"]), bad: .init(lines: ["open"]), run: { _, log in log.add("open") }),
    Spoken(
        testDescription: "EXAMINE", asked: [.c("S1 EXAMINE \"INBOX\"")],
        good: .init(
            script: [.s("* 17 EXISTS"), .s("* OK [UIDVALIDITY 7] x"), .s("* OK [UIDNEXT 42] x"), .s("S1 OK done")],
            lines: ["validity 7 next 42 exists 17"]),
        no: Spoken.refused("folder"), bad: Spoken.rejected("folder"),
        run: { session, log in log.add(show(try session.examine(.inbox))) }),
    Spoken(
        testDescription: "STATUS",
        asked: [
            .c("S1 STATUS \"a\" (UIDNEXT UIDVALIDITY MESSAGES)"), .c("S2 STATUS \"b\" (UIDNEXT UIDVALIDITY MESSAGES)"),
        ],
        good: .init(
            script: [
                .s("* STATUS a (UIDNEXT 5 UIDVALIDITY 3 MESSAGES 4)"), .s("S1 OK done"),
                .s("* STATUS {1}\r\nb (MESSAGES 0 X-SIZE (1 2))"), .s("S2 OK done"),
            ],
            lines: ["5 0"]),
        no: .init(script: [.s("* STATUS \"b\" (UIDNEXT 6 MESSAGES 2)"), .s("S2 OK done")], lines: ["- 6"]),
        bad: .init(script: [.s("* STATUS \"b\" (UIDNEXT 6 MESSAGES 2)"), .s("S2 OK done")], lines: ["- 6"]),
        run: { session, log in
            let said = try session.status(of: [FolderName("a"), FolderName("b")])
            log.add(said.map { $0.map { "\($0.uidNext?.rawValue ?? 0)" } ?? "-" }.joined(separator: " "))
        }),
    Spoken(
        testDescription: "LIST", asked: [.c("S1 LIST \"\" \"*\"")],
        good: .init(
            script: [
                .s("* LIST (\\HasNoChildren) \"/\" INBOX"), .s("* LIST (\\All \\Noselect) \"/\" \"no\""),
                .s("* LIST (\\all) NIL {3}\r\nall"), .s("S1 OK done"),
            ], lines: ["all"]),
        no: Spoken.refused("mailbox"), bad: Spoken.rejected("mailbox"),
        run: { session, log in log.add(try session.folder(for: "\\All")?.name ?? "none") }),
    Spoken(
        testDescription: "LIST of all folders", asked: [.c("S1 LIST \"\" \"*\"")],
        good: .init(
            script: [
                .s("* LIST (\\HasNoChildren) \"/\" INBOX"), .s("* LIST (\\Noselect) \"/\" \"no\""),
                .s("* LIST () NIL {4}\r\nBank"), .s("S1 OK done"),
            ], lines: ["INBOX Bank"]),
        no: Spoken.refused("mailbox"), bad: Spoken.rejected("mailbox"),
        run: { session, log in log.add(try session.folders().map(\.name).joined(separator: " ")) }),
    Spoken(
        testDescription: "COMPRESS", capabilities: ["COMPRESS=DEFLATE"], asked: [.c("S1 COMPRESS DEFLATE")],
        good: .init(script: [.s("S1 OK done")], lines: ["true false"]), no: .init(lines: ["false false"]),
        bad: .init(lines: ["false false"]), unavailable: .init(lines: ["false false"]),
        run: { session, log in log.add("\(try session.compress()) \(session.canCompress)") }),
    Spoken(
        testDescription: "UID SEARCH", asked: [.c("S1 UID SEARCH RETURN (ALL) FROM \"a.example\"")],
        good: .init(script: [.s("* ESEARCH (TAG \"S1\") UID ALL 2:4,9"), .s("S1 OK done")], lines: ["2:4,9"]),
        no: Spoken.refused("folder"), bad: Spoken.rejected("folder"),
        run: { session, log in log.add("\(try session.search(SearchCriteria(from: ["a.example"])))") }),
    Spoken(
        testDescription: "UID SEARCH with OR", capabilities: [],
        asked: [.c("S1 UID SEARCH OR FROM \"a.example\" FROM \"b.example\"")],
        good: .init(script: [.s("* SEARCH 9 2"), .s("S1 OK done")], lines: ["2,9"]), no: Spoken.refused("folder"),
        bad: .init(
            script: [
                .c("S2 UID SEARCH FROM \"a.example\""), .c("S3 UID SEARCH FROM \"b.example\""), .s("* SEARCH 2"),
                .s("S2 OK done"), .s("* SEARCH 9"), .s("S3 OK done"),
            ], lines: ["2,9"]),
        run: { session, log in log.add("\(try session.search(twoSenders))") }),
    Spoken(
        testDescription: "UID SEARCH without OR", capabilities: [],
        asked: [
            .c("S1 UID SEARCH OR FROM \"a.example\" FROM \"b.example\""), .s("S1 BAD what"),
            .c("S2 UID SEARCH FROM \"a.example\""), .c("S3 UID SEARCH FROM \"b.example\""),
            .s("* SEARCH 2"), .s("S2 OK done"),
        ], tag: "S3",
        good: .init(script: [.s("* SEARCH 9"), .s("S3 OK done")], lines: ["2,9"]), no: Spoken.refused("folder"),
        bad: Spoken.rejected("folder"),
        run: { session, log in log.add("\(try session.search(twoSenders))") }),
    Spoken(
        testDescription: "UID SEARCH X-GM-RAW", capabilities: ["X-GM-EXT-1"],
        asked: [.c("S1 UID SEARCH X-GM-RAW \"after:1767600000 {from:a.example from:b.example}\"")],
        good: .init(script: [.s("* SEARCH 9 2"), .s("S1 OK done")], lines: ["2,9"]),
        no: .init(
            script: [
                .c("S2 UID SEARCH SINCE 4-Jan-2026 OR FROM \"a.example\" FROM \"b.example\""), .s("* SEARCH 2 9"),
                .s("S2 OK done"),
            ], lines: ["2,9"]),
        bad: .init(
            script: [
                .c("S2 UID SEARCH SINCE 4-Jan-2026 OR FROM \"a.example\" FROM \"b.example\""), .s("* SEARCH 2 9"),
                .s("S2 OK done"),
            ], lines: ["2,9"]),
        unavailable: Spoken.refused("folder"), run: { session, log in log.add("\(try session.search(gmailSenders))") }),
    Spoken(
        testDescription: "UID FETCH of a part", asked: [.c("S1 UID FETCH 1:2 \(part)")],
        good: .init(
            script: [
                .s("* 1 FETCH (UID 1 BODY[]<0> \(literal("a")))"), .s("* 2 FETCH (UID 2 BODY[]<0> \(literal("b")))"),
                .s("S1 OK done"),
            ], lines: ["mail 1 a", "mail 2 b", "done 2"]),
        no: .init(
            script: [
                .c("S2 UID FETCH 1 \(part)"), .c("S3 UID FETCH 2 \(part)"),
                .s("* 1 FETCH (UID 1 BODY[]<0> \(literal("a")))"), .s("S2 OK done"), .s("S3 NO not this one"),
            ], lines: ["mail 1 a", "done 2 failed [\"refused message(2)\"]"]),
        bad: .init(
            script: [
                .c("S2 UID FETCH 1 \(mail)"), .c("S3 UID FETCH 2 \(mail)"),
                .s("* 1 FETCH (UID 1 BODY[] \(literal("a")))"), .s("S2 OK done"),
                .s("* 2 FETCH (UID 2 BODY[] \(literal("b")))"), .s("S3 OK done"),
            ], lines: ["mail 1 a", "mail 2 b", "done 2"]),
        unavailable: .init(lines: ["error refused folder later"]),
        run: { session, log in try session.fetchAll("1:2", log) }),
    Spoken(
        testDescription: "UID FETCH of a whole mail",
        asked: [
            .c("S1 UID FETCH 1 \(part)"), .s("S1 BAD what"), .c("S2 UID FETCH 1 \(mail)"),
            .s("* 1 FETCH (UID 1 BODY[] \(literal("a")))"), .s("S2 OK done"), .c("S3 UID FETCH 2 \(mail)"),
        ], tag: "S3",
        good: .init(
            script: [.s("* 2 FETCH (UID 2 BODY[] \(literal("b")))"), .s("S3 OK done")],
            lines: ["mail 1 a", "done 1", "mail 2 b", "done 2"]),
        no: .init(lines: ["mail 1 a", "done 1", "done 2 failed [\"refused message(2)\"]"]),
        bad: .init(lines: ["mail 1 a", "done 1", "done 2 failed [\"rejected message(2)\"]"]),
        unavailable: .init(lines: ["mail 1 a", "done 1", "error refused folder later"]),
        run: { session, log in
            try session.fetchAll("1", log)
            try session.fetchAll("2", log)
        }),
    Spoken(
        testDescription: "UID FETCH X-GM-MSGID", capabilities: ["X-GM-EXT-1"],
        asked: [.c("S1 UID FETCH 3,5 (UID X-GM-MSGID)")],
        good: .init(
            script: [
                .s("* 1 FETCH (UID 3 X-GM-MSGID 18446744073709551615)"), .s("* 2 FETCH (X-GM-MSGID 7 UID 5)"),
                .s("S1 OK done"),
            ], lines: ["18446744073709551615 7"]),
        no: Spoken.refused("folder"), bad: Spoken.rejected("folder"),
        run: { session, log in
            let numbers = try session.gmailMessageIDs(of: UIDSet("3,5") ?? UIDSet())
            log.add("\(numbers[3] ?? 0) \(numbers[5] ?? 0)")
        }),
    Spoken(
        testDescription: "UID FETCH of message identities",
        asked: [.c("S1 UID FETCH 3,5 (UID INTERNALDATE RFC822.SIZE BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)])")],
        good: .init(
            script: [
                .s("* 1 FETCH (UID 3 BODY[HEADER.FIELDS (\"Message-ID\")] \(literal("Message-ID: <a>\r\n\r\n")))"),
                .s("* 2 FETCH (FLAGS () UID 5)"),
                .s("* 9 FETCH (UID 9 BODY[HEADER.FIELDS (MESSAGE-ID)] \(literal("Message-ID: <x>\r\n\r\n")))"),
                .s("* 2 FETCH (RFC822.SIZE 7 BODY[HEADER.FIELDS (MESSAGE-ID)] NIL UID 5)"), .s("S1 OK done"),
            ], lines: ["3 Message-ID: <a>", "5  7"]),
        no: Spoken.refused("folder"), bad: Spoken.rejected("folder"),
        run: { session, log in
            for found in try session.identities(of: UIDSet("3,5") ?? UIDSet()) {
                let header = String(decoding: found.header.prefix { $0 != 0x0D }, as: UTF8.self)
                log.add("\(found.uid) \(header)\(found.size.map { " \($0)" } ?? "")")
            }
        }),
    Spoken(
        testDescription: "UID FETCH BODYSTRUCTURE", asked: [.c("S1 UID FETCH 3 (UID BODYSTRUCTURE)")],
        good: .init(
            script: [
                .s("* 1 FETCH (UID 4 BODYSTRUCTURE (\"IMAGE\" \"PNG\" NIL NIL NIL \"BASE64\" 3))"),
                .s("* 1 FETCH (UID 3 BODYSTRUCTURE ((\"TEXT\" \"PLAIN\" NIL NIL NIL \"7BIT\" 5 1) \"MIXED\"))"),
                .s("S1 OK done"),
            ], lines: ["mixed 1"]),
        no: Spoken.refused("folder"), bad: Spoken.rejected("folder"),
        run: { session, log in
            guard case .multipart(let subtype, let parts)? = try session.structure(of: .min.next.next) else { return }
            log.add("\(subtype) \(parts.count)")
        }),
    Spoken(
        testDescription: "UID FETCH of parts", asked: [.c("S1 UID FETCH 3 (UID BODY.PEEK[1.MIME] BODY.PEEK[1])")],
        good: .init(
            script: [
                .s("* 1 FETCH (BODY[1] \(literal("text")) UID 3 BODY[1.mime] \(literal("X: y\r\n\r\n")))"),
                .s("* 1 FETCH (UID 3 BODY[2] \(literal("not requested")))"),
                .s("* 1 FETCH (UID 4 BODY[1] \(literal("another")))"), .s("S1 OK done"),
            ], lines: ["1=text 1.MIME=X: y\r\n\r\n"]),
        no: Spoken.refused("folder"), bad: Spoken.rejected("folder"),
        run: { session, log in
            let texts = try session.sections(["1.MIME", "1"], of: .min.next.next)
            log.add(
                texts.sorted { $0.key < $1.key }.map { "\($0.key)=\(String(decoding: $0.value, as: UTF8.self))" }
                    .joined(
                        separator: " "))
        }),
    Spoken(
        testDescription: "NOOP", asked: [.c("S1 NOOP")], good: .init(script: [.s("S1 OK done")], lines: ["answered"]),
        no: Spoken.refused("mailbox"), bad: Spoken.rejected("mailbox"),
        run: { session, log in
            try session.noop()
            log.add("answered")
        }),
    Spoken(
        testDescription: "IDLE", asked: [.c("S1 IDLE")],
        good: .init(script: [.s("+ idling"), .s("* 3 EXISTS"), .c("DONE"), .s("S1 OK done")], lines: ["changed"]),
        no: .init(script: [.silence, .c("S2 NOOP"), .s("S2 OK done")], lines: ["renewed"]),
        bad: .init(script: [.silence, .c("S2 NOOP"), .s("S2 OK done")], lines: ["renewed"]),
        unavailable: .init(script: [.silence, .c("S2 NOOP"), .s("S2 OK done")], lines: ["renewed"]),
        run: { session, log in log.add("\(try session.waitForChange(poll: .seconds(60)))") }),
    Spoken(
        testDescription: "DONE", asked: [.c("S1 IDLE"), .s("+ idling"), .s("* 3 EXISTS"), .c("DONE")],
        good: .init(script: [.s("S1 OK done")], lines: ["changed"]), no: .init(lines: ["doubtful"]),
        bad: .init(lines: ["doubtful"]), unavailable: .init(lines: ["doubtful"]),
        run: { session, log in log.add("\(try session.waitForChange(poll: .seconds(60)))") }),
]
