import Chronology
import ChronologyFixture

@testable import IMAP

let searchScenarios: [Scenario] = [
    Scenario(
        name: "ESEARCH",
        script: [
            .c(
                "S1 UID SEARCH RETURN (ALL) UID 5:* SINCE 1-Feb-2026 OR FROM \"a.example\" OR FROM \"b.example\" FROM \"c.example\""
            ),
            .s("* ESEARCH (TAG \"S1\") UID ALL 2:4,7:9,100001"), .s("* 12 EXISTS"), .s("S1 OK Search completed"),
        ],
        run: { session, log in
            var criteria = SearchCriteria(from: ["a.example", "b.example", "c.example"])
            criteria.first = UID(5)
            criteria.since = Day(year: 2026, month: 2, day: 1)
            log.add("\(try session.search(criteria)) \(session.changed)")
        },
        expect: ["7:9,100001 true"]),
    Scenario(
        name: "a search for older mail does not clear changed",
        script: [
            .c("S1 UID SEARCH RETURN (ALL) UID 5:*"), .s("* 12 EXISTS"), .s("S1 OK done"),
            .c("S2 UID SEARCH RETURN (ALL) UID 1:4"), .s("S2 OK done"),
            .c("S3 UID SEARCH RETURN (ALL) UID 5:*"), .s("S3 OK done"),
        ],
        run: { session, log in
            for (first, through) in [(UID(5), nil), (UID(1), UID(4)), (UID(5), nil)] as [(UID?, UID?)] {
                _ = try session.search(SearchCriteria(first: first, through: through))
                log.add("\(session.changed)")
            }
        },
        expect: ["true", "true", "false"]),
    Scenario(
        name: "subdomains need no word of their own",
        script: [
            .c("S1 UID SEARCH RETURN (ALL) OR FROM \"bank.example\" OR FROM \"a.example\" FROM \"ourbank.example\""),
            .s("* ESEARCH (TAG \"S1\") UID ALL 3"), .s("S1 OK done"),
        ],
        run: { session, log in
            let from = [
                "a.example", "mail.a.example", "north.bank.example", "alerts.south.bank.example", "ourbank.example",
            ]
            log.add("\(try session.search(SearchCriteria(from: from, above: ["bank.example"])))")
        },
        expect: ["3"]),
    Scenario(
        name: "ESEARCH finds nothing; COUNT and MODSEQ are ignored",
        script: [
            .c("S1 UID SEARCH RETURN (ALL) ALL"), .s("* ESEARCH (TAG \"S1\") UID COUNT 0 MODSEQ 917162500"),
            .s("S1 OK done"),
        ],
        run: { session, log in log.add("<\(try session.search(SearchCriteria()))>") },
        expect: ["<>"]),
    Scenario(
        name: "plain SEARCH, unsorted, repeated, in several lines",
        capabilities: ["IMAP4rev1"],
        script: [
            .c("S1 UID SEARCH UID 1:9"), .s("* SEARCH 9 3 4"), .s("* 1 EXPUNGE"), .s("* SEARCH 3 5 12 (MODSEQ 3)"),
            .s("* SEARCH"),
            .s("S1 OK done"),
        ],
        run: { session, log in log.add("\(try session.search(SearchCriteria(through: UID(9))))") },
        expect: ["3:5,9"]),
    Scenario(
        name: "n:* names the last message although it is lower",
        script: [
            .c("S1 UID SEARCH RETURN (ALL) UID 50:*"), .s("* ESEARCH (TAG \"S1\") UID ALL 49"), .s("S1 OK done"),
        ],
        run: { session, log in log.add("<\(try session.search(SearchCriteria(first: UID(50))))>") },
        expect: ["<>"]),
    Scenario(
        name: "long lists are cut into several commands",
        script: [
            .c("S1 UID SEARCH RETURN (ALL) " + orTree((0..<228).map(longDomain))),
            .c("S2 UID SEARCH RETURN (ALL) " + orTree((228..<300).map(longDomain))),
            .s("* ESEARCH (TAG \"S2\") UID ALL 4"), .s("* ESEARCH (TAG \"S1\") UID ALL 1,9"), .s("S1 OK done"),
            .s("S2 OK done"),
        ],
        run: { session, log in log.add("\(try session.search(SearchCriteria(from: (0..<300).map(longDomain))))") },
        expect: ["1,4,9"]),
    Scenario(
        name: "search refused",
        script: [.c("S1 UID SEARCH RETURN (ALL) ALL"), .s("S1 NO [INUSE] busy"), .c("S2 NOOP"), .s("S2 OK fine")],
        run: { session, log in
            do { log.add("\(try session.search(SearchCriteria()))") } catch {
                try log.add({ "\($0.kind) \($0.scope) \($0.retry) \($0.code ?? "")" }, error)
            }
            try session.noop()
        },
        expect: ["refused folder later INUSE"]),
    Scenario(
        name: "search rejected",
        script: [.c("S1 UID SEARCH RETURN (ALL) ALL"), .s("S1 BAD syntax")],
        run: { session, log in log.add("\(try session.search(SearchCriteria()))") },
        expect: ["error rejected folder later"]),
    Scenario(
        name: "more results than mails",
        script: [
            .c("S1 UID SEARCH RETURN (ALL) ALL"), .s("* 5 EXISTS"), .s("* ESEARCH (TAG \"S1\") UID ALL 1:4294967295"),
            .s("S1 OK done"),
        ],
        run: { session, log in log.add("\(try session.search(SearchCriteria()))") },
        expect: ["error malformed mailbox later"]),
    Scenario(
        name: "a result that is not a number",
        capabilities: [],
        script: [.c("S1 UID SEARCH ALL"), .s("* SEARCH 1 x"), .s("S1 OK done")],
        run: { session, log in log.add("\(try session.search(SearchCriteria()))") },
        expect: ["error malformed mailbox later"]),
    Scenario(
        name: "a sender that cannot be searched for",
        script: [],
        run: { session, log in _ = try session.search(SearchCriteria(from: ["a\r\nS9 DELETE x"])) },
        expect: ["error invalidRequest mailbox afterReconfiguration"]),
]

func longDomain(_ n: Int) -> String { "alerts-\(1000 + n).bank.example" }

/// The same balanced tree, built independently.
func orTree(_ domains: [String]) -> String {
    domains.count == 1
        ? "FROM \"\(domains[0])\""
        : "OR \(orTree(Array(domains.prefix(domains.count / 2)))) \(orTree(Array(domains.suffix(domains.count - domains.count / 2))))"
}
