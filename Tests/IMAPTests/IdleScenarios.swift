import Chronology
import ChronologyFixture

@testable import IMAP

let idleScenarios: [Scenario] = [
    Scenario(
        name: "a mail arrives in IDLE",
        script: [
            .c("S1 IDLE"), .s("* 3 EXPUNGE"), .s("+ idling"), .s("* OK Still here"), .s("* 4 EXISTS"), .s("* 1 RECENT"),
            .c("DONE"),
            .s("S1 OK Idle completed"),
        ],
        run: { session, log in log.add("\(try session.idle()) \(session.changed)") },
        expect: ["changed true"]),
    Scenario(
        name: "a mail arrived before the server accepted IDLE",
        script: [.c("S1 IDLE"), .s("* 4 EXISTS"), .s("+ idling"), .c("DONE"), .s("S1 OK Idle completed")],
        run: { session, log in log.add("\(try session.idle())") },
        expect: ["changed"]),
    Scenario(
        name: "a mail arrived during an earlier command",
        script: [
            .c("S1 UID SEARCH RETURN (ALL) ALL"), .s("* 4 EXISTS"), .s("S1 OK done"),
            .c("S2 UID SEARCH RETURN (ALL) ALL"), .s("S2 OK done"), .c("S3 IDLE"), .s("+ "), .silence, .c("DONE"),
            .s("S3 OK done"),
        ],
        run: { session, log in
            _ = try session.search(SearchCriteria())
            log.add("\(try session.idle())")
            _ = try session.search(SearchCriteria())
            log.add("\(try session.idle())")
        },
        expect: ["changed", "renewed"]),
    Scenario(
        name: "a mail arrives between DONE and its answer",
        script: [.c("S1 IDLE"), .s("+ idling"), .wake, .c("DONE"), .s("* 9 EXISTS"), .s("S1 OK done")],
        run: { session, log in log.add("\(try session.idle())") },
        expect: ["changed"]),
    Scenario(
        name: "woken",
        script: [.c("S1 IDLE"), .s("+ idling"), .wake, .c("DONE"), .s("S1 OK done"), .c("S2 NOOP"), .s("S2 OK done")],
        run: { session, log in
            log.add("\(try session.idle())")
            log.add("\(try session.noop())")
        },
        expect: ["woken", "false"]),
    Scenario(
        name: "an expunge is not a change; new mail after it is",
        script: [
            .c("S1 NOOP"), .s("* 5 EXISTS"), .s("S1 OK done"), .c("S2 UID SEARCH RETURN (ALL) ALL"), .s("S2 OK done"),
            .c("S3 IDLE"), .s("+ idling"), .s("* 5 EXPUNGE"), .s("* 4 EXISTS"), .silence, .c("DONE"), .s("S3 OK done"),
            .c("S4 IDLE"), .s("+ idling"), .s("* 1 EXPUNGE"), .s("* 4 EXISTS"), .c("DONE"), .s("S4 OK done"),
        ],
        run: { session, log in
            try session.noop()
            _ = try session.search(SearchCriteria())
            log.add("\(try session.idle())")
            log.add("\(try session.idle())")
        },
        expect: ["renewed", "changed"]),
    Scenario(
        name: "the server dies in IDLE: DONE is not answered",
        script: [.c("S1 IDLE"), .s("+ idling"), .silence, .c("DONE"), .silence],
        run: { session, log in log.add("\(try session.idle())") },
        expect: ["error timedOut mailbox now"]),
    Scenario(
        name: "the server ends IDLE",
        script: [.c("S1 IDLE"), .s("+ idling"), .s("S1 OK enough")],
        run: { session, log in log.add("\(try session.idle())") },
        expect: ["renewed"]),
    Scenario(
        name: "IDLE is never accepted",
        script: [.c("S1 IDLE"), .s("* 1 EXISTS"), .silence],
        run: { session, log in log.add("\(try session.idle())") },
        expect: ["error timedOut mailbox now"]),
    Scenario(
        name: "BYE in IDLE",
        script: [.c("S1 IDLE"), .s("+ idling"), .s("* BYE Disconnected for inactivity.")],
        run: { session, log in log.add("\(try session.idle())") },
        expect: ["error bye mailbox later"]),
    Scenario(
        name: "stopped in IDLE",
        script: [.c("S1 IDLE"), .s("+ idling"), .stop],
        run: { session, log in log.add("\(try session.idle())") },
        expect: ["error stopped mailbox stopped"]),
    Scenario(
        name: "IDLE refused: poll from then on",
        script: [
            .c("S1 IDLE"), .s("S1 NO [CANNOT] not here"), .silence, .c("S2 NOOP"), .s("* 7 EXISTS"), .s("S2 OK done"),
            .c("S3 UID SEARCH RETURN (ALL) ALL"), .s("S3 OK done"), .silence, .c("S4 NOOP"), .s("S4 OK done"), .wake,
        ],
        run: { session, log in
            log.add("\(try session.waitForChange(poll: .seconds(1)))")
            _ = try session.search(SearchCriteria())
            log.add("\(try session.waitForChange(poll: .seconds(1)))")
            log.add("\(try session.waitForChange(poll: .seconds(1)))")
        },
        expect: ["changed", "renewed", "woken"]),
    Scenario(
        name: "the server ends an IDLE with a refusal: examine the folder, then poll",
        script: [
            .c("S1 IDLE"), .s("+ idling"), .s("S1 NO Mailbox was deleted"), .silence, .c("S2 NOOP"), .s("S2 OK done"),
        ],
        run: { session, log in
            log.add("\(try session.waitForChange(poll: .seconds(1)))")
            log.add("\(try session.waitForChange(poll: .seconds(1)))")
        },
        expect: ["doubtful", "renewed"]),
    Scenario(
        name: "DONE is answered with BAD",
        script: [
            .c("S1 IDLE"), .s("+ idling"), .wake, .c("DONE"), .s("S1 BAD User is authenticated but not connected."),
        ],
        run: { session, log in log.add("\(try session.waitForChange(poll: .seconds(1)))") },
        expect: ["doubtful"]),
    Scenario(
        name: "a refused IDLE is tried again",
        timing: {
            var timing = Timing()
            timing.idleRefusal = .zero
            return timing
        }(),
        script: [
            .c("S1 IDLE"), .s("S1 NO [UNAVAILABLE] not now"), .silence, .c("S2 NOOP"), .s("S2 OK done"),
            .c("S3 IDLE"), .s("+ idling"), .s("* 7 EXISTS"), .c("DONE"), .s("S3 OK done"),
        ],
        run: { session, log in
            log.add("\(try session.waitForChange(poll: .seconds(1)))")
            log.add("\(try session.waitForChange(poll: .seconds(1)))")
        },
        expect: ["renewed", "changed"]),
    Scenario(
        name: "NOOP after an IDLE without changes finds unannounced mail",
        script: [
            .c("S1 IDLE"), .s("+ idling"), .silence, .c("DONE"), .s("S1 OK done"), .c("S2 NOOP"), .s("* 7 EXISTS"),
            .s("S2 OK done"),
        ],
        run: { session, log in log.add("\(try session.waitForChange(poll: .seconds(1)))") }, expect: ["changed"]),
    Scenario(
        name: "a refused NOOP after an IDLE changes nothing",
        script: [
            .c("S1 IDLE"), .s("+ idling"), .silence, .c("DONE"), .s("S1 OK done"), .c("S2 NOOP"), .s("S2 NO not now"),
        ],
        run: { session, log in log.add("\(try session.waitForChange(poll: .seconds(1)))") }, expect: ["renewed"]),
    Scenario(
        name: "no IDLE; the server announces mail unasked",
        capabilities: ["IMAP4rev1"],
        script: [.s("* 7 EXISTS")],
        run: { session, log in log.add("\(try session.waitForChange(poll: .seconds(300)))") },
        expect: ["changed"]),
]
