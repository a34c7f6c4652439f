import AuthorizationFixture
import DovecotFixture
import Foundation
import Glibc
import LoopbackFixture
import Testing

extension EndToEnd {
    @Suite struct Lines {
        /// A half-open connection: no packet reports it. The next probe finds out.
        @Test(.timeLimit(.minutes(3))) func silentConnectionIsDetectedByOneProbe() throws {
            let station = try Station()
            let relay = try Relay(to: station.server.port)
            defer { relay.close() }
            station.mailboxes[0].port = relay.port
            station.mailboxes[0].more = "    probe: 5s"
            let daemon = try station.start(["ingest"])
            try daemon.logs("watching")
            let (first, second) = (Watching.coffee("first", minutes: 1), Watching.coffee("second", minutes: 2))
            try station.deliver([first])
            try waitUntil("the first row") { station.ledger.mails == 1 }
            relay.fallSilent()
            try station.deliver([second])
            try waitUntil("the row of the unannounced mail") { station.ledger.mails == 2 }
            try daemon.logs("connection lost, opening another")
            #expect(relay.connections == 2)
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            try station.expectBooked([first, second])
        }

        /// The system's OpenSSL would accept TLS 1.1 here, so that the program's own limit alone refuses it.
        @Test(.timeLimit(.minutes(2)), arguments: [("tls1_1", false), ("tls1_2", true)])
        func tlsBefore12IsRefused(version: String, isAccepted: Bool) throws {
            let station = try Station()
            let port = try freePort()
            station.mailboxes[0].port = port
            let server = try Program(
                "/usr/bin/openssl",
                [
                    "s_server", "-accept", "127.0.0.1:\(port)", "-rev", "-" + version,
                    "-cipher", "ALL:@SECLEVEL=0", "-cert", station.server.certificateFile, "-key",
                    station.server.keyFile,
                ], in: station.scratch)
            try waitUntil("the server listens") { server.output.contains("ACCEPT") }
            let weak = try station.scratch.write(
                """
                openssl_conf = settings
                [settings]
                ssl_conf = tls
                [tls]
                system_default = weak
                [weak]
                MinProtocol = TLSv1
                CipherString = ALL:@SECLEVEL=0
                """, to: "openssl.cnf")
            let daemon = try station.start(["ingest"], environment: ["OPENSSL_CONF": weak])
            if isAccepted {
                try waitUntil("a handshake") { server.errors.contains("CONNECTION ESTABLISHED") }
            } else {
                try daemon.logs("TLS")
                #expect(!server.errors.contains("CONNECTION ESTABLISHED"))
                #expect(server.errors.contains("unsupported protocol"), "\(server.errors)")
            }
            try daemon.crash()
            try server.crash()
        }

        /// `SPENDWISE_FAULTS=all` breaks the connection at many more offsets.
        private static let places = ProcessInfo.processInfo.environment["SPENDWISE_FAULTS"] == "all" ? 150 : 3

        /// TLS cut, reset and damaged, from the greeting to LOGOUT: one pass reports it and ends, the next reads
        /// everything.
        @Test(.timeLimit(.minutes(20)), arguments: Relay.Fault.allCases) func connectionBrokenAnywhereLosesNothing(
            fault: Relay.Fault
        ) throws {
            let station = try Station()
            try station.deliver(Catalogue.many(80))
            let relay = try Relay(to: station.server.port)
            defer { relay.close() }
            station.mailboxes[0].port = relay.port
            try station.pass()
            let (expected, whole) = (try station.ledger.facts(), relay.bytes)
            var failures = 0
            for place in 0..<Self.places {
                station.database = station.scratch.path + "/\(fault)-\(place).db"
                let byte = Int.random(in: (whole * place / Self.places)..<(whole * (place + 1) / Self.places))
                relay.breaks(fault, at: byte)
                let program = try station.start(["ingest", "--once"])
                let status = try program.exit()
                #expect(status == 0 || status == 1, "\(fault) at \(byte): \(status) \(program.errors)")
                if status == 1 { failures += 1 }
                station.expectDiscreet(program)
                relay.breaks(nil)
                try station.pass()
                #expect(try station.ledger.facts() == expected, "\(fault) at \(byte) of \(whole)")
            }
            // The last bytes are those of LOGOUT.
            #expect(failures >= Self.places - 2 - Self.places / 10)
        }

        /// COMPRESS gives the same ledger from a third of the bytes.
        @Test(.timeLimit(.minutes(3))) func compressed() throws {
            var options = DovecotFixture.Options()
            options.settings = "mail_plugins = zlib\nprotocol imap {\n  mail_plugins = zlib imap_zlib\n}"
            let station = try Station(options: options)
            try station.deliver(Catalogue.many(200))
            let relay = try Relay(to: station.server.port)
            defer { relay.close() }
            station.mailboxes[0].port = relay.port
            station.mailboxes[0].more = "    compress: off"
            try station.pass()
            let (expected, plain) = (try station.ledger.facts(), relay.bytes)
            station.database = station.scratch.path + "/compressed.db"
            station.mailboxes[0].more = "    compress: on"
            try station.pass()
            #expect(try station.ledger.facts() == expected)
            #expect(relay.bytes - plain < plain / 3, "\(relay.bytes - plain) of \(plain)")
            // IDLE and a new message are compressed, too.
            let daemon = try station.start(["ingest"])
            try daemon.logs("watching")
            try station.deliver([Watching.coffee("new", minutes: 1)])
            try waitUntil("the new mail's row") { station.ledger.mails == 201 }
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
        }
    }

    @Suite struct RefusedLogins {
        @Test(.timeLimit(.minutes(3))) func correctedPasswordIsTriedImmediatelyAndUnchangedOneNotAgain() throws {
            let station = try Station()
            let file = try station.scratch.write("not-the-password", to: "changing")
            station.mailboxes[0].passwordFile = file
            let mail = Watching.coffee("mail", minutes: 1)
            try station.deliver([mail])
            let daemon = try station.start(["ingest"])
            try daemon.logs("refused the login")
            try waitUntil("the state") {
                try station.ledger.rows("SELECT state, attempts, next_attempt_at > since FROM mailbox_health") == [
                    ["refused", "1", "1"]
                ]
            }
            // A reload, a touched file and another wrong password: only the last causes a login.
            daemon.signal(SIGHUP)
            try daemon.logs("still the one that the server refused")
            func logins() -> Int { station.server.log.split(separator: "auth failed").count - 1 }
            try waitUntil("the server's word") { logins() == 1 }
            try station.scratch.write(Station.password + "\n", to: "changing")
            try waitUntil("the mail's row") { station.ledger.mails == 1 }
            try daemon.logs("watching")
            #expect(logins() == 1)
            try waitUntil("the state") {
                try station.ledger.rows("SELECT state, reason, attempts FROM mailbox_health") == [
                    ["watching", "NULL", "0"]
                ]
            }
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            try station.expectBooked([mail])
        }

        @Test(.timeLimit(.minutes(3))) func missingPasswordFileIsAwaited() throws {
            let station = try Station()
            station.mailboxes[0].passwordFile = station.scratch.path + "/later"
            let daemon = try station.start(["ingest"])
            try daemon.logs("cannot be read")
            try station.scratch.write(Station.password, to: "later")
            try daemon.logs("watching")
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
        }
    }

    @Suite struct RefusedFetches {
        /// The server lists the messages, but answers NO to every FETCH: a fault of the mailbox, not of the messages.
        @Test(.timeLimit(.minutes(3))) func refusalOfEveryMailFailsThePassAndRecordsNothing() throws {
            let station = try Station()
            let server = try RefusingMailServer(
                certificate: station.server.certificateFile, key: station.server.keyFile, count: 3)
            let port = station.mailboxes[0].port
            station.mailboxes[0].port = server.port
            let log = try station.pass(expecting: 1)
            #expect(
                log.contains("refused every new mail of the folder INBOX") && log.contains("cannot read it"), "\(log)")
            #expect(station.ledger.mails == 0)
            #expect(try station.ledger.rows("SELECT * FROM mailbox_cursors") == [])
            // The same mails on a server that hands them out.
            let mails = (0..<3).map { Watching.coffee("mail\($0)", minutes: $0) }
            try station.deliver(mails)
            station.mailboxes[0].port = port
            try station.pass()
            try station.expectBooked(mails)
        }
    }
}
