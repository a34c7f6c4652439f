import DovecotFixture
import Foundation
import LoopbackFixture
import Testing

extension EndToEnd {
    /// User errors. Each gives status 1 and a message with the fault, its position and the remedy.
    @Suite struct BadSetup {
        private static func mail(_ id: String = "good") -> Mail { Watching.coffee(id, minutes: 1) }

        @Test(
            .timeLimit(.minutes(2)),
            arguments: [
                ("    pasword_file: x", 5, "unknown key 'pasword_file'"),
                ("    tls: none", 10, "mail is never read without TLS"),
                ("    poll: 5", 11, "not a length of time"), ("mailbox: x", 1, "unknown key 'mailbox'"),
                ("auto_confirm_at: 2", 18, "a number from 0 to 1"),
            ])
        func wrongKeyIsShownWithPosition(line: String, column: Int, message: String) throws {
            let station = try Station()
            station.mailboxes[0].more = line
            let path = try station.configuration()
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false)
            let number = try #require(lines.firstIndex(of: line[...])) + 1
            let output = try station.pass(expecting: 1)
            #expect(output.contains("\(path):\(number):\(column): "), "\(output)")
            #expect(output.contains(message), "\(output)")
            #expect(!FileManager.default.fileExists(atPath: station.database))
        }

        /// A fault of a mailbox and its message.
        struct Fault: Sendable {
            let name: String
            let spoil: @Sendable (inout Station.Mailbox, Station) throws -> Void
            let messages: [String]
        }

        static let faults = [
            Fault(
                name: "nobody-listens", spoil: { mailbox, _ in mailbox.port = try freePort() },
                messages: ["no connection to 127.0.0.1:", "check host and port"]),
            Fault(
                name: "no-such-host", spoil: { mailbox, _ in mailbox.host = "mail.invalid" },
                messages: ["mail.invalid", "check the spelling of host"]),
            Fault(
                name: "another-authority", spoil: { $0.caFile = $1.server.otherCAFile },
                messages: [
                    "the certificate of", "an authority that is not trusted here", "other.pem", "nothing was sent",
                ]),
            Fault(
                name: "another-name", spoil: { mailbox, _ in mailbox.host = "127.0.0.2" },
                messages: ["127.0.0.2", "is for another name", "nothing was sent"]),
            Fault(
                name: "no-ca-file", spoil: { mailbox, _ in mailbox.caFile = "/nonexistent.pem" },
                messages: ["/nonexistent.pem", "PEM"]),
            Fault(
                name: "plain-text-port", spoil: { $0.port = $1.server.startTLSPort },
                messages: ["TLS", "tls: implicit (993) or starttls (143)"]),
            Fault(
                name: "wrong-password",
                spoil: { $0.passwordFile = try $1.scratch.write("not-the-password\n", to: "wrong") },
                messages: ["asha", "AUTHENTICATIONFAILED"]),
            Fault(
                name: "no-such-user", spoil: { mailbox, _ in mailbox.user = "nobody-here" },
                messages: ["nobody-here", "AUTHENTICATIONFAILED"]),
            Fault(
                name: "open-password",
                spoil: { $0.passwordFile = try $1.scratch.write(Station.password, to: "open", mode: 0o644) },
                messages: ["/open may be read by other users", "chmod 600"]),
            Fault(
                name: "no-password-file", spoil: { mailbox, _ in mailbox.passwordFile = "missing" },
                messages: ["/missing", "No such file", "install -m 600"]),
            Fault(
                name: "empty-password", spoil: { $0.passwordFile = try $1.scratch.write("\n", to: "empty") },
                messages: ["/empty is empty"]),
            Fault(
                name: "no-such-folder", spoil: { mailbox, _ in mailbox.folders = "[Nowhere]" }, messages: ["Nowhere"]),
        ]

        /// All faults together with a working mailbox.
        @Test(.timeLimit(.minutes(2))) func faultOfOneMailboxIsReportedAndOthersAreRead() throws {
            let station = try Station(users: ["asha", "ravi"])
            let sound = station.mailboxes[0]
            for fault in Self.faults {
                var mailbox = sound
                mailbox.name = fault.name
                try fault.spoil(&mailbox, station)
                station.mailboxes.append(mailbox)
            }
            station.mailboxes.removeFirst()
            try station.deliver([Self.mail()], to: "ravi")
            try station.deliver([Self.mail("unread")], to: "asha")
            let output = try station.pass(expecting: 1)
            for fault in Self.faults {
                let lines = output.split(separator: "spendwised: ").filter { $0.hasPrefix("mailbox \(fault.name): ") }
                #expect(lines.count == 1, "\(fault.name)")
                for words in fault.messages {
                    #expect(lines.first?.contains(words) ?? false, "\(fault.name): \(lines)")
                }
            }
            #expect(!output.contains("mailbox ravi: ") && !output.contains("not-the-password"))
            try station.expectBooked([Self.mail()])
            #expect(
                try station.ledger.rows("SELECT state, coalesce(reason, '') FROM mailbox_health WHERE mailbox = 'ravi'")
                    == [["stopped", ""]])
            let reason =
                try station.ledger.column("SELECT reason FROM mailbox_health WHERE mailbox = 'wrong-password'").first
                ?? ""
            #expect(reason.contains("AUTHENTICATIONFAILED"))
        }

        @Test(.timeLimit(.minutes(2))) func expiredCertificateIsRefused() throws {
            var options = DovecotFixture.Options()
            options.expired = true
            let station = try Station(options: options)
            let output = try station.pass(expecting: 1)
            #expect(output.contains("has expired") && output.contains("clock"), "\(output)")
            #expect(!station.server.log.contains("Login"))
        }

        @Test(.timeLimit(.minutes(3))) func wrongPasswordIsNotRepeatedAndReloadUsesCorrectedOne() throws {
            var options = DovecotFixture.Options()
            options.settings = "auth_verbose = yes"
            let station = try Station(users: ["asha", "ravi"], options: options)
            station.mailboxes[0].passwordFile = try station.scratch.write("not-the-password\n", to: "wrong")
            try station.deliver([Self.mail("asha")], to: "asha")
            let daemon = try station.start(["ingest"])
            try daemon.logs("mailbox=asha")
            try daemon.logs("watching")
            // The next attempt is about 15 minutes away, while the other mailbox is served.
            let pause = daemon.errors.firstMatch(of: #/retry\.seconds=(\d+)/#).flatMap { Int($0.output.1) }
            #expect((675...900).contains(pause ?? 0), "\(daemon.errors)")
            for minute in 1...3 {
                try station.deliver([Watching.coffee("ravi\(minute)", minutes: minute)], to: "ravi")
                try waitUntil("mail \(minute)") { station.ledger.mails == minute }
            }
            #expect(
                station.server.log.split(separator: "\n").count { $0.contains("Password mismatch") } == 1,
                "\(station.server.log)")
            try station.scratch.write(Station.password + "\n", to: "wrong")
            daemon.signal(SIGHUP)
            try waitUntil("the mailbox whose password is right now") { station.ledger.mails == 4 }
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            #expect(!daemon.errors.contains("not-the-password"))
            station.expectDiscreet(daemon)
        }

        @Test(.timeLimit(.minutes(2))) func brokenProfileIsShownWithPosition() throws {
            let station = try Station()
            station.parsers.append(station.scratch.path + "/parsers")
            try station.scratch.write(Reloading.bank, to: "parsers/acme/_bank.yaml")
            let path = try station.scratch.write(Reloading.spend + "\nkindness: 1\n", to: "parsers/acme/spend.yaml")
            let other = try station.scratch.write("template: acme/other\nkind: [\n", to: "parsers/acme/other.yaml")
            let output = try station.pass(expecting: 1)
            #expect(output.contains("\(path):8:1: ") && output.contains("kindness"), "\(output)")
            #expect(output.contains("\(other):"), "every file's error is shown: \(output)")
        }

        @Test(
            .timeLimit(.minutes(2)),
            arguments: [
                ("a folder", "is not a file"), ("a text file", "is not a SQLite database"),
                ("an empty folder's file", "its folder does not exist"),
                ("of another program", "is the database of another program"),
            ])
        func unusableDatabaseIsReported(what: String, message: String) throws {
            let station = try Station()
            let path = station.database
            switch what {
            case "a folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            case "a text file":
                try station.scratch.write(String(repeating: "dear diary\n", count: 500), to: "ledger.db")
            case "of another program":
                let other = try Program(
                    "/bin/sh", ["-c", "exec sqlite3 '\(path)' 'PRAGMA application_id = 7; CREATE TABLE diary (day)'"],
                    in: station.scratch)
                guard try other.exit() == 0 else { return }  // the program sqlite3 need not be there
            default: station.database = station.scratch.path + "/nowhere/ledger.db"
            }
            let before = try? Data(contentsOf: URL(filePath: path))
            let output = try station.pass(expecting: 1)
            #expect(output.contains(station.database) && output.contains(message), "\(output)")
            #expect((try? Data(contentsOf: URL(filePath: path))) == before, "a foreign file is unchanged")
        }

        @Test(
            .enabled(if: getuid() != 0, "root may read everything"), .timeLimit(.minutes(2)), arguments: [0o000, 0o400])
        func databaseWithoutPermissionIsReported(mode: Int) throws {
            let station = try Station()
            try station.pass()
            chmod(station.database, mode_t(mode))
            let output = try station.pass(expecting: 1)
            #expect(output.contains(station.database) && output.contains("chown"), "\(output)")
        }
    }
}
