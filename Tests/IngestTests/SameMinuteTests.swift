import Ledger
import Store
import Testing

@testable import Ingest

/// Two alerts of one bank with the same minute, amount, account and payee, and no reference that a template reads.
@Suite struct SameMinuteTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var first = Self.usual
        var second = Self.usual
        var outcome: Outcome

        static let usual = text()

        static func text(
            above: String = "", salutation: String = "Dear Customer,",
            below: String = "The Transaction ID is IN123.", footer: String = "Never share your PIN. Call 1800 1080."
        ) -> String {
            """
            \(above)\(salutation)
            Rs.250.00 spent on card ending 4321 at R TRADERS on 05-01-2026 at 09:00:00. \(below)
            \(String(repeating: "Terms apply to every payment that you make with us. ", count: 8))
            \(footer)
            """
        }
    }

    static let cases = [
        Case(testDescription: "the same text", outcome: .duplicate),
        Case(
            testDescription: "another transaction ID",
            second: Case.text(below: "The Transaction ID is IN261."), outcome: .review),
        Case(testDescription: "no transaction ID", second: Case.text(below: ""), outcome: .review),
        Case(
            testDescription: "another balance", first: Case.text(below: "Available balance: Rs.900.00"),
            second: Case.text(below: "Available balance: Rs.650.00"), outcome: .review),
        Case(
            testDescription: "another name", first: Case.text(below: "Beneficiary: Asha Rao"),
            second: Case.text(below: "Beneficiary: Ravi Rao"), outcome: .review),
        Case(
            testDescription: "another remark", first: Case.text(below: "Remarks: rent"),
            second: Case.text(below: "Remarks: school fees"), outcome: .review),
        Case(testDescription: "another holder", second: Case.text(salutation: "Dear Ravi,"), outcome: .review),
        Case(
            testDescription: "an identifier below the terms", second: Case.text(footer: "Ref. 8f3a-77 Call 1800 1080."),
            outcome: .review),
        Case(
            testDescription: "another UPI address", first: Case.text(below: "To asha@okbank"),
            second: Case.text(below: "To ravi@okbank"), outcome: .review),
        Case(
            testDescription: "a banner of a mail filter",
            second: Case.text(
                above: "CAUTION: This message came from outside of the organisation. Do not open links.\n"),
            outcome: .duplicate),
        Case(
            testDescription: "other tracking links",
            first: Case.text(below: "See https://bank.example/t?u=1f3a or www.bank.example/a1"),
            second: Case.text(below: "See https://bank.example/t?u=99c2 or www.bank.example/b2"), outcome: .duplicate),
        Case(
            testDescription: "another recipient and advertisement",
            first: Case.text(footer: "Sent to a1@example.com. Call 1800 1080. Try our loans."),
            second: Case.text(footer: "Sent to b2@example.org. Call 1800 1080. Get our card today!"),
            outcome: .duplicate),
        Case(
            testDescription: "other line ends, case and punctuation",
            second: Case.usual.replacing("\n", with: "\r\n").replacing("IN123.", with: "IN123").replacing(
                "Dear Customer,", with: "DEAR CUSTOMER"), outcome: .duplicate),
    ]

    @Test(arguments: cases) func twoMails(_ item: Case) throws {
        let book = try Book()
        let intake = try Sample.intake()
        // Two mailboxes, two Message-IDs: only the event can make the second a duplicate.
        let results = try [("personal", item.first), ("family", item.second)].flatMap { mailbox, text in
            let mail = """
                From: Bank <alerts@bank.example>
                To: \(mailbox)@example.com
                Subject: Card alert
                Message-ID: <\(mailbox)@bank.example>
                Date: Mon, 5 Jan 2026 09:01:00 +0530

                \(text)
                """
            let place = MailLocation(mailbox: mailbox, folder: "INBOX", uidValidity: 1, uid: 1)
            return try book.store.recording.record([intake.entry(for: Array(mail.utf8), at: place, receivedAt: nil)])
        }
        #expect(results.map(\.outcome) == [.recorded, item.outcome])
        #expect(try book.transactions() == (item.outcome == .duplicate ? 1 : 2))
        #expect(results[1].possibleDuplicateOf == (item.outcome == .review ? results[0].transactionID : nil))
        #expect(results[1].duplicateOf == (item.outcome == .duplicate ? results[0].mailID : nil))
    }
}
