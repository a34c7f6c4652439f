import Chronology
import ChronologyFixture
import Foundation
import InternetMessage
import Ledger
import ProfileFixture
import Testing

@testable import Profiles

/// A bank that has no templates: everything is the generic reader's.
@Suite struct GenericReaderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var text: String
        var amount: String
        var currency: String?
        var type = TransactionType.expense
        var account: String?
        var date: String?
        var merchant: String?
        var channel: Channel?
        var testDescription: String { text }
    }

    static let bank = Result { try ProfileFolder(["bank/_bank.yaml": ProfileFolder.bank]).load() }

    func decide(_ text: String) throws -> Decision {
        try Self.bank.get().claim(mail(text, date: "Fri, 13 Feb 2026 18:00:00 +0530")).decide(
            trusting: .unverified, receivedAt: nil)
    }

    @Test(arguments: [
        Case(
            text:
                "Rs.640.00 is debited from your card ending 7735 and credited to VPA juicebar@ptys (JUICE BAR) on 12 Feb, 2026.",
            amount: "640.00", account: "7735", date: "2026-02-12", merchant: "JUICE BAR", channel: .upi),
        Case(
            text: "Acct XX317 debited for Rs 95.00 on 12-Feb-26; TEA POINT credited. UPI:627912345678.",
            amount: "95.00", account: "317", date: "2026-02-12", merchant: "TEA POINT"),
        Case(
            text: "Your A/C XXXXX204417 has a credit by Transfer of Rs 8,750.00 on 12/02/26. Avl Bal Rs 40,157.00.",
            amount: "8750.00", type: .income, account: "204417", date: "2026-02-12"),
        Case(
            text:
                "Get Rs.150 cashback on your next trip! INR 96.00 has been spent on your card XX2277 at KETTLE on 12/02/2026. Available limit INR 60,906.25",
            amount: "96.00", account: "2277", date: "2026-02-12", merchant: "KETTLE", channel: .card),
        Case(
            text:
                "Dear Customer, annual fee of Rs. 499.00 + GST has been charged to your Credit Card XX3307 on 12-02-26.",
            amount: "499.00", account: "3307", date: "2026-02-12"),
        Case(
            text: "Dear Customer, cashback of INR 75 has been credited to your Credit Card no. XX7744 on 12-02-26.",
            amount: "75.00", type: .income, account: "7744", date: "2026-02-12"),
        Case(
            text: "Date:\n12 February 2026\nMerchant:\nCamellia Kitchens\nAmount:\nINR 365.00\nAccount Ending: 71008",
            amount: "365.00", account: "71008", date: "2026-02-12", merchant: "Camellia Kitchens"),
        Case(
            text:
                "Thank you for using your Debit Card ending 6042 for a purchase worth Rs410.0 on POS 7001700 at MANGO LEAF txn# 613600998882 on 12-02-2026.",
            amount: "410.00", account: "6042", date: "2026-02-12", merchant: "MANGO LEAF"),
        Case(
            text: "A/C X4417 debited by 250.0 on date 12Feb26 trf to Meera Stores Refno 613200112233.",
            amount: "250.00", account: "4417", date: "2026-02-12", merchant: "Meera Stores"),
        Case(
            text:
                "Dear Customer, Rs. 1,500.00 has been successfully added to your Wallet using your Debit Card ending 7219 on 12-02-26.",
            amount: "1500.00", account: "7219", date: "2026-02-12"),
        Case(
            text:
                "Your account XX8810 has been debited with INR 7,000.00 on 12-02-26. Info: IMPS/P2A/604309901777/OMKAR RANE/BANK",
            amount: "7000.00", account: "8810", date: "2026-02-12", merchant: "OMKAR RANE"),
        Case(
            text:
                "Hello Asha,\nYES! We have clocked ₹515.00\nWhere GREEN LEAF\nPlastic xx4417\nWhen 12 Feb 2026, 10:11\nLeft to spend ₹71,002.00",
            amount: "515.00", account: "4417", date: "2026-02-12"),
        Case(
            text: "प्रिय ग्राहक, आपके खाते XX4410 से Rs 150.00 दिनांक 12Feb26 को श्री गणेश किराना को ट्रांसफर किया गया।",
            amount: "150.00", account: "4410", date: "2026-02-12"),
        Case(
            text: "आपके खाते से ₹250 डेबिट किया गया 12 फरवरी 2026 को", amount: "250.00", date: "2026-02-12"),
        Case(
            text: "आपके खाते में ₹250 क्रेडिट किया गया दिनांक १२/०२/२०२६", amount: "250.00", type: .income,
            date: "2026-02-12"),
        Case(
            text: "You paid\nAmount: 1,250.75 AED\nMerchant: HERON STORE\nDate: 12 Feb 2026", amount: "1250.75",
            currency: "AED", date: "2026-02-12", merchant: "HERON STORE"),
        Case(
            text: "INR 75,000.00 loan amount has been disbursed to your A/c XX4417 on 12-02-2026.", amount: "75000.00",
            type: .income, account: "4417", date: "2026-02-12"),
        Case(
            text: "You made a $45.20 transaction with ORCHARD on your card ending in 4321 on Feb 12, 2026.",
            amount: "45.20", account: "4321", date: "2026-02-12", merchant: "ORCHARD", channel: .card),
        Case(
            text:
                "A$67.30 has been debited from your account ending 221 for your purchase at GUM MARKET on 12 Feb 2026.",
            amount: "67.30", account: "221", date: "2026-02-12", merchant: "GUM MARKET"),
        Case(
            text: "Your transfer of MYR 350.00 to PALM TRADING from account ending 3344 on 12/02/2026 was successful.",
            amount: "350.00", account: "3344", date: "2026-02-12", merchant: "PALM TRADING"),
        Case(
            text:
                "Amount: USD 61.00\nBalance: USD 1,400.00\nTransaction: Purchase\nMerchant: PEAR STORE\nCard: **** 4321\nDate: 12 Feb 2026",
            amount: "61.00", account: "4321", date: "2026-02-12", merchant: "PEAR STORE"),
        Case(
            text: "LKR 3,450.00 spent at LOTUS SUPER on 12/02/2026 via card ending #8877. Avl Bal LKR 41,000.00",
            amount: "3450.00", account: "8877", date: "2026-02-12", merchant: "LOTUS SUPER"),
        Case(
            text: "You received £250.00 from J REED into your account ending 8812 on 12 February 2026.",
            amount: "250.00", type: .income, account: "8812", date: "2026-02-12", merchant: "J REED"),
        Case(
            text:
                "Annual fee of INR 590 (incl. GST) has been charged to your Meridian Credit Card no. XX5512 on 12-02-2026.",
            amount: "590.00", account: "5512", date: "2026-02-12"),
        Case(
            text:
                "We wish to inform you that refund of AED 45.50 from SHOE LOFT has been credited to your card account 4321 XXXX XXXX 6021 on 12-02-26.",
            amount: "45.50", type: .income, account: "6021", date: "2026-02-12", merchant: "SHOE LOFT"),
        Case(
            text: "EUR 2.350,00 has been credited to your account XX5120 on 12-02-2026 from HARBOUR BV.",
            amount: "2350.00", currency: "EUR", type: .income, account: "5120", date: "2026-02-12",
            merchant: "HARBOUR BV"),
        Case(
            text: "RM 42.00 has been transferred to SITI BINTI OMAR from your account ending 6120 on 12-02-2026.",
            amount: "42.00", currency: "MYR", account: "6120", date: "2026-02-12", merchant: "SITI BINTI OMAR"),
        Case(
            text: "A purchase of CA$61.05 was made at MAPLE TOOLS with your Visa ending in 2240 on 12-02-2026.",
            amount: "61.05", currency: "CAD", account: "2240", date: "2026-02-12", merchant: "MAPLE TOOLS"),
        Case(
            text: "You've spent $23.10 AUD at GUM MARKET on 12-02-2026, card ending 2210.", amount: "23.10",
            currency: "AUD", account: "2210", date: "2026-02-12", merchant: "GUM MARKET"),
        Case(
            text: "A charge amounting to INR 1,299 by FERN STREAM hit your Credit Card XX6002 on Feb 12, 2026.",
            amount: "1299.00", account: "6002", date: "2026-02-12"),
        Case(
            text: "Spend alert: INR 84.00\nFERN CAFE\ncard 5820\n12-02-2026", amount: "84.00", account: "5820",
            date: "2026-02-12"),
        Case(
            text: "A new charge posted: FERN AIR, INR 7,400.00, 12 February 2026, Card ending 52008.",
            amount: "7400.00", account: "52008", date: "2026-02-12"),
        Case(
            text: "Money in!\nAmount ₹ 12,000.00\nAccount XX5570\nFrom MEERA PAI\n12-02-2026", amount: "12000.00",
            type: .income, account: "5570", date: "2026-02-12"),
        Case(
            text: "There is an inflow of Rs 3,500.00 in A/c XX7788 on 12-02-2026 from MEERA PAI.", amount: "3500.00",
            type: .income, account: "7788", date: "2026-02-12", merchant: "MEERA PAI"),
        Case(
            text: "You got INR 900 from MEERA PAI in your account XX1313 on 12-02-2026.", amount: "900.00",
            type: .income, account: "1313", date: "2026-02-12", merchant: "MEERA PAI"),
        Case(
            text:
                "Account | Topaz Preferred (...5580)\nAmount | $31.00\nWhere | FERN BOOKS 22\nDate | Feb 12, 2026\nTransaction",
            amount: "31.00", account: "5580", date: "2026-02-12", merchant: "FERN BOOKS 22"),
        Case(
            text: "You paid\n£6.20\nFERN LUNCHES\n12 February 2026, 12:14\nCard ending 5580", amount: "6.20",
            account: "5580", date: "2026-02-12", merchant: "FERN LUNCHES"),
        Case(
            text: "SAR 40.00 spent\nAt: DUNE BOOKS\nCard: **5580\n12-02-2026", amount: "40.00", currency: "SAR",
            account: "5580", date: "2026-02-12", merchant: "DUNE BOOKS"),
        Case(
            text: "SGD 15.00 received from LIM MEI HUA to your account ending 4420 on 12-02-2026.", amount: "15.00",
            currency: "SGD", type: .income, account: "4420", date: "2026-02-12", merchant: "LIM MEI HUA"),
        Case(
            text: "Your A/c XX5580 is credited with Rs 410.00 on 12-02-2026. Narration: NEFT-FERN TEXTILES.",
            amount: "410.00", type: .income, account: "5580", date: "2026-02-12", merchant: "FERN TEXTILES"),
        Case(
            text: "Rs 610.00 refunded from SHOE CORNER against your Credit Card XX6002 dated 12-02-2026.",
            amount: "610.00", type: .income, account: "6002", date: "2026-02-12", merchant: "SHOE CORNER"),
        Case(
            text: "Rs 88.00 debited from A/c XX5580 favouring FERN STORES. 12-02-2026", amount: "88.00",
            account: "5580", date: "2026-02-12", merchant: "FERN STORES"),
        Case(
            text: "INR 905.00 at FERN WOODS went through on your card XX6002 on 12-02-2026.", amount: "905.00",
            account: "6002", date: "2026-02-12", merchant: "FERN WOODS"),
        Case(
            text: "INR 88.00 spent on card XX5580 at Bal Rs 11631.73 BLUE LOTUS R on 12-02-2026.", amount: "88.00",
            account: "5580", date: "2026-02-12", merchant: "BLUE LOTUS R"),
        Case(
            text: "INR 88.00 spent on card XX5580 at FERN STORES 12 FEB 12:31.", amount: "88.00", account: "5580",
            date: "2026-02-12"),
        Case(
            text: "Passbook entry\nRs 75.00\n(Dr) FERN STORES 12-02-2026\nA/c XX5580 transaction", amount: "75.00",
            account: "5580", date: "2026-02-12", merchant: "FERN STORES"),
    ]) func readsWhatNoTemplateClaims(expected: Case) throws {
        let decision = try decide(expected.text)
        #expect(decision.outcome == .review)
        let draft = try #require(decision.draft)
        #expect(draft.amount.decimal == expected.amount)
        if let currency = expected.currency { #expect(draft.amount.currency.code == currency) }
        #expect(draft.type == expected.type)
        #expect(draft.account == expected.account)
        #expect(draft.date.description == expected.date)
        if let merchant = expected.merchant { #expect(draft.merchant == merchant) }
        if let channel = expected.channel { #expect(draft.channel == channel) }
    }

    /// A footer below the rows speaks of what may happen to others.
    @Test func footerBelowRowsRaisesNoDoubt() throws {
        let rows = "Debit\nAmount | INR 510.00\nAccount | XX5580\nDate | 12-02-2026\n"
        func isDoubtful(_ text: String) throws -> Bool {
            try decide(text).reasons.contains { $0.factor == .wordingDoubtful }
        }
        #expect(
            try !isDoubtful(
                rows + "Transactions may be declined if your card is blocked, so keep the number on its back at hand"))
        #expect(try isDoubtful(rows + "Status | declined\n"))
    }

    /// Without the words of a movement an amount needs the digits of an account and a day to be taken for one.
    @Test(arguments: [
        "Shop for ₹515.00 or more, and smile.", "Plastic xx4417 is ready since 12 Feb 2026.",
        "₹515.00 for plastic xx4417 is a nice idea.",
    ])
    func ignoresTextWithoutAMovement(text: String) throws {
        #expect(try decide(text).outcome == .ignored)
    }

    /// The same bank in another country, with the shipped words.
    static func bank(countingIn currency: Currency) throws -> ProfileSet {
        let text = ProfileFolder.bank.replacing("currency: INR", with: "currency: \(currency.code)")
        var files = ["bank/_bank.yaml": text]
        let folder = ShippedProfiles.folder
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasPrefix("_words-") {
            files[name] = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        }
        return try ProfileFolder(files).load()
    }

    /// With all templates gone, no mail with an alert of any bank is ignored, and nearly every amount is found.
    @Test func noAlertIsSkipped() throws {
        var read = 0
        var right = 0
        var passed: [String] = []
        var sets: [Currency: ProfileSet] = [:]
        for item in try ShippedProfiles.items() {
            guard item.sample.smsHeader == nil, case .fields(let fields) = item.sample.expectation,
                let amount = fields[.amount]
            else { continue }
            let set = try sets[item.bank.currency] ?? Self.bank(countingIn: item.bank.currency)
            sets[item.bank.currency] = set
            let alert = Message(parsing: item.sample.message())
            let copy = mail(String(decoding: alert.text.bytes, as: UTF8.self), date: item.sample.date)
            let decision = set.claim(copy).decide(trusting: .unverified, receivedAt: nil)
            read += 1
            if decision.outcome == .ignored || decision.outcome == .recorded {
                passed.append("\(item.template.name) '\(item.sample.name)': \(decision.outcome)")
            }
            if let draft = decision.draft, Money(printed: amount.utf8, currency: draft.amount.currency) == draft.amount
            {
                right += 1
            }
        }
        #expect(passed == [])
        #expect(Double(right) >= 0.97 * Double(read), "\(right) of \(read)")
    }
}

@Suite struct DoubtRulesTests {
    static let spend = DecisionTests.genuine

    @Test(arguments: [
        ("482910 is your OTP. \(spend)", Outcome.review),
        ("Your one-time password for this is 482910.\n\(spend)", .review),
        ("\(spend)\nThe transaction was declined.", .review),
        ("\(spend)\nYour payment could not be processed.", .review),
        ("The amount will be debited: \(spend)", .review),
        ("Rs.1,234.50 spent at SHOP ONE on 05-01-26 at 17:58:01 card 4321 under no. 12 will be charged", .review),
        ("> \(spend)", .review), ("On Monday, the bank wrote:\n\(spend)", .review),
        ("---------- Forwarded message ----------\n\(spend)", .review),
        ("Convert Rs.1,234.50 spent at SHOP ONE on 05-01-26 at 17:58:01 card 4321 into easy EMIs", .review),
        ("\(spend) can be converted into EMIs", .review), ("We have not received it: \(spend)", .review),
        ("\(spend)\nConvert your purchase of Rs.1,234.50 into EMIs", .recorded),
        ("\(spend)\nIf you have not made it, call us", .recorded),
        ("If \(spend)", .review), ("Dear Customer, in case \(spend)", .review),
        ("\(spend) UPI Ref no. 612345678901 was declined.", .review),
        ("Beware of a text like 'We tell you: \(spend)' from a stranger.", .review),
        ("An example of an alert: \(spend)", .review),
        ("Dear Example User, \(spend)", .recorded), ("At 'TEA' and Asha's. \(spend) 'Thank you'", .recorded),
        ("If you need help, call us.\n\(spend)", .recorded),
        ("Dear Customer, thank you. If not you, block the card. \(spend)", .recorded),
        ("\(spend)\nNever share your OTP, PIN 4821 or CVV.", .recorded),
        ("\(spend)\nIf this was not done by you, or your card was declined, call us.", .recorded),
        ("\(spend)\nConvert this into EMIs starting at Rs.1,250 per month.", .recorded),
        ("\(spend)\nTransactions above Rs.5,000 need an OTP.", .recorded),
        ("\(spend)\nRs.99.00 was spent at B.", .review),
        ("\(spend)\nCashback will be credited within 90 days.", .recorded),
        ("Your available balance is below. \(spend)", .recorded),
        ("\(spend)\nIn case the transaction has failed, the amount comes back.", .recorded),
    ]) func sentencesThatSayOtherwise(text: String, expected: Outcome) throws {
        #expect(try DecisionTests().decide(mail(text)).outcome == expected)
    }

    @Test(arguments: ["Fwd: Alert", "FW: Alert", "Re: Alert"]) func forwardedBySubject(subject: String) throws {
        let message = Message(
            parsing: Array(
                "From: alerts@bank.example\r\nSubject: \(subject)\r\nDate: Mon, 05 Jan 2026 18:00:00 +0530\r\n\r\n\(Self.spend)"
                    .utf8))
        let decision = try DecisionTests().decide(message)
        #expect(decision.outcome == .review && decision.reasons.contains { $0.factor == .forwarded })
    }
}
