import InternetMessage
import Ledger
import ProfileFixture
import Testing

@testable import Profiles

@Suite struct TextShapeTests {
    static let footer =
        "If it was not you, please call us at once on 1800123123 and do not share this message with anyone, not even with people who say that they work for us."

    func shape(_ subject: String, _ body: String) throws -> MailShape? {
        let message = Message(
            parsing: Array(
                "From: alerts@bank.example\r\nSubject: \(subject)\r\nDate: Mon, 05 Jan 2026 18:00:00 +0530\r\n\r\n\(body)"
                    .utf8))
        return try ProfileFolder.set().claim(message).decide(trusting: .unverified, receivedAt: nil).shape
    }

    struct Pair: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var isAlike: Bool
        var one: (subject: String, body: String)
        var other: (subject: String, body: String)

        init(_ name: String, _ isAlike: Bool, _ one: (String, String), _ other: (String, String)) {
            testDescription = name
            self.isAlike = isAlike
            self.one = one
            self.other = other
        }
    }

    static let pairs = [
        Pair(
            "other values", true,
            (
                "Card alert",
                "Dear Customer, Rs.500.00 was charged to your card XX1234 at CAFE NOIR on 05-01-26. Ref 1234567. \(footer)"
            ),
            (
                "Card alert",
                "Dear Ms Asha Rao, INR 12,345.50 was charged to your card XX98 at Big Bazaar Pune Road on 31 Dec 2025. Ref AB99887766. \(footer)"
            )),
        Pair(
            "a merchant in small letters", true,
            ("Alert", "Rs.500.00 was charged to your card XX1234 at cafe noir on 05-01-26. \(footer)"),
            ("Alert", "Rs.70.00 was charged to your card XX1234 at big bazaar on 06-01-26. \(footer)")),
        Pair(
            "another advertisement below", true,
            ("Alert", "Rs.500.00 was charged to your card XX1234 on 05-01-26. \(footer) Win a phone this month!"),
            (
                "Alert",
                "Rs.70.00 was charged to your card XX1234 on 06-01-26. \(footer) Our new app is here, and it is fast."
            )),
        Pair(
            "amounts in the subject", true,
            ("Rs.500 debited via UPI", "Rs.500.00 was charged to your account. \(footer)"),
            ("Rs.1,200 debited via UPI", "Rs.1,200.00 was charged to your account. \(footer)")),
        Pair(
            "in capitals", true,
            ("ALERT", "INR 500.00 DEBITED FROM A/C XX1234 TO RAVI KUMAR ON 05-01-26 VIA UPI REF 1234567"),
            ("ALERT", "INR 75.00 DEBITED FROM A/C XX9876 TO ASHA ON 15-02-26 VIA UPI REF 7654321")),
        Pair(
            "another sentence", false, ("Alert", "Rs.500.00 was charged to your card XX1234. \(footer)"),
            ("Alert", "Rs.500.00 was refunded to your card XX1234. \(footer)")),
        Pair(
            "another subject", false, ("Your card was used", "Rs.500.00 was charged to your card. \(footer)"),
            ("Your card was used abroad", "Rs.500.00 was charged to your card. \(footer)")),
        Pair(
            "no amount at all", false, ("News", "We moved to another office in your town."),
            ("News", "We moved to another branch in your town.")),
        Pair(
            "no amount, only other dates", true, ("News", "We open at 9:30 am on 5 January in your town."),
            ("News", "We open at 10 am on 17 March in your town.")),
        Pair("nothing but values", true, ("", "500.00"), ("", "Rs.1 2026")),
    ]

    @Test(arguments: pairs) func distinguishesMailsByTheirWords(pair: Pair) throws {
        let one = try #require(try shape(pair.one.subject, pair.one.body))
        let other = try #require(try shape(pair.other.subject, pair.other.body))
        #expect((one.digest == other.digest) == pair.isAlike, "\(one.words)\n\(other.words)")
    }

    @Test func shapeContainsNoValues() throws {
        let words = try #require(
            try shape(
                "Rs.500 for RAVI",
                "Dear Ravi Kumar, Rs.500.00 was charged to card XX1234 at shop-7 on 05 jan 2026 for ravi@upi, ref AB1234567"
            )
        ).words
        #expect(words == "* for * | * was charged to card * at * on * for * ref *")
    }

    @Test func claimedMailHasNoShape() throws {
        #expect(try shape("Alert", DecisionTests.genuine) == nil)
        #expect(try shape("Alert", "482910 is your OTP for Rs.5") == nil)
    }

    @Test(arguments: [
        [], [0x20], [0xFF, 0xFE, 0x80], Array("₹".utf8), Array(repeating: 0x2E, count: 4000),
        Array(repeating: 0x61, count: 4000),
    ]) func survivesAnyBytes(bytes: [UInt8]) {
        let anchors = [0, bytes.count / 2, bytes.count].map { $0..<bytes.count }
        for span in anchors { _ = TextShape.shape(subject: "", text: bytes, values: [.amount: span]) }
    }
}
