/// The mailboxes of the tests.
enum Catalogue {
    static let cafe: (String, String?) = ("Food & Dining", "Cafés & Bakeries")
    static let fuel: (String, String?) = ("Transport", "Fuel")
    static let none: (String, String?) = ("Uncategorized", nil)

    /// Returns one message of every kind, with two pairs about one event each.
    static func mixed() -> [Mail] {
        var mails = [
            Mail.hdfcUPI(
                "upi-new", 127_550, to: "GREEN LEAF CAFE", vpa: "greenleaf@okaxis", reference: "616012345678",
                at: India.daysAgo(9, 13, 5), in: cafe),
            .hdfcUPI(
                "upi-old", 31_800, to: "NEELAM DRAPERS", vpa: "q770031245@ybl", reference: "607011223344",
                at: India.daysAgo(12, 18, 40), in: none, old: true),
            .hdfcUPI(
                "upi-large", 12_345_678, to: "TARA LOOM WORKS", vpa: "taraloom@ybl", reference: "607011223399",
                at: India.daysAgo(20, 23, 59, 50), in: none),
            // Printed without am or pm: a quarter past four in the afternoon. Two messages have the same amount.
            .iciciCard("card-afternoon", 141_200, at: "KITE PETROL PUMP", India.daysAgo(3, 16, 6, 33), in: fuel),
            .iciciCard("coffee-1", 18_000, at: "MORNING COFFEE", India.daysAgo(5, 9, 15, 2), in: cafe),
            .iciciCard("coffee-2", 18_000, at: "MORNING COFFEE", India.daysAgo(5, 9, 31, 44), in: cafe),
            .sbiUPI(
                "sbi-upi", 25_000, to: "Meera Tea Stall", reference: "613200112233", at: India.daysAgo(2, 11, 20),
                in: cafe),
            .sbiDebit("sbi-debit", 141_250, at: India.daysAgo(7, 10, 0)),
            .hdfcCredit(
                "credit", 95_000, by: "TARUN KHANNA", vpa: "tarun.k-2@okicici", reference: "601788990011",
                at: India.daysAgo(4, 20, 1)),
            .otp("otp", India.daysAgo(3, 16, 5)), .declined("declined", India.daysAgo(6, 12, 36, 25)),
            .newsletter("newsletter", India.daysAgo(1, 8, 0)),
        ]
        var forged = Mail.hdfcUPI(
            "forged", 4_999_900, to: "Refund Desk", vpa: "refund@ybl", reference: "610000999001",
            at: India.daysAgo(2, 3, 12), in: none)
        forged.origin = .forged
        var results = Mail.hdfcUPI(
            "forged-results", 8_800_000, to: "Gold Desk", vpa: "gold@ybl", reference: "610000999002",
            at: India.daysAgo(2, 3, 13), in: none)
        results.origin = .forgedWithResults
        for var mail in [forged, results] {
            mail.outcome = "quarantined"
            mail.booked = nil
            mails.append(mail)
        }
        var disguised = Mail.hdfcUPI(
            "disguised", 777_700, to: "Help Desk", vpa: "help@ybl", reference: "610000999003",
            at: India.daysAgo(4, 4, 6), in: none)
        disguised.from = "\"alerts@hdfcbank.bank.in\" <winner@lottery.example.org>"
        disguised.outcome = "unclaimed"
        disguised.booked = nil
        mails.append(disguised)
        var unlisted = Mail.hdfcUPI(
            "new-sender", 44_400, to: "LAKE BAKERY", vpa: "lake@ybl", reference: "610000999004",
            at: India.daysAgo(4, 5, 0), in: cafe)
        unlisted.from = "insta@hdfcbank.bank.in"
        unlisted.outcome = "review"
        unlisted.booked?.status = "needs_review"
        mails.append(unlisted)
        // The same event in other words from the bank's older address, and an exact copy of the first message.
        var again = Mail.hdfcUPI(
            "upi-again", 127_550, to: "GREEN LEAF CAFE", vpa: "greenleaf@okaxis", reference: "616012345678",
            at: India.daysAgo(9, 13, 6), in: cafe, old: true)
        again.outcome = "duplicate"
        again.booked = nil
        var copy = mails[0]
        copy.outcome = "duplicate"
        copy.booked = nil
        return mails + [again, copy]
    }

    /// Returns several hundred messages. A quarter of them must not be booked; every fiftieth repeats an earlier event.
    static func many(_ count: Int) -> [Mail] {
        (0..<count).map { index in event(index % 50 == 49 ? index - 44 : index, id: "many-\(index)") }
    }

    /// Returns true if a message of `many` repeats an earlier event.
    static func isSecond(_ mail: Mail) -> Bool { mail.id.hasSuffix("49") || mail.id.hasSuffix("99") }

    private static func event(_ index: Int, id: String) -> Mail {
        let moment = India.daysAgo(2 + index % 60, 6 + index % 12, index * 7 % 60, index * 13 % 60)
        let minor = 10_000 + index * 100
        let reference = String(620_000_000_000 + index)
        switch index % 8 {
        case 0: return .iciciCard(id, minor, at: "SHOP \(index) COFFEE", moment, in: cafe)
        case 1: return .sbiUPI(id, minor, to: "Stall \(index)", reference: reference, at: moment, in: none)
        case 2: return .otp(id, moment)
        case 3: return .declined(id, moment)
        default:
            return .hdfcUPI(
                id, minor, to: "PAYEE \(index)", vpa: "payee\(index)@ybl", reference: reference, at: moment, in: none,
                old: index % 2 == 0)
        }
    }
}
