import Chronology
import ChronologyFixture
import Foundation
import InternetMessage
import Ledger
import ProfileFixture
import Testing

@testable import ProfileAuthoring
@testable import Profiles

fileprivate func marked(
    _ text: String, _ values: [Field: String], subject: String = "Alert", sender: String = "alerts@own.example",
    arrival: String = "2026-01-06"
) -> MarkedMail {
    MarkedMail(
        text: CanonicalText(plain: Array(text.utf8)).bytes, subject: subject, sender: sender,
        arrival: CalendarDate(iso: arrival), values: values)
}

fileprivate func message(_ text: String) -> Message {
    Message(
        parsing: Array(
            "From: alerts@own.example\r\nSubject: Alert\r\nDate: Tue, 06 Jan 2026 23:00:00 +0530\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\(text)"
                .utf8))
}

/// Positions of values in any given and printed form.
@Suite struct PlaceTests {
    @Test(arguments: [
        (Field.amount, "123456.78", "Rs.1,23,456.78 paid", "1,23,456.78"),
        (.amount, "₹ 1,23,456.78", "INR 123456.78 paid", "123456.78"), (.amount, "500", "Rs.500.00/- paid", "500.00"),
        (.amount, "500.00", "Rs 500 paid", "500"), (.amount, "0.50", "Rs .50 paid", ".50"),
        (.amount, "USD 12.5", "USD 12.50 at", "12.50"), (.amount, "500", "Rs.500. Thank you", "500"),
        (.date, "2026-01-05", "on 05-01-26 at", "05-01-26"),
        (.date, "2026-01-05", "on 5th January, 2026 at", "5th January, 2026"),
        (.date, "5 Jan 2026", "on 2026-01-05.", "2026-01-05"),
        (.date, "2026-01-05", "on 5 Jan at", "5 Jan"), (.date, "2026-01-05", "on 01/05/2026 at", "01/05/2026"),
        (.date, "2026-01-05", "on 2026/01/05 at", "2026/01/05"),
        (.time, "16:03:50", "at 16:03:50 hrs", "16:03:50"), (.time, "16:03", "at 4:03 PM today", "4:03 PM"),
        (.time, "16:03:50", "at 04:03:50 on", "04:03:50"), (.time, "19:03:57", "on 2026-01-05:19:03:57.", "19:03:57"),
        (.account, "4321", "ending XX4321 for", "4321"), (.account, "XX4321", "A/c *4321", "4321"),
        (.account, "4321", "A/C XXXXX204321 has", "4321"),
        (.merchant, "swiggy  foods", "at SWIGGY\nFOODS on", "SWIGGY\nFOODS"),
        (.vpa, "A.b@OKAXIS", "VPA a.b@okaxis on", "a.b@okaxis"), (.reference, "ab12cd34", "Ref AB12CD34.", "AB12CD34"),
    ]) func isFound(field: Field, value: String, text: String, expected: String) throws {
        let forms = try PrintedForms()
        let text = Array(text.utf8)
        let places = forms.places(of: value, as: field, in: text, arrival: CalendarDate(iso: "2026-01-06"))
        #expect(places.map { String(decoding: text[$0.span], as: UTF8.self) } == [expected])
    }

    @Test(arguments: [
        (Field.amount, "500", "Rs.5000 and Rs.1,500 paid"), (.amount, "many", "Rs.500"),
        (.account, "4321", "card 14321 used"), (.account, "1", "card 1"), (.reference, "12345", "Ref 912345"),
        (.date, "2026-02-30", "on 30-02-2026"), (.merchant, "", "at SHOP"), (.merchant, "   ", "at SHOP"),
        (.time, "25:00", "at 25:00"),
    ]) func isNotFound(field: Field, value: String, text: String) throws {
        #expect(try PrintedForms().places(of: value, as: field, in: Array(text.utf8), arrival: nil).isEmpty)
    }
}

@Suite struct TemplateDraftTests {
    static let spend =
        "Dear Asha Rao,\nRs.1,250.00 has been spent on your Own Bank Card ending XX4321 at BLUE LOTUS CAFE on 05-01-26 at 17:58:01. Avl limit is Rs.80,000.00.\nCall 1800 200 300 if this was not you."
    static let values: [Field: String] = [
        .amount: "1250", .merchant: "Blue Lotus Cafe", .account: "4321", .date: "2026-01-05", .time: "17:58:01",
    ]

    /// Values that a template derived from some mails reads from others.
    @Test(arguments: [
        (
            spend.replacing("Asha Rao", with: "Ravi").replacing("BLUE LOTUS CAFE", with: "Corner Store Ltd.").replacing(
                "1,250.00", with: "80"), "80.00", "Corner Store Ltd."
        ),
        (spend.replacing("Rs.1,250.00 has been", with: "INR 2 was"), "2.00", "BLUE LOTUS CAFE"),
        (
            spend.replacing("05-01-26", with: "5 Jan 2026").replacing("XX4321", with: "**9999"), "1250.00",
            "BLUE LOTUS CAFE"
        ),
        (spend.replacing(" Avl limit is Rs.80,000.00.", with: ""), "1250.00", "BLUE LOTUS CAFE"),
        (
            spend.replacing("BLUE LOTUS CAFE", with: "Rs. 9,999 has been spent on your Own Bank Card ending XX1111 at"),
            "1250.00", "Rs. 9,999 has been spent on your Own Bank Card ending XX1111 at"
        ),
    ]) func readsMailsOfTheSameForm(text: String, amount: String, merchant: String) throws {
        let draft = try TemplateDraft.derive(from: [marked(Self.spend, Self.values.merging([.limit: "80000"]) { $1 })])
        let got = try #require(try DerivationOfShippedSamples.read(draft, message(text)))
        #expect(got[.amount] == amount && got[.merchant] == merchant)
    }

    @Test(arguments: [
        spend.replacing("has been spent", with: "could not be spent"),
        spend.replacing("has been spent", with: "will be spent"), spend.replacing("Card", with: "Loan Account"),
        "Your transaction of Rs.1,250.00 at BLUE LOTUS CAFE was declined.",
        "482913 is the OTP for Rs.1,250.00 at BLUE LOTUS CAFE.", "",
    ]) func doesNotReadOthers(text: String) throws {
        let draft = try TemplateDraft.derive(from: [marked(Self.spend, Self.values)])
        #expect(try DerivationOfShippedSamples.read(draft, message(text)) == nil)
    }

    static let table =
        "Dear Asha,\nA payment has been made from your Own Bank account.\nDetails\nAmount Rs. 500.00\nTo SHOP ONE\nAccount XX4321\nDate 05/01/2026\nThank you."

    @Test func aTableIsReadUnderItsSentence() throws {
        let draft = try TemplateDraft.derive(from: [
            marked(Self.table, [.amount: "500", .merchant: "SHOP ONE", .account: "4321", .date: "2026-01-05"])
        ])
        #expect(try DerivationOfShippedSamples.read(draft, message(Self.table))?[.merchant] == "SHOP ONE")
        #expect(
            try DerivationOfShippedSamples.read(
                draft, message(Self.table.replacing("has been made", with: "could not be made"))) == nil)
        let amount = try #require(
            try PrintedForms().places(of: "500", as: .amount, in: Array(Self.table.utf8), arrival: nil).first)
        let undone = try #require(Counterexample.undone(Array(Self.table.utf8), around: amount.span))
        #expect(undone.hasPrefix("A payment could not be made") && undone.contains("Amount Rs. 500.00"))
    }

    @Test(arguments: ["\nThank you.", ". Thank you for banking with us.", "\nNote: never share your PIN.", ""])
    func aNameAtTheEndIsReadWhole(rest: String) throws {
        let text = "Rs.500.00 was spent on your Own Bank card XX4321 at St. Blue Lotus & Co\(rest)"
        let draft = try TemplateDraft.derive(from: [
            marked(text, [.amount: "500", .account: "4321", .merchant: "St. Blue Lotus & Co"])
        ])
        #expect(try DerivationOfShippedSamples.read(draft, message(text))?[.merchant] == "St. Blue Lotus & Co")
    }

    @Test func differencesBetweenMailsBecomeWildcards() throws {
        let first =
            "Your Own Bank account XX4321 is debited with Rs.500.00 on 05-01-26 towards COFFEE BAR. Ref AB123456. Have a nice Monday ahead."
        let second =
            "Your Own Bank savings account XX4321 is debited with Rs.70.00 on 06-01-26 towards Tea Stall. Ref AB999999. Balance Rs.10.00. Have a nice day."
        let third =
            "Your Own Bank savings account XX1122 was debited with INR 7 on 6 Jan 2026 towards Somebody Else. Ref ZZ000001. Have a nice week."
        let draft = try TemplateDraft.derive(from: [
            marked(
                first,
                [
                    .amount: "500", .account: "4321", .date: "2026-01-05", .merchant: "COFFEE BAR",
                    .reference: "AB123456",
                ]),
            marked(
                second,
                [
                    .amount: "70", .account: "4321", .date: "2026-01-06", .merchant: "Tea Stall",
                    .reference: "AB999999", .balance: "10",
                ]),
        ])
        #expect(draft.patterns.count == 1)
        for (text, balance) in [(first, nil), (second, "10.00"), (third, nil)] as [(String, String?)] {
            let got = try #require(try DerivationOfShippedSamples.read(draft, message(text)))
            #expect(got[.balance] == balance && got[.merchant] != nil && got[.reference] != nil)
        }
    }

    @Test func mailsOfTwoFormsGiveTwoPatterns() throws {
        let draft = try TemplateDraft.derive(from: [
            marked(Self.spend, Self.values),
            marked(
                "You paid COFFEE BAR an amount of Rs.90.00 by UPI from your account XX4321.",
                [.amount: "90", .merchant: "COFFEE BAR", .account: "4321"]),
        ])
        #expect(draft.patterns.count == 2 && draft.notes.contains { $0.contains("2 forms") })
    }

    @Test(arguments: [
        ("Your salary of Rs.500.00 has been credited to account XX4321", TransactionType.income, Channel.other),
        ("Rs.500.00 paid by UPI to shop@okaxis from account XX4321", .expense, .upi),
        ("Rs.500.00 spent on your credit card XX4321 at SHOP", .expense, .card),
        ("Rs.500.00 withdrawn at ATM using card XX4321 today", .expense, .atm),
        ("Refund of Rs.500.00 received on card XX4321 today", .income, .card),
        ("Rs.500.00 debited from account XX4321 by NACH mandate today", .expense, .mandate),
    ]) func typeAndChannelComeFromTheWords(text: String, type: TransactionType, channel: Channel) throws {
        let draft = try TemplateDraft.derive(from: [marked(text, [.amount: "500", .account: "4321"])], specificity: 2)
        guard case .transaction(let gotType, let gotChannel) = draft.kind else {
            Issue.record("no transaction")
            return
        }
        #expect(gotType == type && gotChannel == channel)
    }

    @Test(
        arguments: [
            (spend, [Field.amount: "999"], DerivationError.Cause.valueNotFound, "1,250.00"),
            (spend, [.amount: "1250", .merchant: "BLUE LOTSU CAFE"], .valueNotFound, "BLUE LOTUS CAFE"),
            (spend, [.amount: "1250", .account: "4322"], .valueNotFound, "4321"),
            (spend, [.merchant: "BLUE LOTUS CAFE"], .missingValue, "amount"),
            (spend, [.amount: "a lot"], .valueNotFound, "1234.56"),
            ("Rs.500 500", [.amount: "500", .balance: "500", .limit: "500"], .ambiguous, "same place"),
            ("Rs.500", [.amount: "500"], .tooFewWords, "0 words"),
            ("", [.amount: "5"], .valueNotFound, "is not in"),
            ("Rs.5 spent by A at A and A by card", [.amount: "5", .merchant: "A"], .ambiguous, "3 places"),
        ] as [(String, [Field: String], DerivationError.Cause, String)]) func failureHasAReason(
            text: String, values: [Field: String], cause: DerivationError.Cause, told: String
        )
    {
        let error = #expect(throws: DerivationError.self) { try TemplateDraft.derive(from: [marked(text, values)]) }
        #expect(
            error?.cause == cause && error?.description.contains(told) ?? false, "\(error?.description ?? "no error")")
    }

    @Test func amountNearTransactionWordsIsRead() throws {
        let text = "Fee Rs.500.00 due soon. Your card XX4321 was charged Rs.500.00 at SHOP today. Limit Rs.500.00."
        let draft = try TemplateDraft.derive(from: [marked(text, [.amount: "500", .account: "4321"])])
        #expect(draft.patterns[0].contains("charged") && draft.notes.contains { $0.contains("charged") })
    }

    /// Values and texts that are themselves pattern syntax, YAML syntax or no text at all.
    @Test(arguments: [
        "A (B|C)* [D] {3} \\E #1 $^ .+?", "x: 'y' \"z\" # no", "café ₹ नमस्ते 中文", "--- ...", "%TAG !!", "@{}&*!|>",
        "a\tb", "(?&nothing) \\Q", "- item",
    ]) func hostileValuesAreOnlyText(name: String) throws {
        let text =
            "Rs.50.00 was spent on card XX4321 at \(name) on 05-01-26. (why? [see] {terms} #7 *note* a|b \\Q: 100% 'sure')"
        let canonical = String(decoding: CanonicalText(plain: Array(name.utf8)).bytes, as: UTF8.self)
        let mail = marked(text, [.amount: "50", .account: "4321", .merchant: name, .date: "2026-01-05"], subject: name)
        for specificity in 0...TemplateDraft.greatestSpecificity {
            let draft = try TemplateDraft.derive(from: [mail], specificity: specificity)
            let sample = TemplateDraft.WrittenSample(
                name: name, from: "alerts@own.example", date: nil, subject: name, text: mail.text,
                expect: .fields([.merchant: canonical]))
            let folder = try ProfileFolder([
                "_common.yaml": String(
                    contentsOf: ShippedProfiles.folder.appending(path: "_common.yaml"), encoding: .utf8),
                "own/_bank.yaml": TemplateDraft.bankYAML(
                    name: name, domains: ["own.example"], addresses: ["alerts@own.example"]),
                "own/alert.yaml": draft.yaml(named: "own/alert", samples: [sample]),
            ])
            let loaded = try #require(try folder.load().banks.first?.templates.first?.samples.first)
            #expect(loaded.name == name && loaded.canonicalText == mail.text)
            #expect(try folder.load().banks.first?.name == name)
        }
    }

    @Test func ignoreTemplateUsesTheDecisiveSentence() throws {
        let mails = [
            "Dear Asha,\nThank you for banking with us.\n482913 is the OTP for your payment of Rs.500.00 at SHOP ONE.\nDo not share it.",
            "Dear Ravi Kumar,\nThank you for banking with us.\n119922 is the OTP for your payment of Rs.9.00 at Tea Stall.\nDo not share it.",
        ]
        let draft = try TemplateDraft.derive(from: mails.map { marked($0, [:]) }, options: .init(ignore: .otp))
        guard case .ignore(.otp) = draft.kind else {
            Issue.record("not ignored")
            return
        }
        #expect(draft.patterns[0].contains("otp") && !draft.patterns[0].contains("banking"))
        for text in mails + ["Dear X,\n123 is the OTP for your payment of INR 1 at Y."] {
            #expect(try DerivationOfShippedSamples.read(draft, message(text)) != nil)
        }
        #expect(try DerivationOfShippedSamples.read(draft, message(Self.spend)) == nil)
        #expect(throws: DerivationError.self) {
            try TemplateDraft.derive(
                from: [marked(mails[0], [:]), marked("A statement of your account is ready.", [:])],
                options: .init(ignore: .otp))
        }
    }

    @Test func aLongTextIsRefused() {
        let text = String(repeating: "word ", count: 20_000)
        #expect(throws: DerivationError.self) {
            try TemplateDraft.derive(from: [marked(text + "Rs.5 spent", [.amount: "5"])])
        }
    }
}
