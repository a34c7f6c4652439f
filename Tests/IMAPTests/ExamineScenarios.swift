@testable import IMAP

let examineScenarios: [Scenario] = [
    Scenario(
        name: "examine with everything",
        script: [
            .c("S1 EXAMINE \"INBOX\""),
            .s("* FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft $Junk)"),
            .s("* OK [PERMANENTFLAGS ()] Read-only mailbox."),
            .s("* 17 EXISTS"), .s("* 0 RECENT"),
            .s("* OK [UNSEEN 5] First unseen {7}"),
            .s("* OK [UIDVALIDITY 1700000000] UIDs valid"),
            .s("* OK [UIDNEXT 42] Predicted next UID"),
            .s("S1 OK [READ-ONLY] Examine completed {3}"),
        ],
        run: { session, log in log.add("\(show(try session.examine(.inbox))) \(session.changed)") },
        expect: ["validity 1700000000 next 42 exists 17 false"]),
    Scenario(
        name: "a tag that is not ours",
        script: [
            .c("S1 EXAMINE \"INBOX\""),
            .raw(Array("* 0 exists\n* ok [uidvalidity 9]\ns1 ok\n".utf8)),
        ],
        run: { session, log in log.add("\(show(try session.examine(FolderName("inbox"))))") },
        expect: ["error malformed mailbox later"]),
    Scenario(
        name: "Exchange after a login with a wrong password",
        script: [.c("S1 EXAMINE \"INBOX\""), .s("S1 BAD User is authenticated but not connected.")],
        run: { session, log in log.add("\(show(try session.examine(.inbox)))") },
        expect: ["error loginUnavailable mailbox later"]),
    Scenario(
        name: "examine in lower case with bare LF",
        script: [
            .c("S1 EXAMINE \"INBOX\""),
            .raw(Array("* 0 exists\n* ok [uidvalidity 9]\nS1 ok\n".utf8)),
        ],
        run: { session, log in log.add("\(show(try session.examine(FolderName("inbox"))))") },
        expect: ["validity 9 next ? exists 0"]),
    Scenario(
        name: "examine without UIDVALIDITY",
        script: [.c("S1 EXAMINE \"INBOX\""), .s("* 1 EXISTS"), .s("S1 OK done")],
        run: { session, log in log.add("\(show(try session.examine(.inbox)))") },
        expect: ["error malformed folder later"]),
    Scenario(
        name: "UIDVALIDITY 0",
        script: [.c("S1 EXAMINE \"INBOX\""), .s("* OK [UIDVALIDITY 0] no"), .s("S1 OK done")],
        run: { session, log in log.add("\(show(try session.examine(.inbox)))") },
        expect: ["error malformed folder later"]),
    Scenario(
        name: "no such folder, then another",
        script: [
            .c("S1 EXAMINE \"Gone&AOk-\""), .s("S1 NO [NONEXISTENT] Mailbox doesn't exist"),
            .c("S2 EXAMINE \"a \\\"b\\\" &- c\\\\d\""), .s("* OK [UIDVALIDITY 3] ok"), .s("* 2 EXISTS"),
            .s("S2 OK done"),
        ],
        run: { session, log in
            do { _ = try session.examine(FolderName("Goneé")) } catch { try log.add({ "\($0)" }, error) }
            log.add("\(show(try session.examine(FolderName("a \"b\" & c\\d"))))")
        },
        expect: [
            "the server refused to open the folder Gone? ([NONEXISTENT] Mailbox doesn't exist); check the folder's name in the configuration",
            "validity 3 next ? exists 2",
        ]),
    Scenario(
        name: "examine answered with BAD",
        script: [.c("S1 EXAMINE \"INBOX\""), .s("S1 BAD what")],
        run: { session, log in log.add("\(show(try session.examine(.inbox)))") },
        expect: ["error rejected folder later"]),
    Scenario(
        name: "BYE in the middle of examine",
        script: [
            .c("S1 EXAMINE \"INBOX\""), .s("* 1 EXISTS"), .s("* BYE [UNAVAILABLE] Server shutting down {12}"),
            .s("S1 OK done"),
        ],
        run: { session, log in
            do { _ = try session.examine(.inbox) } catch { try log.add({ "\($0)" }, error) }
            _ = try session.examine(.inbox)
        },
        expect: [
            "the server ended the session ([UNAVAILABLE] Server shutting down {12}); it is reopened automatically",
            "error invalidRequest mailbox later",
        ]),
    Scenario(
        name: "capabilities are requested, ID is sent",
        capabilities: nil,
        script: [
            .c("S1 CAPABILITY"), .s("* CAPABILITY IMAP4rev1 ID IDLE AUTH=PLAIN"), .s("S1 OK done"),
            .c("S2 ID (\"name\" \"SpendWise\")"), .s("* ID NIL"), .s("S2 OK done"),
        ],
        run: { session, log in
            log.add(
                "\(session.capabilities.idle) \(session.capabilities.esearch) \(session.capabilities.contains("auth=plain"))"
            )
        },
        expect: ["true false true"]),
    Scenario(
        name: "capabilities in a code; a refused ID is ignored",
        capabilities: nil,
        script: [
            .c("S1 CAPABILITY"), .s("S1 OK [CAPABILITY IMAP4rev2 ID] done"),
            .c("S2 ID (\"name\" \"SpendWise\")"), .s("S2 BAD no"),
        ],
        run: { session, log in log.add("\(session.capabilities.idle) \(session.capabilities.esearch)") },
        expect: ["true true"]),
    Scenario(
        name: "capability refused",
        capabilities: nil,
        script: [.c("S1 CAPABILITY"), .s("S1 NO not now")],
        run: { _, log in log.add("open") },
        expect: ["error refused mailbox later"]),
    Scenario(
        name: "a silent server",
        script: [.c("S1 NOOP"), .silence],
        run: { session, log in try session.noop() },
        expect: ["error timedOut mailbox now"]),
    Scenario(
        name: "stopped in a command",
        script: [.c("S1 NOOP"), .s("* 1 EXISTS"), .stop],
        run: { session, log in try session.noop() },
        expect: ["error stopped mailbox stopped"]),
    Scenario(
        name: "an answer to another command",
        script: [.c("S1 NOOP"), .s("S2 OK done")],
        run: { session, log in try session.noop() },
        expect: ["error malformed mailbox later"]),
    Scenario(
        name: "noop refused, rejected, then answered",
        script: [
            .c("S1 NOOP"), .s("S1 NO busy"), .c("S2 NOOP"), .s("S2 BAD no"),
            .c("S3 NOOP"), .s("* 3 EXISTS"), .s("S3 OK done"),
        ],
        run: { session, log in
            do { try session.noop() } catch { try log.add({ "\($0.kind)" }, error) }
            do { try session.noop() } catch { try log.add({ "\($0.kind)" }, error) }
            log.add("\(try session.noop())")
        },
        expect: ["refused", "rejected", "true"]),
]
