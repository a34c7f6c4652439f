@testable import IMAP

let fromField = "(UID BODY.PEEK[HEADER.FIELDS (FROM)])"
private let part = "(UID INTERNALDATE RFC822.SIZE BODY.PEEK[]<0.100>)"

/// A From field as servers hand it out.
func from(_ domain: String) -> String { "BODY[HEADER.FIELDS (FROM)] \(literal("From: Alerts <a@\(domain)>\r\n\r\n"))" }

extension Session where Stream: ~Copyable {
    /// Looks for mails from `a.example`, in stretches of three numbers, and fetches them behind `first`.
    mutating func scan(_ range: String, behind first: String = "", _ log: Log, since: Day? = nil, batch: Int = 1) throws {
        let all = UIDSet(range) ?? UIDSet()
        var pacing = FetchPacing()
        pacing.batch = batch
        try fetch(
            UIDSet(first) ?? UIDSet(), pacing: pacing,
            scanning: SearchCriteria(first: all.first, through: all.last, from: ["a.example"], since: since).windows(all.count / 3),
            isFrom: { String(decoding: $0, as: UTF8.self).contains("@a.example") },
            found: { found in
                log.add("found <\(found)>")
                return found
            },
            each: { log.add("mail \($0.uid) \(String(decoding: $0.bytes, as: UTF8.self))") }, done: { log.add("done \($0.through)") })
    }
}

/// The server is asked to search in place of the fields that it does not hand out.
let searched = Spoken.Course(
    script: [.c("S2 UID SEARCH RETURN (ALL) UID 4:6 FROM \"a.example\""), .s("* ESEARCH (TAG \"S2\") UID"), .s("S2 OK done")], lines: ["found <>"])
let searchedByDay = Spoken.Course(
    script: [.c("S3 UID SEARCH RETURN (ALL) UID 4:6 SINCE 4-Jan-2026 FROM \"a.example\""), .s("* ESEARCH (TAG \"S3\") UID"), .s("S3 OK done")], lines: ["found <>"])

private let day = Day(year: 2026, month: 1, day: 4)

let scanScenarios: [Scenario] = [
    Scenario(
        name: "fields are read ahead of what is fetched",
        script: [
            .c("S1 UID FETCH 1 \(part)"), .c("S2 UID FETCH 4:6 \(fromField)"), .c("S3 UID FETCH 7:9 \(fromField)"),
            .s("* 1 FETCH (UID 1 BODY[] \(literal("a")))"), .s("S1 OK done"), .s("* 4 FETCH (UID 4 \(from("a.example")))"),
            .s("* 5 FETCH (UID 5 \(from("other.example")))"), .s("* 6 FETCH (\(from("A.example")) UID 6)"), .s("S2 OK done"),
            .c("S4 UID FETCH 4 \(part)"), .c("S5 UID FETCH 10:12 \(fromField)"), .s("* 9 FETCH (UID 9 \(from("a.example")))"), .s("* 12 EXISTS"), .s("S3 OK done"),
            .s("* 4 FETCH (UID 4 BODY[] \(literal("d")))"), .s("S4 OK done"), .c("S6 UID FETCH 9 \(part)"),
            .s("* 10 FETCH (UID 12 \(from("other.example")))"), .s("S5 OK done"), .s("* 9 FETCH (UID 9 BODY[] \(literal("i")))"), .s("S6 OK done"),
        ],
        run: { session, log in
            try session.scan("4:12", behind: "1", log)
            log.add("\(session.changed)")
        },
        expect: ["mail 1 a", "done 1", "found <4>", "found <9>", "mail 4 d", "done 4", "found <>", "mail 9 i", "done 9", "true"]),
    Scenario(
        name: "those found are asked for their day",
        capabilities: [],
        script: [
            .c("S1 UID FETCH 1:3 \(fromField)"), .c("S2 UID FETCH 4:6 \(fromField)"), .s("* 3 FETCH (UID 3 \(from("a.example")))"),
            .s("* 1 FETCH (UID 1 \(from("a.example")))"), .s("S1 OK done"), .c("S3 UID SEARCH UID 1,3 SINCE 4-Jan-2026"),
            .s("* 4 FETCH (UID 4 \(from("a.example")))"), .s("S2 OK done"), .c("S4 UID SEARCH UID 4 SINCE 4-Jan-2026"),
            // Nobody says which of the two this is, and what was not asked about does not count.
            .s("* SEARCH 4 3 2 9"), .s("* SEARCH"), .s("S3 OK done"), .c("S5 UID FETCH 3 \(part)"), .s("S4 OK done"),
            .s("* 3 FETCH (UID 3 BODY[] \(literal("c")))"), .s("S5 OK done"), .c("S6 UID FETCH 4 \(part)"), .s("* 4 FETCH (UID 4 BODY[] \(literal("d")))"), .s("S6 OK done"),
        ],
        run: { session, log in try session.scan("1:6", log, since: day) },
        expect: ["found <3>", "found <4>", "mail 3 c", "done 3", "mail 4 d", "done 4"]),
    Scenario(
        name: "a later stretch that is answered first waits",
        script: [
            .c("S1 UID FETCH 1:3 \(fromField)"), .c("S2 UID FETCH 4:6 \(fromField)"), .s("* 4 FETCH (UID 4 \(from("a.example")))"), .s("S2 OK done"),
            .s("* 2 FETCH (UID 2 \(from("a.example")))"), .s("S1 OK done"), .c("S3 UID FETCH 2 \(part)"), .c("S4 UID FETCH 4 \(part)"),
            .s("* 2 FETCH (UID 2 BODY[] \(literal("b")))"), .s("* 4 FETCH (UID 4 BODY[] \(literal("d")))"), .s("S3 OK done"), .s("S4 OK done"),
        ],
        run: { session, log in try session.scan("1:6", log) },
        expect: ["found <2>", "found <4>", "mail 2 b", "mail 4 d", "done 2", "done 4"]),
    Scenario(
        name: "never asked for: among fields, with a mail without one",
        script: [
            .c("S1 UID FETCH 1:3 \(fromField)"), .s("* 1 FETCH (UID 1 BODY[HEADER.FIELDS (FROM)] NIL)"), .s("* 2 FETCH (UID 2 body[header.fields (\"From\")] \(literal("\r\n")))"),
            .s("* 2 FETCH (UID 2 BODY[HEADER] \(literal("From: a@a.example\r\n\r\n")))"), .s("* 9 FETCH (UID 9 \(from("a.example")))"), .s("* 3 FETCH (\(from("a.example")))"),
            .s("* 3 FETCH (UID 3 BODY[] \(literal("c")))"), .s("* SEARCH 2 3"), .s("S1 OK done"), .c("S2 UID FETCH 1 \(part)"), .s("* 1 FETCH (UID 1 BODY[] \(literal("a")))"), .s("S2 OK done"),
        ],
        run: { session, log in
            try session.scan("1:3", log)
            log.add("\(session.unaskedAnswers)")
        },
        expect: ["found <1>", "mail 1 a", "done 1", "4"]),
    Scenario(
        name: "fields are refused: what is left is searched at once",
        script: [
            .c("S1 UID FETCH 1:3 \(fromField)"), .c("S2 UID FETCH 4:6 \(fromField)"), .s("* 1 FETCH (UID 1 \(from("a.example")))"), .s("S1 OK done"),
            .c("S3 UID FETCH 1 \(part)"), .c("S4 UID FETCH 7:9 \(fromField)"), .s("S2 NO not these"), .s("S3 OK gone"), .s("S4 BAD what"),
            .c("S5 UID SEARCH RETURN (ALL) UID 4:9 FROM \"a.example\""), .s("* ESEARCH (TAG \"S5\") UID ALL 5,8,11"), .s("S5 OK done"),
            .c("S6 UID FETCH 5 \(part)"), .c("S7 UID FETCH 8 \(part)"), .s("* 5 FETCH (UID 5 BODY[] \(literal("e")))"), .s("S6 OK done"), .s("S7 OK gone"),
        ],
        run: { session, log in try session.scan("1:9", log) },
        expect: ["found <1>", "done 1", "found <5,8>", "mail 5 e", "done 5", "done 8"]),
    Scenario(
        name: "OK and no fields: what is left is searched",
        script: [
            .c("S1 UID FETCH 1:3 \(fromField)"), .s("S1 OK done"), .c("S2 UID SEARCH RETURN (ALL) UID 1:3 FROM \"a.example\""),
            .s("* ESEARCH (TAG \"S2\") UID ALL 2"), .s("S2 OK done"), .c("S3 UID FETCH 2 \(part)"), .s("* 2 FETCH (UID 2 BODY[] \(literal("b")))"), .s("S3 OK done"),
        ],
        run: { session, log in try session.scan("1:3", log) },
        expect: ["found <2>", "mail 2 b", "done 2"]),
    Scenario(
        name: "neither fields nor a search",
        script: [.c("S1 UID FETCH 1:3 \(fromField)"), .s("S1 NO not now"), .c("S2 UID SEARCH RETURN (ALL) UID 1:3 FROM \"a.example\""), .s("S2 NO not now")],
        run: { session, log in try session.scan("1:3", log) },
        expect: ["error refused folder later"]),
]
