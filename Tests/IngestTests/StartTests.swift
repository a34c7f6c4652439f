import Foundation
import GRDB
import InternetMessage
import Ledger
import Settings
import Store
import Testing
import YAMLSource

@testable import Ingest

/// Work that an earlier start has done already.
@Suite struct StartTests {
    /// A ledger beside a file with one keyword.
    final class Place {
        let folder = NSTemporaryDirectory() + "start-tests-" + UUID().uuidString
        let store: Store

        init() throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            store = try Store(path: folder + "/ledger.db")
            try write("categories:\n  - name: Food\n    keywords: [cafe]\n", to: "categories.yaml")
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func write(_ text: String, to name: String) throws {
            try Data(text.utf8).write(to: URL(filePath: folder + "/" + name))
        }

        var categories: String { folder + "/categories.yaml" }

        func keywords() throws -> Int {
            try DatabaseQueue(path: folder + "/ledger.db").read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM vendor_mappings") ?? 0
            }
        }
    }

    @Test func theSameKeywordsAreAddedOnce() throws {
        let place = try Place()
        try place.store.seed(from: place.categories)
        #expect(try place.keywords() == 1)
        try DatabaseQueue(path: place.folder + "/ledger.db").write {
            try $0.execute(sql: "DELETE FROM vendor_mappings")
        }
        try place.store.seed(from: place.categories)
        #expect(try place.keywords() == 0)
        try place.write("categories:\n  - name: Food\n    keywords: [cafe, bistro]\n", to: "categories.yaml")
        try place.store.seed(from: place.categories)
        #expect(try place.keywords() == 2)
    }

    @Test func unreadableKeywordsAreNotMarkedAsAdded() throws {
        let place = try Place()
        try place.write("categories:\n  - name: Food\n    keyword: [cafe]\n", to: "categories.yaml")
        #expect(throws: SourceError.self) { try place.store.seed(from: place.categories) }
        #expect(throws: SourceError.self) { try place.store.seed(from: place.categories) }
        #expect(try place.store.fileMarks.digest("categories") == nil)
    }
}

/// The messages whose bytes are kept.
@Suite struct KeepingTests {
    func isKept(_ mail: [UInt8], keepsRaw: Bool = true, keepsSettled: SettledKeeping = .nothing) throws -> Bool {
        var intake = try Sample.intake()
        (intake.decisions.keepsRaw, intake.decisions.keepsSettled) = (keepsRaw, keepsSettled)
        let place = MailLocation(mailbox: "personal", folder: "INBOX", uidValidity: 1, uid: 1)
        let entry = mail.withUnsafeBytes { intake.entry(for: $0, at: place, receivedAt: Sample.arrival) }
        #expect(keepsSettled == .text || entry.raw == nil || entry.raw == mail)
        return entry.raw != nil
    }

    /// No template matches its sentence.
    static let unclaimed = Array(
        String(decoding: Sample.alert(1), as: UTF8.self).replacingOccurrences(
            of: "spent on card", with: "debited by card"
        ).utf8)
    /// It may be a possible duplicate, which is known only after it is recorded.
    static let withoutTime = Array(
        String(decoding: Sample.alert(1), as: UTF8.self).replacingOccurrences(of: " at 01:09:00", with: " at 99:99:99")
            .utf8)

    @Test func bookedMailIsKeptOnlyIfAllIs() throws {
        #expect(try !isKept(Sample.alert(1)))
        #expect(try isKept(Sample.alert(1), keepsSettled: .whole))
        #expect(try !isKept(Sample.alert(1), keepsRaw: false, keepsSettled: .whole))
    }

    @Test func theTextOfBookedMailIsKeptAndReadsTheSame() throws {
        var intake = try Sample.intake()
        (intake.decisions.keepsRaw, intake.decisions.keepsSettled) = (true, .text)
        let place = MailLocation(mailbox: "personal", folder: "INBOX", uidValidity: 1, uid: 1)
        let entry = intake.entry(for: Sample.alert(1, padding: 4000), at: place, receivedAt: Sample.arrival)
        let kept = try #require(entry.raw)
        #expect(kept != Sample.alert(1, padding: 4000))
        var again = intake.entry(for: kept, at: place, receivedAt: Sample.arrival)
        again.raw = kept
        #expect(
            again.decision.outcome == .recorded && again.decision.draft == entry.decision.draft
                && again.decision.reasons == entry.decision.reasons)
        #expect(
            again.contentDigest == entry.contentDigest && again.messageID == entry.messageID
                && again.sentAt == entry.sentAt)
        #expect(intake.entry(for: Self.unclaimed, at: place, receivedAt: Sample.arrival).raw == Self.unclaimed)
    }

    @Test func bytesOfReviewItemsAreRetained() throws {
        #expect(try isKept(Self.unclaimed))
        #expect(try isKept(Self.withoutTime))
        #expect(try !isKept(Self.unclaimed, keepsRaw: false))
        #expect(try !isKept(Sample.newsletter(1), keepsSettled: .whole))
    }

    /// Mail of an archive is retained as configured, like that of a server.
    @Test(arguments: [(SettledKeeping.text, 1), (.whole, 1), (.nothing, 0)])
    func imported(keeps: SettledKeeping, count: Int) throws {
        let (folder, book) = (try TemporaryFolder(), try Book())
        try folder.write(String(decoding: Sample.alert(1), as: UTF8.self), to: "a.eml")
        var intake = try Sample.intake()
        (intake.decisions.keepsRaw, intake.decisions.keepsSettled) = (true, keeps)
        var archive = ArchiveImport(store: book.store, intake: intake, mailbox: "import:test")
        try archive.run(folder.path + "/a.eml", isStopped: { false }, progress: { _ in })
        #expect(archive.summary.outcomes == [.recorded: 1])
        let kept = try DatabaseQueue(path: book.path).read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM raw_messages")
        }
        #expect(kept == count)
    }

    /// A person may release a quarantined mail, so all of it is kept whatever is kept of settled mail.
    @Test(arguments: [SettledKeeping.nothing, .text, .whole])
    func quarantinedMailOfAnArchiveIsKeptWhole(keeps: SettledKeeping) throws {
        let (folder, book) = (try TemporaryFolder(), try Book())
        let mail = Sample.alert(1, padding: 4000)
        try folder.write(String(decoding: mail, as: UTF8.self), to: "a.eml")
        var intake = try Sample.intake()
        intake.authentication = .pinned(authservID: "mx.google.com")
        (intake.decisions.keepsRaw, intake.decisions.keepsSettled) = (true, keeps)
        var archive = ArchiveImport(store: book.store, intake: intake, mailbox: "import:test")
        try archive.run(folder.path + "/a.eml", isStopped: { false }, progress: { _ in })
        let row = try #require(try book.store.mails.latest([.quarantined]).first)
        #expect(try book.store.mails.raw(ofMail: row.id) == mail)
    }
}
