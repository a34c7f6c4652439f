import GRDB
import Ledger
import Testing

@testable import Store

/// The counts that `status` and the drift alarm read equal those of the rows after any change.
func expectCountsOfTheRows(
    _ store: Store, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let bits = FieldBits.columns.indices.map { "sum(fields >> \($0) & 1)" }.joined(separator: ", ")
    let pairs = [
        (
            "SELECT mailbox, folder, status, coalesce(profile, '') AS p, coalesce(template, '') AS t, count(*) FROM processed_emails GROUP BY 1, 2, 3, 4, 5",
            "SELECT * FROM mail_counts WHERE mails <> 0 ORDER BY 1, 2, 3, 4, 5"
        ),
        (
            """
            SELECT profile, template, substr(min(coalesce(received_at, sent_at, processed_at), processed_at), 1, 10) AS day, count(*), \(bits)
            FROM processed_emails WHERE fields IS NOT NULL GROUP BY 1, 2, 3
            """, "SELECT * FROM template_days WHERE mails <> 0 ORDER BY 1, 2, 3"
        ),
        (
            "SELECT status, count(*) FROM transactions WHERE deleted_at IS NULL GROUP BY 1",
            "SELECT * FROM transaction_counts WHERE transactions <> 0 ORDER BY 1"
        ),
        (
            "SELECT profile, shape, count(*), sum(fields & 1) FROM processed_emails WHERE shape IS NOT NULL GROUP BY 1, 2",
            "SELECT profile, shape, mails, drafts FROM unclaimed_shapes WHERE mails <> 0 ORDER BY 1, 2"
        ),
    ]
    for (rows, counts) in pairs {
        let expected = try store.readDatabase { try Row.fetchAll($0, sql: rows).map { Array($0.databaseValues) } }
        let got = try store.readDatabase { try Row.fetchAll($0, sql: counts).map { Array($0.databaseValues) } }
        #expect(got == expected, comment, sourceLocation: sourceLocation)
    }
}

@Suite struct CountsTests {
    @Test func countsFollowEveryChange() throws {
        let f = try Fixture()
        var strange = decision(.review, draft(700))
        strange.source?.template = "generic"
        strange.shape = MailShape(digest: .max, words: "* debited")
        var advert = decision(.ignored, nil)
        advert.source?.template = "generic"
        advert.shape = MailShape(digest: 7, words: "our new office")
        let broken = Decision(.failed(.patternLimit(.match)), by: Decision.Source(profile: "hdfc"))
        let first = try f.store.recording.record([
            mail(1, decision()), mail(2, decision(.review, draft(2))), mail(3, decision(.ignored, nil)),
            mail(4, Decision(.unclaimed)),
            mail(5, strange), mail(6, strange), mail(7, advert), mail(8, broken), mail(9, decision(.quarantined, nil)),
            // The same mail, and the same event.
            mail(10, decision(), id: "<1@bank.example>", digest: mail(1, decision()).contentDigest),
            mail(11, decision(.recorded, draft(reference: "R7"))),
            mail(12, decision(.recorded, draft(reference: "R7")), folder: "Archive"),
        ])
        try expectCountsOfTheRows(f.store, "recorded")
        #expect(first.map(\.outcome).filter { $0 == .duplicate }.count == 2)
        _ = try f.store.recording.record([mail(8, strange), mail(1, decision())])
        try expectCountsOfTheRows(f.store, "tried again")
        try f.store.review.accept(.transaction(try #require(first[1].transactionID)))
        try f.store.review.reject(.mail(first[4].mailID))
        try expectCountsOfTheRows(f.store, "settled")
        try f.store.transactions.delete(try #require(first[0].transactionID))
        try f.store.transactions.delete(try #require(first[0].transactionID))
        try expectCountsOfTheRows(f.store, "deleted")
        try f.store.writeDatabase {
            try $0.execute(
                sql:
                    "UPDATE processed_emails SET template = 'hdfc/new', shape = NULL, fields = 9, status = 'recorded' WHERE uid = 6"
            )
        }
        try expectCountsOfTheRows(f.store, "read again by a new template")
        try f.store.writeDatabase {
            try $0.execute(
                sql:
                    "UPDATE transactions SET source_email_id = NULL, deleted_at = NULL; DELETE FROM processed_emails WHERE uid IN (2, 5, 7)"
            )
        }
        try expectCountsOfTheRows(f.store, "rows removed")
        try f.store.writeDatabase {
            try $0.execute(
                sql: """
                    INSERT INTO transactions (currency, amount_minor, recorder, parsed_date, transaction_type, status, created_at, updated_at, occurred_at)
                    VALUES ('INR', 1, 'Manual', '2026-01-05', 'expense', 'confirmed', '', '', '')
                    """)
        }
        try expectCountsOfTheRows(f.store, "entered by hand")
    }

    @Test func aShapeKeepsItsWordsAndItsNewestMail() throws {
        let f = try Fixture()
        var strange = decision(.review, draft(700))
        strange.source?.template = "generic"
        strange.shape = MailShape(digest: 0xFEDC_BA98_7654_3210, words: "* debited")
        let recorded = try f.store.recording.record([mail(1, strange), mail(2, strange)])
        let shape = try #require(try f.store.monitoring.drift().shapes.first)
        #expect(shape.id == "fedcba9876543210" && shape.words == "* debited" && shape.mails == 2 && shape.drafts == 2)
        #expect(shape.example == recorded[1].mailID)
        let items = try f.store.review.queue()
        #expect(
            items.map { $0.mail?.shape } == ["fedcba9876543210", "fedcba9876543210"] && items.map(\.alike) == [2, 2])
        #expect(try f.store.review.queue(shape: "fedcba9876543210").count == 2)
        #expect(try f.store.review.queue(shape: "00").isEmpty)
    }
}
