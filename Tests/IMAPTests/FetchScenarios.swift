@testable import IMAP

fileprivate let items = "(UID INTERNALDATE RFC822.SIZE BODY.PEEK[]<0.100>)"
fileprivate let wholeItems = "(UID INTERNALDATE RFC822.SIZE BODY.PEEK[])"
fileprivate let date = "INTERNALDATE \"05-Jan-2026 12:00:00 +0530\""

fileprivate func pacing(_ batch: Int, _ commands: Int = 4) -> FetchPacing {
    var pacing = FetchPacing()
    pacing.batch = batch
    pacing.commands = commands
    return pacing
}

let fetchScenarios: [Scenario] = [
    Scenario(
        name: "items in every order and form",
        script: [
            .c("S1 UID FETCH 3:8 \(items)"),
            .s("* 1 FETCH (UID 3 \(date) RFC822.SIZE 5 BODY[]<0> \(literal("a\r\nb\r")))"),
            .s("* 2 FETCH (BODY[] \(literal("S1 OK {3}\r\n* BYE\r\n")) FLAGS (\\Seen (a (b))) RFC822.SIZE 17 UID 4)"),
            .s("* 3 FETCH (MODSEQ (12) BODY[]<0> \"q\\\"u\\\\o\" UID 5)"),
            .s("* 4 FETCH (UID 6 BODY[]<0> ~\(literal("x")) INTERNALDATE \" 5-Jan-2026 12:00:00 -0030\")"),
            .s("* 5 FETCH (UID 7 BODY[]<0> {0+}\r\n)"),
            .s("* 6 FETCH (UID 8 INTERNALDATE \"nonsense\" X-OTHER[a b]<3> NIL BODY[]<0> \"\")"),
            .s("S1 OK Fetch completed"),
        ],
        run: { session, log in try session.fetchAll("3:8", log) },
        expect: [
            "mail 3 a\r\nb\r size 5 at 1767594600", "mail 4 S1 OK {3}\r\n* BYE\r\n size 17", "mail 5 q\"u\\o",
            "mail 6 x at 1767616200",
            "mail 7 ", "mail 8 ", "done 8",
        ]),
    Scenario(
        name: "unsolicited responses in the middle",
        script: [
            .c("S1 UID FETCH 3,5 \(items)"),
            .s("* 9 EXISTS"), .s("* 1 FETCH (FLAGS (\\Seen))"), .s("* OK [ALERT] Please {9}"),
            .s("* 1 FETCH (UID 3 BODY[] \(literal("a")))"),
            .s("* 2 RECENT"), .s("* 2 FETCH (UID 5 FLAGS (\\Flagged))"),
            .s("* LIST (\\HasNoChildren) \"/\" \(literal("odd name"))"),
            .s("* X-NEWS (1 \"two\" \(literal("three")))"), .s("+ go on"), .s("* 4 EXPUNGE"),
            .s("* 2 FETCH (UID 5 BODY[] \(literal("b")))"), .s("* NO a warning"), .s("* BAD a mistake"),
            .s("S1 OK done"),
        ],
        run: { session, log in
            try session.fetchAll("3,5", log)
            log.add("\(session.changed) \(session.unaskedAnswers)")
            log.add("\(session.consumeChanged()) \(session.changed)")
        },
        expect: ["mail 3 a", "mail 5 b", "done 5", "true 2", "true false"]),
    Scenario(
        name: "interleaved and out of order over three commands",
        script: [
            .c("S1 UID FETCH 1:2 \(items)"), .c("S2 UID FETCH 3:4 \(items)"),
            .s("* 4 FETCH (UID 4 BODY[] \(literal("d")))"), .s("* 2 FETCH (UID 2 BODY[] \(literal("b")))"),
            .s("* 3 FETCH (UID 3 BODY[] \(literal("c")))"), .s("S2 OK second first"),
            .c("S3 UID FETCH 9 \(items)"),
            .s("* 9 FETCH (UID 9 BODY[] \(literal("i")))"), .s("* 1 FETCH (UID 1 BODY[] \(literal("a")))"),
            .s("S3 OK third"), .s("S1 OK first"),
        ],
        run: { session, log in try session.fetchAll("1:4,9", log, pacing: pacing(2, 2)) },
        expect: ["mail 4 d", "mail 2 b", "mail 3 c", "mail 9 i", "mail 1 a", "done 2", "done 4", "done 9"]),
    Scenario(
        name: "never requested, answered twice, never answered",
        script: [
            .c("S1 UID FETCH 5:7 \(items)"),
            .s("* 1 FETCH (UID 4 BODY[] \(literal("not asked")))"), .s("* 2 FETCH (UID 5 BODY[] \(literal("e")))"),
            .s("* 2 FETCH (UID 5 BODY[] \(literal("again")))"), .s("* 4 FETCH (UID 7 BODY[] \(literal("g")))"),
            .s("S1 OK done"),
        ],
        run: { session, log in
            try session.fetchAll("5:7", log)
            log.add("\(session.unaskedAnswers)")
        },
        expect: ["mail 5 e", "mail 7 g", "done 7 missing 6", "2"]),
    Scenario(
        name: "expunged meanwhile",
        script: [
            .c("S1 UID FETCH 1:3 \(items)"), .s("* 1 FETCH (UID 1 BODY[] \(literal("a")))"),
            .s("S1 NO [EXPUNGEISSUED] Some of the requested messages no longer exist"),
            .c("S2 UID FETCH 2 \(items)"), .c("S3 UID FETCH 3 \(items)"), .s("S2 OK done"),
            .s("S3 NO [EXPUNGEISSUED] gone"),
        ],
        run: { session, log in try session.fetchAll("1:3", log) },
        expect: ["mail 1 a", "done 3 missing 2:3"]),
    Scenario(
        name: "expunged meanwhile, in Dovecot's form",
        script: [
            .c("S1 UID FETCH 1:2 \(items)"), .s("* 1 FETCH (UID 1 BODY[] NIL)"),
            .s("* 2 FETCH (UID 2 BODY[] \(literal("b")))"),
            .s("* 1 EXPUNGE"), .s("S1 NO [EXPUNGEISSUED] gone"), .c("S2 UID FETCH 1 \(items)"), .s("S2 OK done"),
        ],
        run: { session, log in try session.fetchAll("1:2", log) },
        expect: ["mail 2 b", "done 2 missing 1"]),
    Scenario(
        name: "one poisonous mail",
        script: [
            .c("S1 UID FETCH 1:3 \(items)"), .c("S2 UID FETCH 4:5 \(items)"),
            .s("* 1 FETCH (UID 1 BODY[] \(literal("a")))"),
            .s("S1 NO [SERVERBUG] Internal error"), .c("S3 UID FETCH 2 \(items)"),
            .s("* 4 FETCH (UID 4 BODY[] \(literal("d")))"),
            .s("* 5 FETCH (UID 5 BODY[] \(literal("e")))"), .s("S2 OK done"), .c("S4 UID FETCH 3 \(items)"),
            .s("S3 NO [SERVERBUG] Internal error"), .s("* 3 FETCH (UID 3 BODY[] \(literal("c")))"), .s("S4 OK done"),
        ],
        run: { session, log in try session.fetchAll("1:5", log, pacing: pacing(3, 2)) },
        expect: ["mail 1 a", "mail 4 d", "mail 5 e", "mail 3 c", "done 3 failed [\"refused message(2)\"]", "done 5"]),
    Scenario(
        name: "NIL for a mail, and a mail without its UID",
        script: [
            .c("S1 UID FETCH 1:2 \(items)"), .s("* 1 FETCH (UID 1 BODY[] NIL)"),
            .s("* 2 FETCH (BODY[] \(literal("b")))"), .s("S1 OK done"),
            .c("S2 UID FETCH 1 \(items)"), .c("S3 UID FETCH 2 \(items)"), .s("* 1 FETCH (UID 1 BODY[] NIL)"),
            .s("S2 OK done"),
            .s("* 2 FETCH (BODY[] \(literal("b")))"), .s("S3 OK done"),
        ],
        run: { session, log in try session.fetchAll("1:2", log) },
        expect: ["done 2 failed [\"refused message(1)\", \"refused message(2)\"]"]),
    Scenario(
        name: "the server is at fault, not the mail",
        script: [.c("S1 UID FETCH 1:2 \(items)"), .s("S1 NO [UNAVAILABLE] Backend down")],
        run: { session, log in try session.fetchAll("1:2", log) },
        expect: ["error refused folder later"]),
    Scenario(
        name: "BAD for one mail",
        script: [
            .c("S1 UID FETCH 1:2 \(items)"), .s("S1 BAD Command Error"), .c("S2 UID FETCH 1 \(wholeItems)"),
            .c("S3 UID FETCH 2 \(wholeItems)"),
            .s("S2 BAD Command Error"), .s("* 2 FETCH (UID 2 BODY[] \(literal("b")))"), .s("S3 OK done"),
        ],
        run: { session, log in try session.fetchAll("1:2", log) },
        expect: ["mail 2 b", "done 2 failed [\"rejected message(1)\"]"]),
    Scenario(
        name: "a server without FETCH of parts",
        script: [
            .c("S1 UID FETCH 1:2 \(items)"), .s("S1 BAD no partial"), .c("S2 UID FETCH 1 \(wholeItems)"),
            .c("S3 UID FETCH 2 \(wholeItems)"),
            .s("* 1 FETCH (UID 1 RFC822.SIZE 1 BODY[] \(literal("a")))"), .s("S2 OK done"),
            .s("* 2 FETCH (UID 2 RFC822.SIZE 120 BODY[] \(literal(String(repeating: "b", count: 120))))"),
            .s("S3 OK done"),
            .c("S4 UID FETCH 3 \(wholeItems)"), .s("* 3 FETCH (UID 3 BODY[] \(literal("c")))"), .s("S4 OK done"),
        ],
        run: { session, log in
            try session.fetchAll("1:2", log)
            try session.fetchAll("3", log)
        },
        expect: [
            "mail 1 a size 1", "mail 2 \(String(repeating: "b", count: 100)) size 120 truncated", "done 2", "mail 3 c",
            "done 3",
        ]),
    Scenario(
        name: "BAD for everything",
        script: [.c("S1 UID FETCH 1:17 \(items)"), .s("S1 BAD no")]
            + (1...17).flatMap {
                [Step.c("S\($0 + 1) UID FETCH \($0) \($0 == 1 ? wholeItems : items)"), .s("S\($0 + 1) BAD no")]
            },
        run: { session, log in try session.fetchAll("1:17", log, pacing: pacing(17, 1)) },
        expect: ["error rejected folder later"]),
    Scenario(
        name: "truncated by the server",
        maximumMessageBytes: 4,
        script: [
            .c("S1 UID FETCH 1:3 (UID INTERNALDATE RFC822.SIZE BODY.PEEK[]<0.4>)"),
            .s("* 1 FETCH (UID 1 RFC822.SIZE 99 BODY[]<0> \(literal("long")))"),
            .s("* 2 FETCH (UID 2 RFC822.SIZE 4 BODY[]<0> \(literal("fits")))"),
            .s("* 3 FETCH (UID 3 RFC822.SIZE 9 BODY[]<0> \(literal("est")))"), .s("S1 OK done"),
        ],
        run: { session, log in try session.fetchAll("1:3", log) },
        expect: ["mail 1 long size 99 truncated", "mail 2 fits size 4", "mail 3 est size 9", "done 3"]),
    Scenario(
        name: "a server without partial FETCH: the rest is read and dropped",
        maximumMessageBytes: 4,
        script: [
            .c("S1 UID FETCH 1:2 (UID INTERNALDATE RFC822.SIZE BODY.PEEK[]<0.4>)"),
            .s("* 1 FETCH (UID 1 BODY[] \(literal("long and longer)\r\nS1 OK"))  RFC822.SIZE 23)"),
            .s("* 2 FETCH (UID 2 BODY[]<0> \"quoted, too long\")"), .s("S1 OK done"),
        ],
        run: { session, log in try session.fetchAll("1:2", log) },
        expect: ["mail 1 long size 23 truncated", "mail 2 quoted, too long truncated", "done 2"]),
    Scenario(
        name: "a part that was not requested",
        script: [
            .c("S1 UID FETCH 1 \(items)"), .s("* 1 FETCH (UID 1 BODY[HEADER.FIELDS (FROM)] \(literal("From: x\r\n")))"),
            .s("* 1 FETCH (UID 1 BODY[]<5> \(literal("tail")))"), .s("S1 OK done"),
        ],
        run: { session, log in try session.fetchAll("1", log) },
        expect: ["done 1 missing 1"]),
    Scenario(
        name: "Gmail's number",
        capabilities: ["X-GM-EXT-1"],
        script: [
            .c("S1 UID FETCH 1 (UID INTERNALDATE RFC822.SIZE X-GM-MSGID BODY.PEEK[]<0.100>)"),
            .s("* 1 FETCH (X-GM-MSGID 1278455344230334865 UID 1 BODY[]<0> \(literal("a")))"), .s("S1 OK done"),
        ],
        run: { session, log in
            try session.fetch(UIDSet(UID.min)) {
                log.add("\($0.gmailMessageID ?? 0)")
            } done: {
                log.add("done \($0.through)")
            }
        },
        expect: ["1278455344230334865", "done 1"]),
    Scenario(
        name: "nothing to fetch", script: [], run: { session, log in try session.fetchAll("", log) }, expect: []),
    Scenario(
        name: "BYE in a fetch",
        script: [
            .c("S1 UID FETCH 1:2 \(items)"), .s("* 1 FETCH (UID 1 BODY[] \(literal("a")))"), .s("* BYE too much"),
        ],
        run: { session, log in try session.fetchAll("1:2", log) },
        expect: ["mail 1 a", "error bye mailbox later"]),
    Scenario(
        name: "silence in a fetch",
        script: [
            .c("S1 UID FETCH 1:2 \(items)"), .s("* 1 FETCH (UID 1 BODY[] \(literal("a")))"),
            .raw(Array("* 2 FETCH (".utf8)), .silence,
        ],
        run: { session, log in try session.fetchAll("1:2", log) },
        expect: ["mail 1 a", "error timedOut mailbox now"]),
    Scenario(
        name: "a callback that throws ends the session",
        script: [.c("S1 UID FETCH 1:2 \(items)"), .s("* 1 FETCH (UID 1 BODY[] \(literal("a")))")],
        run: { session, log in
            struct Full: Error {}
            do {
                try session.fetch(UIDSet("1:2") ?? UIDSet()) { _ in
                    throw Full()
                } done: { _ in
                }
            } catch is Full { log.add("full") }
            try session.noop()
        },
        expect: ["full", "error invalidRequest mailbox now"]),
]
