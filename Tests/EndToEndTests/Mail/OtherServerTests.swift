import CourierFixture
import CyrusFixture
import Glibc
import MailServerFixture
import Testing

/// A folder as the configuration names it and as IMAP does: quoted modified UTF-7 (RFC 3501 section 5.1.3).
struct NamedFolder: Sendable, CustomTestStringConvertible {
    let name: String
    let wire: String

    init(_ name: String, _ wire: String) { (self.name, self.wire) = (name, "\"\(wire)\"") }

    var testDescription: String { name }

    /// A double-quoted scalar of YAML.
    var scalar: String { "\"" + name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\"" }
}

/// What holds with every server.
fileprivate struct Scenario<Server: OtherServer> {
    /// Every mail is booked, a second pass changes nothing, and neither pass changes the mailbox.
    func firstPass() throws {
        let station = try OtherStation<Server>()
        station.parsers = [Program.root + "/parsers"]
        let mails = Catalogue.mixed()
        try station.deliver(mails)
        let client = try station.server.connect()
        try client.command("SELECT INBOX")
        try client.command("STORE 2:3 +FLAGS (\\Seen \\Flagged)")
        let flags = try client.flags(of: "INBOX")
        #expect(flags.count == mails.count && flags.filter { $0.contains("\\Seen") }.count == 2, "\(flags)")
        try station.pass()
        try station.expectBooked(mails)
        let first = try station.ledger.dump()
        try station.pass()
        #expect(try station.ledger.dump() == first)
        #expect(try client.flags(of: "INBOX") == flags)
    }

    /// New mail is booked while the connection is in IDLE: delivered mail and, at the latest when the folder is
    /// examined again, what another program appends.
    func watching() throws {
        let station = try OtherStation<Server>()
        let mails = (1...4).map { EndToEnd.Watching.coffee("cup\($0)", minutes: $0) }
        try station.deliver([mails[0]])
        let daemon = try station.start(["ingest"])
        try daemon.logs("watching")
        for count in 2...3 {
            try station.deliver([mails[count - 1]])
            try station.waitUntilBooked(Array(mails[..<count]), by: daemon)
        }
        // Mail of another program.
        try station.append([mails[3]], to: "INBOX")
        try station.waitUntilBooked(mails, by: daemon)
        try stop(daemon, station)
        try station.expectBookedOnce(mails)
        #expect(try station.server.connect().flags(of: "INBOX").allSatisfy { $0.contains("FLAGS ()") })
    }

    /// Folders are found by their names, and watched.
    func folders(_ folders: [NamedFolder]) throws {
        let station = try OtherStation<Server>()
        let client = try station.server.connect()
        var mails: [Mail] = []
        for (number, folder) in folders.enumerated() {
            try client.command("CREATE \(folder.wire)")
            try client.command("SELECT \(folder.wire)")
            mails.append(EndToEnd.Watching.coffee("folder\(number)", minutes: number))
            try station.append([mails[number]], to: folder.wire)
        }
        station.mailboxes[0].folders = "[\(folders.map(\.scalar).joined(separator: ", "))]"
        let log = try station.pass()
        try station.expectBookedOnce(mails)
        #expect(
            try Set(station.ledger.column("SELECT folder FROM mailbox_cursors")) == Set(folders.map(\.name)), "\(log)")
    }

    func stop(_ daemon: Program, _ station: OtherStation<Server>) throws {
        daemon.signal(SIGTERM)
        #expect(try daemon.exit(within: 10) == 0)
        station.expectDiscreet(daemon)
    }
}

extension EndToEnd {
    @Suite(.enabled(if: CyrusFixture.isInstalled, "no Cyrus: run scripts/unpack-servers")) struct Cyrus {
        private let scenario = Scenario<CyrusFixture>()

        @Test(.timeLimit(.minutes(3))) func everyMailIsBookedAndNothingChanges() throws { try scenario.firstPass() }

        @Test(.timeLimit(.minutes(3))) func newMailIsBookedDuringIdle() throws { try scenario.watching() }

        @Test(.timeLimit(.minutes(3))) func foldersWithUnusualNames() throws {
            try scenario.folders([
                NamedFolder("Bank & Co", "Bank &- Co"), NamedFolder("Straße", "Stra&AN8-e"),
                NamedFolder("台北", "&U,BTFw-"), NamedFolder("🏦", "&2Dzf5g-"), NamedFolder("a.b", "a.b"),
                NamedFolder("it's [mine] (all)", "it's [mine] (all)"), NamedFolder("x/y z/deep", "x/y z/deep"),
            ])
        }

        /// A station whose folder has two mails.
        private func station() throws -> (OtherStation<CyrusFixture>, [Mail]) {
            let station = try OtherStation<CyrusFixture>()
            station.mailboxes[0].folders = "[Alerts]"
            try station.server.connect().command("CREATE Alerts")
            let mails = (1...3).map { Watching.coffee("cup\($0)", minutes: $0) }
            try station.append(Array(mails[..<2]), to: "Alerts")
            return (station, mails)
        }

        /// Deletes the folder, creates it with another UIDVALIDITY, and fills it in another order.
        private func recreate(_ station: OtherStation<CyrusFixture>, with mails: [Mail]) throws {
            let client = try station.server.connect()
            let former = try client.uidValidity(of: "Alerts")
            try client.command("CLOSE")
            try client.command("DELETE Alerts")
            try client.command("CREATE Alerts")
            #expect(try client.uidValidity(of: "Alerts") != former)
            try station.append(mails, to: "Alerts")
        }

        @Test(.timeLimit(.minutes(3))) func recreatedFolderIsReadAgain() throws {
            let (station, mails) = try station()
            try station.pass()
            try station.expectBookedOnce(Array(mails[..<2]))
            try recreate(station, with: mails.reversed())
            try station.pass()
            try station.expectBookedOnce(mails)
            #expect(
                try station.ledger.column("SELECT count(*) FROM processed_emails GROUP BY uid_validity ORDER BY 1")
                    == ["2", "3"])
        }

        @Test(.timeLimit(.minutes(3))) func folderIsRecreatedWhileItIsWatched() throws {
            let (station, mails) = try station()
            let daemon = try station.start(["ingest"])
            try daemon.logs("watching")
            try recreate(station, with: mails.reversed())
            try station.waitUntilBooked(mails, by: daemon)
            try scenario.stop(daemon, station)
            try station.expectBookedOnce(mails)
        }
    }

    @Suite(.enabled(if: CourierFixture.isInstalled, "no Courier: run scripts/unpack-servers")) struct Courier {
        private let scenario = Scenario<CourierFixture>()

        @Test(.timeLimit(.minutes(3))) func everyMailIsBookedAndNothingChanges() throws { try scenario.firstPass() }

        @Test(.timeLimit(.minutes(3))) func newMailIsBookedDuringIdle() throws { try scenario.watching() }

        @Test(.timeLimit(.minutes(3))) func foldersWithUnusualNames() throws {
            // Courier refuses names outside the Basic Multilingual Plane.
            try scenario.folders([
                NamedFolder("INBOX.Bank & Co", "INBOX.Bank &- Co"), NamedFolder("INBOX.Straße", "INBOX.Stra&AN8-e"),
                NamedFolder("INBOX.台北", "INBOX.&U,BTFw-"),
                NamedFolder("INBOX.a \"quoted\" name", "INBOX.a \\\"quoted\\\" name"),
                NamedFolder("INBOX.x.y z.deep", "INBOX.x.y z.deep"),
            ])
        }

        /// Another program that speaks UTF-8 (RFC 6855) creates a folder.
        @Test(.timeLimit(.minutes(3))) func folderCreatedInUTF8() throws {
            let station = try OtherStation<CourierFixture>()
            let client = try station.server.connect()
            try client.command("ENABLE UTF8=ACCEPT")
            try client.command("CREATE \"INBOX.Größe & mehr\"")
            try client.command("SELECT \"INBOX.Größe & mehr\"")
            let mail = Watching.coffee("cup", minutes: 1)
            try station.append([mail], to: "\"INBOX.Gr&APYA3w-e &- mehr\"")
            station.mailboxes[0].folders = "[\"INBOX.Größe & mehr\"]"
            try station.pass()
            try station.expectBookedOnce([mail])
        }

        @Test(.timeLimit(.minutes(3))) func lostNumberingIsReadAgain() throws {
            let station = try OtherStation<CourierFixture>()
            let mails = (1...4).map { Watching.coffee("cup\($0)", minutes: $0) }
            try station.deliver(Array(mails[..<3]))
            try station.pass()
            try station.server.mail.removeNumbering()
            try station.deliver([mails[3]])
            try station.pass()
            try station.expectBookedOnce(mails)
            #expect(
                try station.ledger.column("SELECT count(*) FROM processed_emails GROUP BY uid_validity ORDER BY 1")
                    == ["3", "4"])
            let before = try station.ledger.dump()
            try station.pass()
            #expect(try station.ledger.dump() == before)
        }

        /// Courier does not keep the UIDs that it assigns in EXAMINE: a message that comes in another way afterwards
        /// gets a UID below the cursor.
        enum Arrival: String, CaseIterable, Sendable { case appended, copied, deliveredAfterARemoval }

        private func arrive(
            _ mail: Mail, _ arrival: Arrival, _ first: String, _ station: OtherStation<CourierFixture>
        ) throws {
            let client = try station.server.connect()
            switch arrival {
            case .appended: try station.append([mail], to: "INBOX")
            case .copied:
                try client.command("SELECT INBOX.Junk")
                try client.command("COPY 1 INBOX")
            case .deliveredAfterARemoval:
                station.server.mail.remove(first)
                try station.deliver([mail])
            }
        }

        @Test(.timeLimit(.minutes(3)), arguments: Arrival.allCases, [false, true])
        func uidBelowTheCursor(_ arrival: Arrival, whileWatched: Bool) throws {
            let station = try OtherStation<CourierFixture>()
            let (first, second) = (Watching.coffee("first", minutes: 1), Watching.coffee("second", minutes: 2))
            let client = try station.server.connect()
            try client.command("CREATE INBOX.Junk")
            try station.append([second], to: "INBOX.Junk")
            let file = try station.server.mail.deliver(station.bytes(of: first))
            if whileWatched {
                let daemon = try station.start(["ingest"])
                try daemon.logs("watching")
                try arrive(second, arrival, file, station)
                try station.waitUntilBooked([first, second], by: daemon)
                try scenario.stop(daemon, station)
            } else {
                try station.pass()
                try arrive(second, arrival, file, station)
                try station.pass()
            }
            try station.expectBookedOnce([first, second])
            try station.pass()
            try station.expectBookedOnce([first, second])
        }
    }
}
