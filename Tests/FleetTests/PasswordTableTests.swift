import PostgreSQL
import Settings
import Testing
import YAMLSource

@testable import Fleet
@testable import Store

@Suite(.enabled(if: FleetSample.isPossible, FleetSample.need)) struct PasswordTableTests {
    @Test func aPasswordIsStoredAndTheHouseholdBeginsAnew() throws {
        let (sample, folder, key) = (try FleetSample(), try KeyFolder(), try BoxPrivateKey())
        let lease = try sample.leased()
        let table = PasswordTable(sample.database)
        let place = try table.place(household: "anna", mailbox: "box0")
        #expect(place.host == "imap.example")
        let before = try #require(try sample.leases.renew(lease.worker)?.held[lease.household]?.revision)
        for password in ["first", "second"] {
            try table.set(SealedPassword(Array(password.utf8), for: place, to: key.publicKey), for: place)
        }
        #expect(try sample.leases.renew(lease.worker)?.held[lease.household]?.revision == before + 2)
        let stored = try #require(try table.password(for: place))
        #expect(try stored.open(for: place, with: folder.file(key)) == Array("second".utf8))
        var found: Household?
        _ = try? sample.households.copy(lease) { household, _, _ in
            found = household
            throw FleetError("enough")
        }
        #expect(found?.passwords == ["box0": stored])
        let rows = try sample.database.withConnection {
            try $0.run("SELECT p::text FROM fleet.passwords p") { $0.text(0) ?? "" }
        }
        // bytea is shown in hexadecimal digits.
        #expect(rows.count == 1 && !rows[0].contains("second") && !rows[0].contains("7365636f6e64"))
    }

    @Test func unknownPlacesAreRefused() throws {
        let sample = try FleetSample()
        try sample.add("anna")
        let table = PasswordTable(sample.database)
        for (household, mailbox, words) in [
            ("ben", "box0", "there is no household 'ben'"), ("anna", "box9", "has no mailbox 'box9'"),
        ] {
            let error = #expect(throws: FleetError.self) { try table.place(household: household, mailbox: mailbox) }
            #expect(error?.description.contains(words) == true)
        }
        let place = SealedPassword.Place(household: "anna", mailbox: "box0", host: "former.example")
        let sealed = try SealedPassword([1], for: place, to: BoxPrivateKey().publicKey)
        #expect(throws: FleetError.self) { try table.set(sealed, for: place) }
    }

    @Test func aPasswordGoesWithItsMailboxAndItsHost() throws {
        let (sample, key) = (try FleetSample(), try BoxPrivateKey().publicKey)
        try sample.add("anna", mailboxes: 3)
        let table = PasswordTable(sample.database)
        let places = try ["box0", "box1", "box2"].map { try table.place(household: "anna", mailbox: $0) }
        for place in places { try table.set(SealedPassword([1], for: place, to: key), for: place) }
        try sample.households.set(
            "anna", settings: "", mailboxes: [("box0", "imap.example"), ("box1", "other.example")])
        #expect(try places.map { try table.password(for: $0) != nil } == [true, false, false])
        try sample.households.remove("anna")
        let count = try sample.database.withConnection {
            try $0.run("SELECT count(*) FROM fleet.passwords") { $0.bigint(0) }
        }
        #expect(count == [0])
    }

    @Test func allAreSealedAnew() throws {
        let (sample, folder) = (try FleetSample(), try KeyFolder())
        let (old, new, lost) = (try BoxPrivateKey(), try BoxPrivateKey(), try BoxPrivateKey())
        try sample.add("anna", mailboxes: 2)
        try sample.add("ben", mailboxes: 2)
        let table = PasswordTable(sample.database)
        for (household, mailbox, key) in [
            ("anna", "box0", old), ("anna", "box1", new), ("ben", "box0", lost), ("ben", "box1", old),
        ] {
            let place = try table.place(household: household, mailbox: mailbox)
            try table.set(
                SealedPassword(Array("\(household) \(mailbox)".utf8), for: place, to: key.publicKey), for: place)
        }
        let (sealed, faults) = try table.sealAll(to: new.publicKey, with: folder.file(old, new))
        #expect(sealed == 2)
        #expect(faults.count == 1 && faults[0].description.contains("household 'ben', mailbox 'box0'"))
        let onlyNew = try folder.file(new)
        for (household, mailbox) in [("anna", "box0"), ("anna", "box1"), ("ben", "box1")] {
            let place = try table.place(household: household, mailbox: mailbox)
            let password = try table.password(for: place)
            #expect(try password?.open(for: place, with: onlyNew) == Array("\(household) \(mailbox)".utf8))
        }
        #expect(try table.sealAll(to: new.publicKey, with: folder.file(old, new)).sealed == 0)
    }

    @Test func theSecretOfAReceiverIsStoredAndGoesWithItsHost() throws {
        let (sample, folder) = (try FleetSample(), try KeyFolder())
        let (old, new) = (try BoxPrivateKey(), try BoxPrivateKey())
        let lease = try sample.leased()
        let table = PasswordTable(sample.database)
        let before = try #require(try sample.leases.renew(lease.worker)?.held[lease.household]?.revision)
        let places = ["hook", "box0"].map {
            SealedPassword.Place(household: "anna", receiver: $0, host: "hooks.example")
        }
        for place in places {
            try table.set(SealedPassword(Array(place.name.utf8), for: place, to: old.publicKey), for: place)
        }
        #expect(try sample.leases.renew(lease.worker)?.held[lease.household]?.revision == before + 2)
        var found: Household?
        _ = try? sample.households.copy(lease) { household, _, _ in
            found = household
            throw FleetError("enough")
        }
        #expect(found?.receiverSecrets.keys.sorted() == ["box0", "hook"] && found?.passwords.isEmpty == true)
        #expect(try table.sealAll(to: new.publicKey, with: folder.file(old, new)).sealed == 2)
        let onlyNew = try folder.file(new)
        for place in places {
            #expect(try table.password(for: place)?.open(for: place, with: onlyNew) == Array(place.name.utf8))
        }
        // The mailbox of the same name has no password.
        #expect(try table.password(for: table.place(household: "anna", mailbox: "box0")) == nil)
        try sample.households.set(
            "anna", settings: "", mailboxes: [],
            receivers: [("hook", "hooks.example"), ("box0", "other.example")])
        #expect(try places.map { try table.password(for: $0) != nil } == [true, false])
        let nobody = SealedPassword.Place(household: "ben", receiver: "hook", host: "hooks.example")
        #expect(throws: FleetError.self) {
            try table.set(SealedPassword([1], for: nobody, to: new.publicKey), for: nobody)
        }
    }
    @Test func thePasswordOfStatementsIsStoredAndGoesWithTheirName() throws {
        let (sample, folder) = (try FleetSample(), try KeyFolder())
        let (old, new) = (try BoxPrivateKey(), try BoxPrivateKey())
        let lease = try sample.leased()
        let table = PasswordTable(sample.database)
        let before = try #require(try sample.leases.renew(lease.worker)?.held[lease.household]?.revision)
        let places = ["hdfc", "hdfc-3307", "icici"].map {
            SealedPassword.Place(household: "anna", statement: $0)
        }
        for place in places {
            try table.set(SealedPassword(Array(place.name.utf8), for: place, to: old.publicKey), for: place)
        }
        #expect(try sample.leases.renew(lease.worker)?.held[lease.household]?.revision == before + 3)
        var found: Household?
        _ = try? sample.households.copy(lease) { household, _, _ in
            found = household
            throw FleetError("enough")
        }
        // The worker opens it when a statement is read.
        let household = try #require(found)
        #expect(household.statementPasswords.keys.sorted() == places.map(\.name))
        #expect(household.receiverSecrets.isEmpty && household.passwords.isEmpty)
        let settings = try HouseholdSettings.read(
            Household(name: "anna", settings: "statements: [{ bank: hdfc, account: '3307' }, { bank: hdfc }]"),
            database: "/copy.db",
            FleetConfiguration(
                YAMLFile(path: "/fleet.yaml", bytes: Array("postgresql: x\ncopies: c\nparsers: p\n".utf8)))
        ).statements
        let keys = try folder.file(old)
        let read = household.statements(settings, with: keys, table).passwords(bank: "hdfc", numbers: ["3307"])
        #expect(read.passwords == ["hdfc-3307", "hdfc"] && read.errors.isEmpty)
        #expect(try table.sealAll(to: new.publicKey, with: folder.file(old, new)).sealed == 3)
        let onlyNew = try folder.file(new)
        for place in places {
            #expect(try table.password(for: place)?.open(for: place, with: onlyNew) == Array(place.name.utf8))
        }
        // Also what was read before, since the key is another one now.
        #expect(
            household.statements(settings, with: onlyNew, table).passwords(bank: "hdfc", numbers: []).passwords
                == ["hdfc-3307", "hdfc"])
        try sample.households.set("anna", settings: "", mailboxes: [], statements: ["hdfc", "icici"])
        #expect(try places.map { try table.password(for: $0) != nil } == [true, false, true])
        try sample.households.remove("anna")
        #expect(try places.allSatisfy { try table.password(for: $0) == nil })
        #expect(throws: FleetError.self) {
            try table.set(SealedPassword([1], for: places[0], to: new.publicKey), for: places[0])
        }
    }
}
