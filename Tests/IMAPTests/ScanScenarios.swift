@testable import IMAP

let fromField = "(UID BODY.PEEK[HEADER.FIELDS (FROM)])"
fileprivate let part = "(UID INTERNALDATE RFC822.SIZE BODY.PEEK[]<0.100>)"

/// A From field as servers hand it out.
func from(_ domain: String) -> String { "BODY[HEADER.FIELDS (FROM)] \(literal("From: Alerts <a@\(domain)>\r\n\r\n"))" }

extension Session where Stream: ~Copyable {
    /// Looks for mails from `a.example`, in stretches of three numbers, and fetches them behind `first`.
    mutating func scan(_ range: String, behind first: String = "", _ log: Log, since: Day? = nil, batch: Int = 1) throws
    {
        let all = UIDSet(range) ?? UIDSet()
        var pacing = FetchPacing()
        pacing.batch = batch
        try fetch(
            UIDSet(first) ?? UIDSet(), pacing: pacing,
            scanning: SearchCriteria(first: all.first, through: all.last, from: ["a.example"], since: since).windows(
                all.count / 3),
            isFrom: { String(decoding: $0, as: UTF8.self).contains("@a.example") },
            found: { stretch, found in
                log.add("found \(stretch.range) <\(found)>")
                return found
            },
            each: { log.add("mail \($0.uid) \(String(decoding: $0.bytes, as: UTF8.self))") },
            done: { log.add("done \($0.through)") })
    }
}

/// The server is asked to search in place of the fields that it does not hand out.
let searched = Spoken.Course(
    script: [
        .c("S2 UID SEARCH RETURN (ALL) UID 4:6 FROM \"a.example\""), .s("* ESEARCH (TAG \"S2\") UID"), .s("S2 OK done"),
    ], lines: ["found 4:6 <>"])
let searchedByDay = Spoken.Course(
    script: [
        .c("S3 UID SEARCH RETURN (ALL) UID 4:6 SINCE 4-Jan-2026 FROM \"a.example\""), .s("* ESEARCH (TAG \"S3\") UID"),
        .s("S3 OK done"),
    ], lines: ["found 4:6 <>"])

fileprivate let day = Day(year: 2026, month: 1, day: 4)

/// The answer to a search.
fileprivate func named(_ tag: String, _ uids: String) -> [Step] {
    [.s("* ESEARCH (TAG \"\(tag)\") UID\(uids.isEmpty ? "" : " ALL " + uids)"), .s("\(tag) OK done")]
}

let scanScenarios: [Scenario] = [
    Scenario(
        name: "senders are read ahead of what is fetched",
        script: [
            .c("S1 UID FETCH 1 \(part)"), .c("S2 UID FETCH 4:6 \(fromField)"), .c("S3 UID FETCH 7:9 \(fromField)"),
            .s("* 1 FETCH (UID 1 BODY[] \(literal("a")))"), .s("S1 OK done"),
            .s("* 4 FETCH (UID 4 \(from("a.example")))"),
            .s("* 5 FETCH (UID 5 \(from("other.example")))"), .s("* 6 FETCH (\(from("A.example")) UID 6)"),
            .s("S2 OK done"),
            .c("S4 UID SEARCH RETURN (ALL) UID 4"), .s("* 9 FETCH (UID 9 \(from("a.example")))"),
            .s("* 7 FETCH (UID 7 \(from("other.example")))"), .s("* 12 EXISTS"), .s("S3 OK done"),
            .c("S5 UID SEARCH RETURN (ALL) UID 8:9"),
        ] + named("S4", "4") + [.c("S6 UID FETCH 4 \(part)"), .c("S7 UID FETCH 10:12 \(fromField)")] + named("S5", "9")
            + [
                .s("* 4 FETCH (UID 4 BODY[] \(literal("d")))"), .s("S6 OK done"), .c("S8 UID FETCH 9 \(part)"),
                .s("* 10 FETCH (UID 10 \(from("other.example")))"), .s("* 11 FETCH (UID 11 \(from("other.example")))"),
                .s("* 12 FETCH (UID 12 \(from("other.example")))"), .s("S7 OK done"),
                .s("* 9 FETCH (UID 9 BODY[] \(literal("i")))"), .s("S8 OK done"),
            ],
        run: { session, log in
            try session.scan("4:12", behind: "1", log)
            log.add("\(session.changed)")
        },
        expect: [
            "mail 1 a", "done 1", "found 4:6 <4>", "found 7:9 <9>", "mail 4 d", "done 4", "found 10:12 <>", "mail 9 i",
            "done 9", "true",
        ]),
    Scenario(
        name: "those that may be wanted are asked for their day",
        capabilities: [],
        script: [
            .c("S1 UID FETCH 1:3 \(fromField)"), .c("S2 UID FETCH 4:6 \(fromField)"),
            .s("* 3 FETCH (UID 3 \(from("a.example")))"),
            .s("* 1 FETCH (UID 1 \(from("a.example")))"), .s("* 2 FETCH (UID 2 \(from("b.example")))"),
            .s("S1 OK done"), .c("S3 UID SEARCH UID 1,3 SINCE 4-Jan-2026"),
            .s("* 4 FETCH (UID 4 \(from("a.example")))"), .s("S2 OK done"),
            .c("S4 UID SEARCH UID 4:6 SINCE 4-Jan-2026"),
            // Nobody says which of the two this is, and what is known not to be wanted does not count.
            .s("* SEARCH 4 3 2 9"), .s("* SEARCH"), .s("S3 OK done"), .c("S5 UID FETCH 3 \(part)"), .s("S4 OK done"),
            .s("* 3 FETCH (UID 3 BODY[] \(literal("c")))"), .s("S5 OK done"), .c("S6 UID FETCH 4 \(part)"),
            .s("* 4 FETCH (UID 4 BODY[] \(literal("d")))"), .s("S6 OK done"),
        ],
        run: { session, log in try session.scan("1:6", log, since: day) },
        expect: ["found 1:3 <3>", "found 4:6 <4>", "mail 3 c", "done 3", "mail 4 d", "done 4"]),
    Scenario(
        name: "a later stretch that is answered first waits",
        script: [
            .c("S1 UID FETCH 1:3 \(fromField)"), .c("S2 UID FETCH 4:6 \(fromField)"),
            .s("* 4 FETCH (UID 4 \(from("a.example")))"), .s("S2 OK done"),
            .c("S3 UID SEARCH RETURN (ALL) UID 4:6"), .s("* 2 FETCH (UID 2 \(from("a.example")))"), .s("S1 OK done"),
            .c("S4 UID SEARCH RETURN (ALL) UID 1:3"),
        ] + named("S3", "4") + named("S4", "2") + [
            .c("S5 UID FETCH 2 \(part)"), .c("S6 UID FETCH 4 \(part)"),
            .s("* 2 FETCH (UID 2 BODY[] \(literal("b")))"), .s("* 4 FETCH (UID 4 BODY[] \(literal("d")))"),
            .s("S5 OK done"), .s("S6 OK done"),
        ],
        run: { session, log in try session.scan("1:6", log) },
        expect: ["found 1:3 <2>", "found 4:6 <4>", "mail 2 b", "mail 4 d", "done 2", "done 4"]),
    Scenario(
        name: "a mail whose field did not come is fetched",
        script: [
            .c("S1 UID FETCH 1:3 \(fromField)"), .s("* 1 FETCH (UID 1 \(from("other.example")))"),
            .s("* 1 FETCH (UID 1 \(from("other.example")))"), .s("* 2 FETCH (UID 2 \(from("other.example")))"),
            .s("S1 OK done"), .c("S2 UID SEARCH RETURN (ALL) UID 3"),
        ] + named("S2", "3") + [
            .c("S3 UID FETCH 3 \(part)"), .s("* 3 FETCH (UID 3 BODY[] \(literal("c")))"), .s("S3 OK done"),
        ],
        run: { session, log in try session.scan("1:3", log) },
        expect: ["found 1:3 <3>", "mail 3 c", "done 3"]),
    Scenario(
        name: "a stretch without mails, and one of which some were expunged",
        script: [
            .c("S1 UID FETCH 1:3 \(fromField)"), .c("S2 UID FETCH 4:6 \(fromField)"), .s("S1 OK done"),
            .c("S3 UID SEARCH RETURN (ALL) UID 1:3"),
            .s("* 1 FETCH (UID 4 \(from("other.example")))"), .s("S2 NO [EXPUNGEISSUED] gone"),
            .c("S4 UID SEARCH RETURN (ALL) UID 5:6"),
        ] + named("S3", "") + [.c("S5 UID FETCH 7:9 \(fromField)")] + named("S4", "") + [
            .s("* 2 FETCH (UID 7 \(from("other.example")))"), .s("* 3 FETCH (UID 8 \(from("other.example")))"),
            .s("* 4 FETCH (UID 9 \(from("other.example")))"), .s("S5 OK done"),
        ],
        run: { session, log in try session.scan("1:9", log) },
        expect: ["found 1:3 <>", "found 4:6 <>", "found 7:9 <>"]),
    Scenario(
        name: "never asked for: among senders, with a mail without one",
        script: [
            .c("S1 UID FETCH 1:3 \(fromField)"), .s("* 1 FETCH (UID 1 BODY[HEADER.FIELDS (FROM)] NIL)"),
            .s("* 2 FETCH (UID 2 body[header.fields (\"From\")] \(literal("\r\n")))"),
            .s("* 2 FETCH (UID 2 BODY[HEADER] \(literal("From: a@a.example\r\n\r\n")))"),
            .s("* 9 FETCH (UID 9 \(from("a.example")))"), .s("* 3 FETCH (\(from("a.example")))"),
            .s("* 3 FETCH (UID 3 BODY[] \(literal("c")))"), .s("* SEARCH 2 3"), .s("S1 OK done"),
            .c("S2 UID SEARCH RETURN (ALL) UID 1,3"),
        ] + named("S2", "1") + [
            .c("S3 UID FETCH 1 \(part)"), .s("* 1 FETCH (UID 1 BODY[] \(literal("a")))"), .s("S3 OK done"),
        ],
        run: { session, log in
            try session.scan("1:3", log)
            log.add("\(session.unaskedAnswers)")
        },
        expect: ["found 1:3 <1>", "mail 1 a", "done 1", "4"]),
    Scenario(
        name: "senders are refused: what is left is searched at once",
        script: [
            .c("S1 UID FETCH 1:3 \(fromField)"), .c("S2 UID FETCH 4:6 \(fromField)"),
            .s("* 1 FETCH (UID 1 \(from("a.example")))"), .s("S1 OK done"),
            .c("S3 UID SEARCH RETURN (ALL) UID 1:3"),
        ] + named("S3", "1") + [
            .c("S4 UID FETCH 1 \(part)"), .c("S5 UID FETCH 7:9 \(fromField)"), .s("S2 NO not these"), .s("S4 OK gone"),
            .s("S5 BAD what"),
            .c("S6 UID SEARCH RETURN (ALL) UID 4:9 FROM \"a.example\""), .s("* ESEARCH (TAG \"S6\") UID ALL 5,8,11"),
            .s("S6 OK done"),
            .c("S7 UID FETCH 5 \(part)"), .c("S8 UID FETCH 8 \(part)"), .s("* 5 FETCH (UID 5 BODY[] \(literal("e")))"),
            .s("S7 OK done"), .s("S8 OK gone"),
        ],
        run: { session, log in try session.scan("1:9", log) },
        expect: ["found 1:3 <1>", "done 1", "found 4:9 <5,8>", "mail 5 e", "done 5", "done 8"]),
    Scenario(
        name: "OK, and senders of the fewest: what is left is searched",
        script: [
            .c("S1 UID FETCH 1:4 \(fromField)"), .s("* 1 FETCH (UID 1 \(from("a.example")))"), .s("S1 OK done"),
            .c("S2 UID SEARCH RETURN (ALL) UID 1:4"),
        ] + named("S2", "1:4") + [
            .c("S3 UID SEARCH RETURN (ALL) UID 1:4 FROM \"a.example\"")
        ] + named("S3", "2") + [
            .c("S4 UID FETCH 2 \(part)"), .s("* 2 FETCH (UID 2 BODY[] \(literal("b")))"), .s("S4 OK done"),
        ],
        run: { session, log in try session.scan("1:4", log) },
        expect: ["found 1:4 <2>", "mail 2 b", "done 2"]),
    Scenario(
        name: "neither senders nor a search",
        script: [
            .c("S1 UID FETCH 1:3 \(fromField)"), .s("S1 NO not now"),
            .c("S2 UID SEARCH RETURN (ALL) UID 1:3 FROM \"a.example\""), .s("S2 NO not now"),
        ],
        run: { session, log in try session.scan("1:3", log) },
        expect: ["error refused folder later"]),
]
