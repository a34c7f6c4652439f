import AuthorizationFixture
import DovecotFixture
import Foundation
import Glibc
import LoopbackFixture
import PostgreSQL
import PostgresFixture
import Testing

extension EndToEnd {
    /// Workers of the real program against a real Dovecot and a real PostgreSQL.
    @Suite(.enabled(if: PostgresFixture.isInstalled, "needs Debian's package postgresql-15")) struct Fleet {
        static let households = ["anna", "ben", "chitra", "dev"]

        @Test(.timeLimit(.minutes(5))) func aKilledWorkersHouseholdsAreReadByTheOther() throws {
            let fleet = try FleetStation(Self.households)
            let mails = Catalogue.mixed()
            for household in Self.households { try fleet.station.deliver(mails, to: household) }
            let first = try fleet.worker("one")
            let second = try fleet.worker("two")
            try fleet.waitForMails(mails.count { $0.outcome != "not fetched" }, first, second)
            try fleet.waitForWorkers(["one": 2, "two": 2], first, second)

            let status = try fleet.start(["status"])
            #expect(try status.exit() == 0)
            let lines = status.output.split(separator: "\n")
            #expect(lines.count == 5 && lines.dropFirst().allSatisfy { $0.contains("for ") }, "\(status.output)")

            first.signal(SIGKILL)
            try first.exit()
            // As if the length of a lease had passed.
            try fleet.sql(
                """
                UPDATE fleet.workers SET seen_at = seen_at - interval '1 minute' WHERE name = 'one'
                """)
            let more = [
                Mail.iciciCard("later", 8_000, at: "LATE COFFEE", India.daysAgo(0, 0, 1), in: Catalogue.cafe)
            ]
            for household in Self.households { try fleet.station.deliver(more, to: household) }
            try fleet.waitForMails((mails + more).count { $0.outcome != "not fetched" }, second)
            try fleet.waitForWorkers(["two": 4], second)

            second.signal(SIGTERM)
            #expect(try second.exit() == 0, "\(second.errors)")
            try fleet.waitForWorkers([:], second)
            for program in [first, second] { fleet.station.expectDiscreet(program) }
            for household in Self.households {
                try fleet.export(household)
                try fleet.station.expectBooked(mails + more)
            }
        }

        @Test(.timeLimit(.minutes(3))) func aHouseholdMovesInAndOut() throws {
            let fleet = try FleetStation([])
            let mails = Catalogue.mixed()
            try fleet.station.deliver(mails)
            try fleet.station.pass()
            let before = try fleet.station.ledger.dump()
            try fleet.add("anna", from: fleet.station.database)
            try fleet.export("anna")
            #expect(try fleet.station.ledger.dump() == before)
            try fleet.station.expectBooked(mails)
        }

        /// A mail that failed at home, with a retry some seconds after the household was leased; the next poll is in
        /// five minutes.
        @Test(.timeLimit(.minutes(4))) func aFailedMailIsRetriedAtItsTime() throws {
            let fleet = try FleetStation([])
            let mails = Catalogue.mixed()
            try fleet.station.deliver(mails)
            try fleet.station.pass()
            try fleet.station.ledger.change(
                """
                UPDATE processed_emails SET status = 'failed', error_message = 'the server has no text for it',
                  next_attempt_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '+30 seconds')
                WHERE status = 'unclaimed'
                """)
            // The same mailbox as at home.
            try fleet.add("user", from: fleet.station.database, mailboxes: ["personal": "user"])
            let worker = try fleet.worker("one")
            let administrator = try PostgresConnection(PostgresFixture.administrator(of: fleet.database))
            func count(_ condition: String) throws -> Int64? {
                try administrator.run("SELECT count(*) FROM ledger.processed_emails WHERE \(condition)") {
                    $0.bigint(0)
                }.first ?? nil
            }
            let failed = try #require(try count("status = 'failed'"))
            #expect(failed > 0)
            try waitUntil("the retries\n\(worker.errors)", seconds: 120) {
                try count("status = 'unclaimed' AND attempts > 1") == failed
            }
            worker.signal(SIGTERM)
            #expect(try worker.exit() == 0, "\(worker.errors)")
            fleet.station.expectDiscreet(worker)
            try fleet.export("user")
            try fleet.station.expectBooked(mails)
        }

        @Test(.timeLimit(.minutes(5))) func aHouseholdChangesAndGoesWhileItIsRead() throws {
            let fleet = try FleetStation(["anna", "ben"])
            let mails = Catalogue.mixed()
            let fetched = mails.count { $0.outcome != "not fetched" }
            for household in ["anna", "ben"] { try fleet.station.deliver(mails, to: household) }
            let worker = try fleet.worker("one")
            try fleet.waitForMails(fetched, worker)

            // Another time zone, and a second mailbox, of the user 'user'.
            let more = [
                Mail.iciciCard("later", 8_000, at: "LATE COFFEE", India.daysAgo(0, 0, 1), in: Catalogue.cafe)
            ]
            try fleet.station.deliver(more)
            let settings = try fleet.settings("anna", mailboxes: ["box": "anna", "second": "user"])
            #expect(try fleet.start(["set", "anna", "--settings", settings]).exit() == 0)
            try fleet.waitForMails(fetched + 1, of: "anna", worker)
            try fleet.export("anna")
            try fleet.station.expectBooked(mails + more)
            try waitUntil("both mailboxes\n\(worker.errors)") {
                try fleet.output(["mailboxes", "anna", "--json"]).components(separatedBy: "\"watching\"").count == 3
            }

            let refused = try fleet.start(["remove", "ben"])
            #expect(try refused.exit() == 1)
            #expect(refused.errors.contains("spendwise-fleet export ben --output ben.db"), "\(refused.errors)")
            #expect(try fleet.copies("one") == 2)
            #expect(try fleet.start(["remove", "ben", "--yes"]).exit() == 0)
            try waitUntil("the end of the copy\n\(worker.errors)") { try fleet.copies("one") == 1 }
            #expect(try fleet.output(["households"]).contains("anna"))
            #expect(try !fleet.output(["households"]).contains("ben"))
            try fleet.waitForWorkers(["one": 1], worker)
            worker.signal(SIGTERM)
            #expect(try worker.exit() == 0, "\(worker.errors)")
            fleet.station.expectDiscreet(worker)
        }

        /// The worker has no command for passwords; a sealed one is read as soon as it is stored.
        @Test(.timeLimit(.minutes(4))) func aSealedPasswordOpensTheMailbox() throws {
            let fleet = try FleetStation(["anna", "ben"])
            let keys = fleet.station.scratch.path + "/fleet.keys"
            let generated = try fleet.start(["keygen", "--output", keys])
            #expect(try generated.exit() == 0, "\(generated.errors)")
            let publicKey = generated.output.trimmingCharacters(in: .whitespacesAndNewlines)
            fleet.passwords = "key_file: \(keys)\npublic_key: \(publicKey)"
            let mails = Catalogue.mixed()
            let fetched = mails.count { $0.outcome != "not fetched" }
            for household in ["anna", "ben"] { try fleet.station.deliver(mails, to: household) }
            let worker = try fleet.worker("one")
            try waitUntil("two mailboxes without a password\n\(worker.errors)") {
                try fleet.output(["mailboxes"]).components(separatedBy: "no password: run").count == 3
            }
            try fleet.password("anna", Installation.password)
            try fleet.waitForMails(fetched, of: "anna", worker)

            // A password that is sealed to a key that this worker has not.
            let other = try fleet.start(["keygen", "--output", keys + ".other"])
            #expect(try other.exit() == 0, "\(other.errors)")
            let otherKey = other.output.trimmingCharacters(in: .whitespacesAndNewlines)
            fleet.passwords = "key_file: \(keys)\npublic_key: \(otherKey)"
            try fleet.password("ben", Installation.password)
            try waitUntil("a fault that names the key\n\(worker.errors)") {
                try fleet.output(["mailboxes", "ben", "--json"]).contains(otherKey)
            }
            // Its private key is appended: the worker needs no restart.
            let file = try FileHandle(forUpdating: URL(filePath: keys))
            try file.seekToEnd()
            try file.write(contentsOf: Data(contentsOf: URL(filePath: keys + ".other")))
            try file.close()
            try fleet.waitForMails(fetched, of: "ben", worker)
            let resealed = try fleet.start(["reseal"])
            #expect(try resealed.exit() == 0, "\(resealed.errors)")
            #expect(resealed.output == "1 sealed anew\n")
            worker.signal(SIGTERM)
            #expect(try worker.exit() == 0, "\(worker.errors)")
            fleet.station.expectDiscreet(worker)
        }

        /// A protected statement of a mail waits until its password is sealed, and says by which command.
        @Test(.timeLimit(.minutes(4))) func aProtectedStatementIsReadWithASealedPassword() throws {
            let fleet = try FleetStation([])
            try fleet.makeKeys()
            fleet.household = "statements: [{ bank: hdfc }]\n"
            try fleet.add("user")
            try fleet.station.deliver([
                StatementMails.alert,
                StatementMails.mail("protected", file: "january.pdf", base64: StatementMails.pdf),
            ])
            let worker = try fleet.worker("one")
            let administrator = try PostgresConnection(PostgresFixture.administrator(of: fleet.database))
            func waitForFile(_ start: String, _ end: String) throws {
                var found: [String] = []
                try waitUntil("\(start)…\(end), not \(found)\n\(worker.errors)", seconds: 120) {
                    found = try administrator.run(
                        "SELECT state || ': ' || coalesce(reason, '') FROM ledger.statement_files"
                    ) { $0.text(0) ?? "" }
                    return found.count == 1 && found[0].hasPrefix(start) && found[0].hasSuffix(end)
                }
            }
            try waitForFile("needs_password: ", "run 'spendwise-fleet secret user hdfc'")
            let typed = try fleet.station.scratch.write("asha0501\n", to: "typed")
            let stored = try fleet.start(["secret", "user", "hdfc"], input: typed)
            #expect(try stored.exit() == 0, "\(stored.errors)")
            try waitForFile("read: ", "")
            worker.signal(SIGTERM)
            #expect(try worker.exit() == 0, "\(worker.errors)")
            #expect(!worker.errors.contains("asha0501"))
            fleet.station.expectDiscreet(worker)
        }

        /// A receiver with a sealed secret.
        @Test(.timeLimit(.minutes(4))) func aHouseholdGetsItsNotifications() throws {
            let hook = try HookServer()
            let fleet = try FleetStation([])
            try fleet.makeKeys()
            fleet.more = "local_receivers: true"
            fleet.household = """
                notifications:
                  - { name: hook, kind: webhook, url: '\(hook.url)', events: [transaction], max_age: 10d }

                """
            try fleet.add("user")
            let secret = try fleet.station.scratch.write("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n", to: "typed")
            let stored = try fleet.start(["secret", "user", "hook"], input: secret)
            #expect(try stored.exit() == 0, "\(stored.errors)")
            let bad = try fleet.start(["secret", "user", "hook"], input: fleet.station.scratch.write("x\n", to: "bad"))
            #expect(try bad.exit() != 0 && bad.errors.contains("openssl rand -base64 32"), "\(bad.errors)")
            let unknown = try fleet.start(["secret", "user", "other"], input: secret)
            #expect(try unknown.exit() != 0 && unknown.errors.contains("has no receiver 'other'"), "\(unknown.errors)")

            let worker = try fleet.worker("one")
            try fleet.station.deliver([Watching.coffee("new", minutes: 2)])
            try waitUntil("the webhook\n\(worker.errors)") { !hook.deliveries.isEmpty }
            let delivery = try #require(hook.deliveries.first)
            #expect(delivery.body.contains(#""type":"transaction.booked""#), "\(delivery.body)")
            #expect(delivery.headers["webhook-signature"]?.hasPrefix("v1,") == true)
            // Another worker sends nothing anew, once the first has recorded its delivery: one that ends between the
            // two repeats it by design.
            let states = "SELECT state FROM notification_messages"
            try waitUntil("the recorded delivery\n\(worker.errors)") {
                try fleet.export("user")
                return try fleet.station.ledger.column(states) == ["sent"]
            }
            worker.signal(SIGTERM)
            #expect(try worker.exit() == 0, "\(worker.errors)")
            let second = try fleet.worker("two")
            try fleet.station.deliver([Watching.coffee("later", minutes: 1)])
            try waitUntil("the second notification\n\(second.errors)") { hook.deliveries.count > 1 }
            second.signal(SIGTERM)
            #expect(try second.exit() == 0, "\(second.errors)")
            #expect(hook.deliveries.count == 2)
            try fleet.export("user")
            #expect(try fleet.station.ledger.column(states) == ["sent", "sent"])
            for program in [worker, second] {
                fleet.station.expectDiscreet(program)
                #expect(!program.errors.contains("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
            }
        }

        @Test(.timeLimit(.minutes(3))) func aWorkerServesHealthAndMetrics() throws {
            let fleet = try FleetStation(["anna"])
            let port = try freePort()
            fleet.more = "listen: 127.0.0.1:\(port)"
            let worker = try fleet.worker("one")
            func get(_ path: String) throws -> String {
                let curl = try Program(
                    "/usr/bin/curl", ["-s", "-w", "%{http_code}", "http://127.0.0.1:\(port)\(path)"],
                    in: fleet.station.scratch)
                try curl.exit()
                return curl.output
            }
            try waitUntil("a watching mailbox\n\(worker.errors)") { try get("/health").contains("\"watching\":1") }
            let health = try get("/health")
            #expect(health.hasPrefix("{\"status\":\"ok\"") && health.hasSuffix("200"), "\(health)")
            #expect(try get("/health/live") == "alive\n200")
            let metrics = try get("/metrics")
            #expect(metrics.contains("spendwise_fleet_worker_mailboxes{state=\"watching\"} 1\n"), "\(metrics)")
            #expect(metrics.contains("spendwise_fleet_database_up 1\n") && !metrics.contains("anna"))
            #expect(try get("/ledger").hasSuffix("404"))
            // A second worker cannot listen there: it says so, and ends.
            let second = try fleet.worker("two")
            #expect(try second.exit() != 0)
            #expect(second.errors.contains("127.0.0.1:\(port): the server of health and metrics"), "\(second.errors)")
            try fleet.waitForWorkers(["one": 1], worker)
            worker.signal(SIGTERM)
            #expect(try worker.exit() == 0, "\(worker.errors)")
            fleet.station.expectDiscreet(worker)
        }

        /// The second certificate plays the renewed one.
        @Test(.timeLimit(.minutes(3))) func aReplicaReadsItsCertificateAgainOnSIGHUP() throws {
            let fleet = try FleetStation(["anna"])
            let port = try freePort()
            fleet.passwords = ""
            fleet.more = #"serve: { domain: books.example, web: { listen: "127.0.0.1:\#(port)", tls: self-signed } }"#
            let replica = try fleet.start(["serve"], name: "replica")
            let copies = fleet.station.scratch.path + "/copies-replica"
            let (certificate, key) = (copies + "/web-certificate.pem", copies + "/web-key.pem")
            func status(trusting file: String) throws -> String {
                let curl = try Program(
                    "/usr/bin/curl",
                    [
                        "-s", "-o", "/dev/null", "-w", "%{http_code}", "--cacert", file, "--resolve",
                        "anna.books.example:\(port):127.0.0.1", "https://anna.books.example:\(port)/health",
                    ], in: fleet.station.scratch)
                try curl.exit()
                return curl.output
            }
            try waitUntil("a page over TLS\n\(replica.errors)") { try status(trusting: certificate) == "200" }
            let former = copies + "/former.pem"
            try FileManager.default.moveItem(atPath: certificate, toPath: former)
            try FileManager.default.removeItem(atPath: key)
            replica.signal(SIGHUP)
            try waitUntil("the new certificate\n\(replica.errors)") { try status(trusting: certificate) == "200" }
            #expect(try status(trusting: former) == "000")
            // An unreadable file is reported and changes nothing.
            try "nonsense".write(toFile: key, atomically: true, encoding: .utf8)
            replica.signal(SIGHUP)
            try waitUntil("a fault in the log\n\(replica.errors)") {
                replica.errors.contains("certificate not read, the old one stays")
            }
            #expect(try status(trusting: certificate) == "200")
            replica.signal(SIGTERM)
            #expect(try replica.exit() == 0, "\(replica.errors)")
            fleet.station.expectDiscreet(replica)
        }

        /// A saved mail is recorded by a replica and decided by a worker.
        @Test(.timeLimit(.minutes(3))) func anUploadedMailWaitsInTheReview() throws {
            let fleet = try FleetStation(["anna"])
            let port = try freePort()
            let token = try fleet.output(["token", "anna", "uploads", "--scope", "read,write"])
                .trimmingCharacters(in: .whitespacesAndNewlines)
            let worker = try fleet.worker("one")
            fleet.more = #"serve: { domain: books.example, web: { listen: "127.0.0.1:\#(port)" } }"#
            let replica = try fleet.start(["serve"], name: "replica")
            try replica.logs("info serving")
            let mail = try fleet.station.scratch.write(Watching.coffee("saved", minutes: 1).bytes, to: "saved.eml")
            let curl = try Program(
                "/usr/bin/curl",
                [
                    "-sS", "--max-time", "60", "--resolve", "anna.books.example:\(port):127.0.0.1", "-H",
                    "Authorization: Bearer \(token)", "-H", "Accept: text/html", "-F", "file=@\(mail)",
                    "http://anna.books.example:\(port)/app/mailboxes/upload",
                ], in: fleet.station.scratch)
            try curl.exit()
            #expect(curl.output.contains("Of banks: 1"), "\(curl.output)\(curl.errors)\(replica.errors)")
            try waitUntil("the decision\n\(worker.errors)") {
                try fleet.export("anna")
                return try fleet.station.ledger.column("SELECT status FROM processed_emails") == ["review"]
            }
            for program in [replica, worker] {
                program.signal(SIGTERM)
                #expect(try program.exit() == 0, "\(program.errors)")
                fleet.station.expectDiscreet(program)
            }
        }

        @Test(.timeLimit(.minutes(2))) func aRoleSaysWhatItsConfigurationLacks() throws {
            let fleet = try FleetStation([])
            let serving = try fleet.start(["serve"])
            #expect(try serving.exit() == 1)
            #expect(
                serving.errors.contains("fleet-operator.yaml:1:1: the key 'serve' is missing here"), "\(serving.errors)"
            )
            fleet.passwords = ""
            let reading = try fleet.start(["worker"])
            #expect(try reading.exit() == 1)
            #expect(
                reading.errors.contains("fleet-operator.yaml:1:1: neither 'key_file' nor 'password_command' is here"),
                "\(reading.errors)")
        }

        @Test(.timeLimit(.minutes(2))) func tooFewOpenFilesAreReportedAtStart() throws {
            let fleet = try FleetStation([])
            fleet.more = "serve: { domain: books.example, households: 1000, web: { listen: '127.0.0.1:1' } }"
            _ = try fleet.output(["households"])
            for (role, words) in [
                ("serve", "1000 working copies need"), ("worker", "100 mailboxes need"),
            ] {
                let program = try Program(
                    "/usr/bin/prlimit",
                    [
                        "--nofile=400:400", Program.binaries + "/spendwise-fleet", role, "--config",
                        fleet.station.scratch.path + "/fleet-operator.yaml",
                    ], in: fleet.station.scratch)
                #expect(try program.exit(within: 60) != 0)
                #expect(program.errors.contains(words) && program.errors.contains("LimitNOFILE="), "\(program.errors)")
            }
        }

        @Test(.timeLimit(.minutes(2))) func badInputIsAClearError() throws {
            let fleet = try FleetStation([])
            let cases: [(arguments: [String], words: String)] = [
                (
                    ["export", "nobody", "--output", fleet.station.scratch.fresh("x.db")],
                    "there is no household 'nobody'"
                ),
                (["drain", "nobody"], "there is no worker 'nobody'"),
                (["remove", "nobody", "--yes"], "there is no household 'nobody'"),
                (["remove", "nobody"], "there is no household 'nobody'"),
                (["mailboxes", "nobody"], "there is no household 'nobody'"),
                (["set", "nobody", "--settings", try fleet.settings("nobody")], "there is no household 'nobody'"),
                (
                    [
                        "set", "nobody", "--settings",
                        try fleet.station.scratch.write("database: x", to: "bad-set.yaml"),
                    ],
                    "database"
                ),
                (
                    [
                        "add", "ben", "--settings",
                        try fleet.station.scratch.write("mailboxes: [{name: x, password_command: id}]", to: "bad.yaml"),
                    ],
                    "'password_command' is not allowed in a fleet"
                ),
                (
                    ["add", "ben", "--settings", try fleet.station.scratch.write("database: x", to: "worse.yaml")],
                    "database"
                ),
            ]
            for (arguments, words) in cases {
                let program = try fleet.start(arguments)
                #expect(try program.exit() != 0)
                #expect(program.errors.contains(words), "\(program.errors)")
            }
        }
    }
}

/// A mail server, a PostgreSQL and the configuration of workers.
fileprivate final class FleetStation {
    let station: Station
    let database: String
    /// Where the programs get passwords, as lines of their configuration.
    var passwords: String
    /// A further line of the configuration.
    var more = ""
    /// Further lines of the settings of households.
    var household = ""

    /// - Parameter households: each with a new ledger and one mailbox of its name.
    init(_ households: [String]) throws {
        station = try Station(users: households + ["user"])
        let password = try station.scratch.write(Installation.password + "\n", to: "fleet-password")
        passwords =
            #"password_command: test -n "$SPENDWISE_HOUSEHOLD" && test -n "$SPENDWISE_MAILBOX" && cat \#(password)"#
        station.parsers = [Program.root + "/parsers"]
        database = try PostgresFixture.database()
        #expect(try start(["migrate"]).exit() == 0)
        for household in households { try add(household) }
    }

    /// Starts the program with a configuration.
    func start(
        _ arguments: [String], name: String = "operator", input: String = "/dev/null"
    ) throws -> Program {
        let scratch = station.scratch
        let configuration = try scratch.write(
            """
            postgresql: "\(database)"
            name: \(name)
            mailboxes: 100
            copies: \(scratch.path)/copies-\(name)
            parsers: [\(station.parsers.joined(separator: ", "))]
            categories: \(Program.root)/config/categories.yaml
            \(passwords)
            \(more)
            ca_file: \(station.server.caFile)
            """, to: "fleet-\(name).yaml")
        let file = arguments.first == "keygen" ? [] : ["--config", configuration]
        return try Program("spendwise-fleet", arguments + file, input: input, in: scratch)
    }

    /// Makes keys for sealed secrets, beside the command for passwords.
    func makeKeys() throws {
        let keys = station.scratch.path + "/fleet.keys"
        let generated = try start(["keygen", "--output", keys])
        #expect(try generated.exit() == 0, "\(generated.errors)")
        passwords += "\nkey_file: \(keys)\npublic_key: \(generated.output)"
    }

    /// Stores the password of the mailbox `box`.
    func password(_ household: String, _ password: String) throws {
        let input = try station.scratch.write(password + "\n", to: "typed")
        let program = try start(["password", household, "box"], input: input)
        #expect(try program.exit() == 0, "\(program.errors)")
    }

    func worker(_ name: String) throws -> Program { try start(["worker"], name: name) }

    /// Writes the settings of a household to a file.
    ///
    /// - Parameter mailboxes: names with their users; one of the household's name if `nil`.
    func settings(_ household: String, mailboxes: [String: String]? = nil) throws -> String {
        let entries = (mailboxes ?? ["box": household]).sorted { $0.key < $1.key }.map { name, user in
            """
              - name: \(name)
                host: 127.0.0.1
                port: \(station.server.port)
                user: \(user)
                authserv_id: mx.google.com

            """
        }
        return try station.scratch.write(self.household + "mailboxes:\n" + entries.joined(), to: "\(household).yaml")
    }

    /// - Parameter mailboxes: as for ``settings(_:mailboxes:)``.
    func add(_ household: String, from ledger: String? = nil, mailboxes: [String: String]? = nil) throws {
        let program = try start(
            ["add", household, "--settings", settings(household, mailboxes: mailboxes)]
                + (ledger.map { ["--from", $0] } ?? []))
        #expect(try program.exit() == 0, "\(program.errors)")
    }

    /// The output of a command that succeeds.
    func output(_ arguments: [String]) throws -> String {
        let program = try start(arguments)
        #expect(try program.exit() == 0, "\(program.errors)")
        return program.output
    }

    /// The number of working copies of a worker.
    func copies(_ worker: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: station.scratch.path + "/copies-\(worker)")
            .count { $0.hasPrefix("household-") && $0.hasSuffix(".db") }
    }

    /// Writes the ledger of a household to the file that ``Station/ledger`` reads.
    func export(_ household: String) throws {
        station.database = station.scratch.fresh("\(household).db")
        let program = try start(["export", household, "--output", station.database])
        #expect(try program.exit() == 0, "\(program.errors)")
    }

    func sql(_ sql: String) throws { try PostgresConnection(database).script(sql) }

    /// Waits until every household, or one, has this number of mails.
    func waitForMails(_ count: Int, of household: String? = nil, _ programs: Program...) throws {
        let administrator = try PostgresConnection(PostgresFixture.administrator(of: database))
        var found: [Int64] = []
        try waitUntil(
            "\(count) mails of each household, not \(found)\n\(programs.map(\.errors).joined(separator: "\n"))",
            seconds: 120
        ) {
            found = try administrator.run(
                """
                SELECT (SELECT count(*) FROM ledger.processed_emails e WHERE e.household_id = h.id)
                FROM fleet.households h WHERE h.name = coalesce($1, h.name)
                """, [.text(household.map { Array($0.utf8) })]
            ) { $0.bigint(0) ?? 0 }
            return found.allSatisfy { $0 == Int64(count) }
        }
    }

    /// Waits until the workers of these names hold these numbers of households.
    func waitForWorkers(_ expected: [String: Int64], _ programs: Program...) throws {
        let connection = try PostgresConnection(database)
        var found: [String: Int64] = [:]
        try waitUntil(
            "the households of \(expected), not \(found)\n\(programs.map(\.errors).joined(separator: "\n"))",
            seconds: 120
        ) {
            let rows = try connection.run(
                """
                SELECT w.name, count(*) FROM fleet.leases l JOIN fleet.workers w ON w.id = l.worker_id
                WHERE fleet.is_live(w.seen_at) GROUP BY w.name
                """
            ) { ($0.text(0) ?? "", $0.bigint(1) ?? 0) }
            found = Dictionary(uniqueKeysWithValues: rows)
            return found == expected
        }
    }
}
