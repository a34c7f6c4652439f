import Chronology
import Foundation
import GRDB
import InMemoryLogging
import Ingest
import Ledger
import Logging
import Settings
import Store
import Testing

@testable import Daemon

/// The mail reader's decisions about templates that the page asks for, and what a crash leaves.
@Suite struct TemplateActivatorTests {
    /// An installation with one bank, and a mail that no template reads.
    final class Place {
        let folder = NSTemporaryDirectory() + "template-activator-" + UUID().uuidString
        let log = InMemoryLogHandler()
        let store: Store
        let settings: Settings
        let mail: String

        static let common = URL(filePath: #filePath).appending(path: "../../../parsers/_common.yaml").standardized
        static let text = "Rs. 250.00 was paid to CORNER SHOP on 05-01-2026 by UPI. Thank you for banking with us."

        init(_ files: [String: String] = [:]) throws {
            var files = files
            files["_common.yaml"] = try String(contentsOf: Self.common, encoding: .utf8)
            files["example/_bank.yaml"] =
                "name: Example Bank\ndomains: [bank.example]\naddresses: [alerts@bank.example]\ntimezone: Asia/Kolkata\ncurrency: INR\n"
            for (name, text) in files {
                let file = URL(filePath: folder + "/parsers/" + name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            try "database: ledger.db\nparsers: parsers\n".write(
                toFile: folder + "/spendwise.yaml", atomically: true, encoding: .utf8)
            settings = try Settings(path: folder + "/spendwise.yaml")
            store = try Store(path: settings.database)
            mail = try Self.record(Self.text, 1, in: store)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        /// Records an unclaimed mail; returns its ID.
        static func record(_ text: String, _ uid: UInt32, in store: Store) throws -> String {
            let decision = Decision(.review(nil), by: Decision.Source(profile: "example", isAuthentic: true))
            let entry = MailEntry(
                at: MailLocation(mailbox: "personal", folder: "INBOX", uidValidity: 1, uid: uid), decision
            ) {
                $0.fromAddress = "alerts@bank.example"
                $0.raw = Array(
                    "From: alerts@bank.example\r\nSubject: Paid\r\nDate: Mon, 05 Jan 2026 10:12:00 +0530\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\(text)"
                        .utf8)
            }
            _ = try store.recording.record([entry])
            return try #require(try store.mails.latest([.review], limit: 1).first).id
        }

        var activator: TemplateActivator {
            TemplateActivator(store: store, settings: settings, logger: Logger(label: "test") { [log] _ in log })
        }

        var path: String { folder + "/activated/example/paid.yaml" }
        var file: String? { try? String(contentsOfFile: path, encoding: .utf8) }
        var rows: TemplateActivationRepository<Store> { store.templateActivations }

        func ask(_ yaml: String, _ expected: [Field: String]? = [.amount: "250.00", .merchant: "CORNER SHOP"]) throws {
            try rows.ask("example/paid", yaml: yaml, provenBy: mail, expected, by: "person", at: .now)
        }

        /// Inserts a row that violates the constraint of the name.
        func insert(_ name: String, _ columns: String) throws {
            let yaml = TemplateActivatorTests.paid.replacing("example/paid", with: "'\(name)'")
            try rows.ask("example/other", yaml: yaml, provenBy: mail, [:], by: "person", at: .now)
            try unchecked(
                "UPDATE template_activations SET template = ?, \(columns) WHERE template = 'example/other'", name)
        }

        func remove(_ name: String) throws {
            try unchecked("DELETE FROM template_activations WHERE template = ?", name)
        }

        private func unchecked(_ sql: String, _ name: String) throws {
            let ledger = try DatabaseQueue(path: settings.database)
            try ledger.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
                try db.execute(sql: sql, arguments: [name])
                #expect(db.changesCount > 0)
            }
            try ledger.close()
        }

        /// The content of each file but the ledger's, by its path in the folder.
        func files() throws -> [String: String] {
            var files: [String: String] = [:]
            for case let path as String in FileManager.default.enumerator(atPath: folder) ?? .init()
            where !path.hasPrefix("ledger.db") {
                files["/" + path] = try? String(contentsOfFile: folder + "/" + path, encoding: .utf8)
            }
            return files
        }

        /// The only request in this state.
        func reason() throws -> String? { try rows.all().first { $0.state == .refused }?.reason }
    }

    /// A template of the mail's form.
    static let paid = #"""
        template: example/paid
        kind: transaction
        extract:
          body_pattern: 'Rs\. \s (?<amount>[\d,.]*\d) \s was \s paid \s to \s (?<merchant>.{1,60}?) \s on \s (?<date>\d{2}-\d{2}-\d{4}) \s by \s UPI'
          type: expense
          channel: upi
        samples:
        - name: as the bank writes it
          from: alerts@bank.example
          date: Mon, 05 Jan 2026 10:12:00 +0530
          subject: Paid
          text: Rs. 10.00 was paid to HILL COFFEE on 05-01-2026 by UPI. Thank you.
          expect: { amount: '10.00', merchant: HILL COFFEE, date: 2026-01-05 }
        - name: what could not be done is not claimed
          from: alerts@bank.example
          subject: Paid
          text: Rs. 10.00 could not be paid to HILL COFFEE on 05-01-2026 by UPI. Thank you.
          expect: none

        """#

    @Test func aProvenTemplateIsWrittenAndRemovedAgain() throws {
        let place = try Place()
        try place.ask(Self.paid)
        try place.activator.pass()
        #expect(try place.reason() == nil && place.file == Self.paid)
        let active = try #require(try place.rows.active().first)
        #expect(active.template == "example/paid")
        let mode = try FileManager.default.attributesOfItem(atPath: place.path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        // A second pass has nothing to do.
        try place.activator.pass()
        #expect(try place.rows.active() == [active])
        _ = try place.rows.withdraw(active.id, at: .now)
        try place.activator.pass()
        #expect(try place.file == nil && place.rows.all().map(\.state) == [.withdrawn])
    }

    @Test func aTemplateThatClaimsOthersMailsIsRefused() throws {
        let place = try Place(["example/other.yaml": Self.paid.replacing("example/paid", with: "example/other")])
        try place.ask(Self.paid)
        try place.activator.pass()
        #expect(try place.reason()?.contains("example/other") == true && place.file == nil)
        #expect(try place.rows.active().isEmpty)
        #expect(!place.log.entries.contains { "\($0)".contains("CORNER") }, "no text of a mail in the log")
    }

    @Test(arguments: [
        (paid.replacing("samples:", with: "sampels:"), "sampels"),
        (paid.replacing("by \\s UPI'", with: "(?:x+x+)+y'"), ""),
        (paid.replacing("template: example/paid", with: "template: example/_bank"), "is named"),
        (paid.replacing("  expect: none", with: "  expect: { amount: '10.00' }"), "breaks the sample"),
        (String(paid.prefix(400)), ""),
    ]) func aBrokenTemplateIsRefused(yaml: String, words: String) throws {
        let place = try Place()
        try place.ask(yaml)
        try place.activator.pass()
        let reason = try #require(try place.reason())
        #expect(words.isEmpty || reason.contains(words), "\(reason)")
        #expect(place.file == nil)
    }

    @Test func aBankWithoutAProfileAndALostMailAreRefused() throws {
        let place = try Place()
        try place.rows.ask(
            "unknown/paid", yaml: Self.paid.replacing("example/paid", with: "unknown/paid"), provenBy: place.mail, [:],
            by: "person", at: .now)
        try place.activator.pass()
        #expect(try place.reason()?.contains("no profile is of a bank 'unknown'") == true)
        try place.rows.ask("example/paid", yaml: Self.paid, provenBy: "gone", [:], by: "person", at: .now)
        try place.activator.pass()
        #expect(
            try place.rows.all().first { $0.template == "example/paid" }?.reason?.contains("no longer kept") == true)
    }

    /// The folder cannot hold the file, as on a full disk.
    @Test func aFileThatCannotBeWrittenIsRefused() throws {
        let place = try Place()
        try "not a folder".write(toFile: place.folder + "/activated", atomically: true, encoding: .utf8)
        try place.ask(Self.paid)
        try place.activator.pass()
        #expect(try place.reason()?.contains("cannot be written: Not a directory") == true)
        #expect(try place.rows.active().isEmpty)
    }

    /// Each state that a kill can leave is completed by the next pass.
    @Test func aKillInBetweenIsCompleted() throws {
        let place = try Place()
        // After the row, before the file; and after the file, before the row became active.
        for isWritten in [false, true] {
            try place.ask(Self.paid)
            if isWritten { try ActivatedFiles(place.settings.activatedTemplates).write(Self.paid, as: "example/paid") }
            try place.activator.pass()
            let active = try #require(try place.rows.active().first)
            #expect(place.file == Self.paid)
            // After the request to remove it and the file, before the row.
            _ = try place.rows.withdraw(active.id, at: .now)
            try FileManager.default.removeItem(atPath: place.path)
            try place.activator.pass()
            #expect(try place.rows.active().isEmpty && place.rows.requested().isEmpty)
        }
        // The file is written, and now the request is refused: the file goes, or the former one returns.
        let broken = Self.paid.replacing("expense", with: "expens")
        try place.ask(broken)
        try ActivatedFiles(place.settings.activatedTemplates).write(broken, as: "example/paid")
        try place.activator.pass()
        #expect(try place.file == nil && place.rows.active().isEmpty)
        try place.ask(Self.paid)
        try place.activator.pass()
        try place.ask(broken)
        try ActivatedFiles(place.settings.activatedTemplates).write(broken, as: "example/paid")
        try place.activator.pass()
        #expect(try place.file == Self.paid && place.rows.active().count == 1)
    }

    /// A restored ledger has the row without its file.
    @Test func aMissingFileIsProvenAndWrittenAgain() throws {
        let place = try Place()
        try place.ask(Self.paid)
        try place.activator.pass()
        try FileManager.default.removeItem(atPath: place.folder + "/activated")
        try place.activator.pass()
        #expect(try place.file == Self.paid && place.rows.active().count == 1)
    }

    /// A name is a path in the folder, and foreign code in the web role can write a row around its constraint.
    @Test(arguments: [
        "example/../../mailboxes", "../mailboxes", "example/../../parsers/example/_bank", "../parsers/example/_bank",
        "../mailboxes.yaml\0/x", "example/_bank", "example/paid/../../../mailboxes", "mailboxes",
    ]) func aNameOutsideOfTheFolderTouchesNoFile(name: String) throws {
        let place = try Place()
        // A way that leads back out of the folder needs it.
        try place.ask(Self.paid)
        try place.activator.pass()
        try "mailboxes: []".write(toFile: place.folder + "/mailboxes.yaml", atomically: true, encoding: .utf8)
        let files = try place.files()
        #expect(files["/activated/example/paid.yaml"] == Self.paid && files["/mailboxes.yaml"] != nil)
        let (asked, active) = ("state = 'asked', decided_at = NULL", "state = 'active', decided_at = asked_at")
        let withdrawn = "withdraw_asked_at = asked_at"
        for rows in [
            [asked], ["\(asked), \(withdrawn)"], [active], ["\(active), \(withdrawn)"],
            [active, "\(asked), \(withdrawn)"],
        ] {
            for row in rows { try place.insert(name, row) }
            for _ in 1...2 { try place.activator.pass() }
            #expect(try place.files() == files, "\(rows)")
            #expect(try place.rows.requested().isEmpty)
            try place.remove(name)
        }
    }

    @Test func aStopLeavesTheRequest() throws {
        let place = try Place()
        try place.ask(Self.paid)
        var activator = place.activator
        activator.isStopped = { true }
        try activator.pass()
        #expect(try place.rows.requested().count == 1 && place.file == nil)
    }
}
