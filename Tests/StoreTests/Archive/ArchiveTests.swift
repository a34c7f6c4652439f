import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

/// Retained bytes: compression, statistics, retention.
@Suite struct ArchiveTests {
    private static let day2000 = CalendarDate(daysSince1970: 10_957)

    static func text(_ number: Int) -> [UInt8] {
        Array(
            """
            From: alerts@acme.example\r\nSubject: Debit alert\r\nMIME-Version: 1.0\r\n\r
            Dear customer, Rs.\(number * 37).\(10 + number % 90) was debited from account XX\(1000 + number) on \(number % 28 + 1)-11-26 \
            to VPA merchant\(number)@bank. Reference \(number &* 2_654_435_761 % 1_000_000_007).\r\n
            """.utf8)
    }

    /// A ledger that retains `count` booked mails.
    static func fixture(_ count: Int) throws -> (Fixture, ids: [String]) {
        let f = try Fixture()
        let rows = try f.store.recording.record(
            (1...count).map { mail(UInt32($0), decision(.recorded, draft(Int64($0))), raw: text($0)) })
        return (f, rows.map(\.mailID))
    }

    @Test func compressedMailsReturnUnchanged() throws {
        let (f, ids) = try Self.fixture(CompressionLimits.mails)
        let before = try f.store.archive.statistics()
        #expect(try f.store.archive.compress() == ids.count)
        for (index, id) in ids.enumerated() { #expect(try f.store.mails.raw(ofMail: id) == Self.text(index + 1)) }
        var seen: [[UInt8]] = []
        try f.store.rescans.retainedMails([.recorded]) { seen += $0.map(\.bytes) }
        #expect(Set(seen) == Set((1...ids.count).map(Self.text)))
        let after = try #require(try f.store.archive.statistics().first)
        #expect(before.first?.kept == after.kept && before.first?.received == after.received)
        #expect(after.compressed == ids.count && after.stored * 2 < after.kept)
        #expect(try f.store.archive.compress() == 0, "nothing is left")
        #expect(try f.store.integrityDefects() == [])
        // The next mails use the same dictionary.
        let next = try f.store.recording.record([mail(9999, decision(.recorded, draft(9999)), raw: Self.text(9999))])
        #expect(try f.store.archive.compress() == 1 && f.count("raw_dictionaries") == 1)
        #expect(try f.store.mails.raw(ofMail: next[0].mailID) == Self.text(9999))
    }

    /// A large batch of a folder makes a dictionary; others use it.
    @Test func manyMailsOfAPassAreCompressedAtOnce() throws {
        let f = try Fixture()
        func record(_ numbers: ClosedRange<Int>, asPass: Bool) throws -> [String] {
            try f.store.recording.record(
                numbers.map { mail(UInt32($0), decision(.recorded, draft(Int64($0))), raw: Self.text($0)) },
                advancing: asPass
                    ? (f.inbox, FolderCursor(uidValidity: 1, nextUID: UInt32(numbers.upperBound) + 1)) : nil
            ).map(\.mailID)
        }
        func compressed() throws -> Int { try f.store.archive.statistics().map(\.compressed).reduce(0, +) }
        let many = CompressionLimits.batchAtOnce
        var ids = try record(1...(many - 1), asPass: true)
        ids += try record(many...(2 * many), asPass: false)
        #expect(try compressed() == 0 && f.count("raw_dictionaries") == 0)
        ids += try record((2 * many + 1)...(3 * many), asPass: true)
        #expect(try compressed() == many && f.count("raw_dictionaries") == 1)
        ids += try record((3 * many + 1)...(4 * many), asPass: false)
        #expect(try compressed() == 2 * many && f.count("raw_dictionaries") == 1)
        for (index, id) in ids.enumerated() { #expect(try f.store.mails.raw(ofMail: id) == Self.text(index + 1)) }
        // There are enough of them to train a dictionary, which the rest has.
        #expect(4 * many == CompressionLimits.mails)
        #expect(try f.store.archive.compress() == 2 * many && f.count("raw_dictionaries") == 2)
        for (index, id) in ids.enumerated() { #expect(try f.store.mails.raw(ofMail: id) == Self.text(index + 1)) }
        #expect(try f.store.integrityDefects() == [])
        // The beginning of a trained dictionary, and no more: it cannot be loaded.
        try f.store.writer.write { db in
            try db.execute(
                sql: "INSERT INTO raw_dictionaries (created_at, mails, bytes) VALUES ('', 1, x'37A430ECFFFFFFFF00')")
        }
        ids = try record((4 * many + 1)...(5 * many), asPass: true)
        #expect(try f.store.mails.raw(ofMail: ids[0]) == Self.text(4 * many + 1))
    }

    @Test func fewMailsTrainNoDictionary() throws {
        let (f, _) = try Self.fixture(CompressionLimits.mails - 1)
        #expect(try f.store.archive.compress() == 0 && f.count("raw_dictionaries") == 0)
    }

    @Test func aMailThatDoesNotShrinkStaysAsItIs() throws {
        let (f, _) = try Self.fixture(CompressionLimits.mails)
        // Before the noise comes, which would become part of the dictionary.
        try f.store.archive.compress()
        var state: UInt64 = 88_172_645_463_325_252
        let noise = (0..<2000).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state)
        }
        let rows = try f.store.recording.record([
            mail(5000, decision(.recorded, draft(5000)), raw: noise),
            mail(5001, decision(.recorded, draft(5001)), raw: []),
        ])
        try f.store.archive.compress()
        #expect(try f.store.mails.raw(ofMail: rows[0].mailID) == noise)
        #expect(try f.store.mails.raw(ofMail: rows[1].mailID) == [])
        #expect(try f.store.archive.statistics().map(\.compressed) == [CompressionLimits.mails])
    }

    @Test func aStoppedRunIsContinued() throws {
        let (f, ids) = try Self.fixture(CompressionLimits.mails + CompressionLimits.batch)
        var calls = 0
        #expect(
            try f.store.archive.compress(isStopped: {
                calls += 1
                return calls > 1
            }) == CompressionLimits.batch)
        #expect(try f.store.archive.compress() == ids.count - CompressionLimits.batch)
    }

    @Test func damageIsAnErrorAndNotAnotherText() throws {
        let (f, ids) = try Self.fixture(CompressionLimits.mails)
        try f.store.archive.compress()
        try f.store.writer.write {
            try $0.execute(
                sql: "UPDATE raw_messages SET bytes = substr(bytes, 1, length(bytes) - 3) WHERE mail_id = ?",
                arguments: [ids[0]])
        }
        #expect(throws: StoreError.self) { try f.store.mails.raw(ofMail: ids[0]) }
        #expect(try f.store.mails.raw(ofMail: ids[1]) == Self.text(2))
    }

    @Test func aMailReadAgainReplacesCompressedBytes() throws {
        let (f, ids) = try Self.fixture(CompressionLimits.mails)
        try f.store.archive.compress()
        try f.store.writer.write { db in
            try RawMessageRows(db).keep(
                [RetainedBytes(mailID: ids[0], bytes: [1, 2, 3], size: 10)], time: f.clock.now())
        }
        #expect(try f.store.mails.raw(ofMail: ids[0]) == [1, 2, 3])
    }

    @Test func theOldestAreDeletedBeyondTheLimit() throws {
        let f = try Fixture()
        var ids: [String] = []
        for number in 1...4 {
            let outcome: Outcome = number == 1 ? .review : .recorded
            ids += try f.store.recording.record([
                mail(UInt32(number), decision(outcome, draft(Int64(number))), raw: [UInt8](repeating: 7, count: 100))
            ]).map(\.mailID)
            f.clock.advance(60)
        }
        #expect(try f.store.archive.prune(toBytes: 400) == 0)
        #expect(try f.store.archive.prune(toBytes: 250) == 1)
        #expect(
            try ids.map { try f.store.mails.raw(ofMail: $0) != nil } == [true, false, true, true], "the first waits")
        #expect(try f.store.archive.prune(toBytes: 0) == 2)
    }

    @Test(
        arguments: [
            (ArchiveSelection(bank: "other"), 0), (ArchiveSelection(mailbox: "personal"), 3),
            (ArchiveSelection(mailbox: "x"), 0),
            (ArchiveSelection(before: Self.day2000), 0),
            (ArchiveSelection(since: Self.day2000), 3),
        ])
    func purgeDeletesTheSelection(selection: ArchiveSelection, count: Int) throws {
        let f = try Fixture()
        _ = try f.store.recording.record(
            (1...3).map { mail(UInt32($0), decision(.recorded, draft(Int64($0))), raw: Self.text($0)) }
                + [mail(4, decision(.review, draft(4)), raw: Self.text(4))])
        #expect(try f.store.archive.purgeable(selection).mails == count)
        #expect(try f.store.archive.purge(selection) == count)
        #expect(try f.count("raw_messages") == 4 - count)
    }
}
