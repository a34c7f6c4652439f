import Chronology
import InternetMessage
import Ledger
import Testing

@testable import Profiles

/// Mails without a template whose form a person lets be booked.
@Suite struct LearnedFormTests {
    private static let text =
        "Your account 0110*****4500 has been debited with KES 3,450.00 on 12-02-2026 11:42:10 at QUICKMART. Ref: 601412AB77. Available balance KES 18,220.15."

    private static func decide(_ text: String, subject: String = "Alert") throws -> Decision {
        let mail = """
            From: alerts@bank.example\r\nSubject: \(subject)\r\nDate: Fri, 13 Feb 2026 18:00:00 +0000\r\nContent-Type: text/plain\r\n\r\n\(text)
            """
        return try RegionalReaderTests.set(try RegionalReaderTests.region("KE")).claim(
            Message(parsing: Array(mail.utf8))
        ).decide(trusting: .trustDelivery, receivedAt: nil)
    }

    private static func learned(_ decision: Decision, accepted: Int = 3) throws -> LearnedForms {
        let form = try #require(decision.shape?.form)
        return LearnedForms([.init(profile: try #require(decision.profile), form: form): accepted])
    }

    @Test func aLearnedFormIsBookedWithOtherValues() throws {
        let first = try Self.decide(Self.text)
        #expect(first.outcome == .review)
        let other = try Self.decide(
            Self.text.replacing("3,450.00", with: "82.50").replacing("QUICKMART", with: "NAIVAS CITY MALL").replacing(
                "12-02-2026 11:42:10", with: "13-02-2026 09:01:00"
            ).replacing("601412AB77", with: "99AB000012"))
        let booked = other.booked(by: try Self.learned(first))
        #expect(booked.outcome == .recorded)
        #expect(booked.draft?.merchant == "NAIVAS CITY MALL")
        #expect(booked.confidence == 0.8, "four fifths after three mails")
        #expect(booked.reasons.contains { $0.factor == .learnedForm })
        #expect(!booked.reasons.contains { $0.factor == .genericReader })
        #expect(other.booked(by: .none).outcome == .review)
    }

    /// Each differs in one word or lacks one field.
    @Test(arguments: [
        (text.replacing("has been debited", with: "could not be debited"), "Alert"),
        (text + " This transaction has since been reversed.", "Alert"), (text, "Alert: Declined"),
        (text + " Status: Pending", "Alert"), (text.replacing("at QUICKMART", with: "today"), "Alert"),
        (text.replacing(" on 12-02-2026 11:42:10", with: ""), "Alert"),
        (text.replacing("Your account 0110*****4500", with: "Your account"), "Alert"),
        (text.replacing("debited", with: "credited"), "Alert"),
        (text.replacing("Ref:", with: "Reversal of"), "Alert"),
    ])
    func anotherWordIsAnotherForm(text: String, subject: String) throws {
        let forms = try Self.learned(try Self.decide(Self.text))
        #expect(try Self.decide(text, subject: subject).booked(by: forms).outcome != .recorded)
    }

    /// Even a mail of its very form is not booked with a doubt, without a field, or if it is not authentic.
    @Test func aDoubtOrAMissingFieldPreventsBooking() throws {
        let decision = try Self.decide(Self.text)
        let forms = try Self.learned(decision)
        var doubtful = decision
        doubtful.reasons.append(Reason(.possibleDuplicate, weight: 0.5, note: "again"))
        #expect(doubtful.booked(by: forms).outcome == .review)
        var forged = decision
        forged.source?.isAuthentic = false
        #expect(forged.booked(by: forms).outcome == .review)
        for field in [Field.type, .merchant, .account, .date] {
            var draft = try #require(decision.draft)
            switch field {
            case .type: draft.type = nil
            case .merchant: (draft.merchant, draft.vpa) = (nil, nil)
            case .account: draft.account = nil
            default: draft.spans[.date] = nil
            }
            var incomplete = decision
            incomplete.disposition = .review(draft)
            #expect(incomplete.booked(by: forms).outcome == .review, "\(field)")
        }
    }

    @Test func theCounterpartyInTheSubjectIsAValue() throws {
        let first = try Self.decide(Self.text, subject: "Debit at QUICKMART")
        let second = try Self.decide(
            Self.text.replacing("QUICKMART", with: "NAIVAS"), subject: "Debit at NAIVAS")
        #expect(first.shape?.form != nil)
        #expect(first.shape?.form == second.shape?.form)
    }
}
