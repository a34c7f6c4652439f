import Chronology
import ChronologyFixture
import Foundation
import InternetMessage
import Ledger
import ProfileFixture
import Testing

@testable import ProfileAuthoring
@testable import Profiles

/// Mails of an invented bank in three layouts.
enum AlertLayout: String, CaseIterable {
    case table, list, prose

    /// The parts of a mail that a test changes.
    struct Parts {
        var subject = "Card transaction alert"
        /// A line above the text.
        var heading = ""
        var type = "Purchase"
        var status = "Approved"
        var lead = "A"
        var tail = ""
        var merchant = "QUIET HARBOUR INN"
        var amount = "120.00"
        var time = "11:45 AM"
        var reference = "884412907799"

        func with(_ change: (inout Parts) -> Void) -> Parts {
            var parts = self
            change(&parts)
            return parts
        }
    }

    func mail(_ parts: Parts) -> [UInt8] {
        let head = """
            From: Meridian Bank <alerts@meridian.example>
            To: you@example.com
            Subject: \(parts.subject)
            Date: Thu, 12 Nov 2026 22:31:00 +0000
            MIME-Version: 1.0
            Content-Type: text/\(self == .table ? "html" : "plain"); charset=utf-8


            """
        let heading = self == .table ? "<h2>\(parts.heading)</h2>" : parts.heading + "\n\n"
        return Array((head + (parts.heading.isEmpty ? "" : heading) + body(parts)).utf8)
    }

    private func body(_ parts: Parts) -> String {
        switch self {
        case .table:
            let rows = [
                ("Transaction type", parts.type), ("Card number", "XXXX XXXX XXXX 7788"), ("Merchant", parts.merchant),
                ("Transaction amount", "USD \(parts.amount)"), ("Date and time", "11/12/2026 \(parts.time)"),
                ("Reference number", parts.reference), ("Status", parts.status),
            ]
            let cells = rows.map { "<tr><td>\($0.0)</td><td>\($0.1)</td></tr>" }.joined()
            return
                "<p>Dear Customer,</p><p>Details of your card transaction:</p><table>\(cells)</table><p>If you did not make this transaction, call us.</p>"
        case .list:
            return """
                Dear Customer,

                Here are the details of a payment with your card.

                Type: \(parts.type)
                Card: XXXX 7788
                Payee: \(parts.merchant)
                Sum: USD \(parts.amount)
                On: 11/12/2026 at \(parts.time)
                Ref: \(parts.reference)
                Result: \(parts.status == "Approved" ? "SUCCESS" : parts.status)

                Thank you for banking with us.
                """
        case .prose:
            return """
                Dear Customer,

                \(parts.lead) purchase of USD \(parts.amount) was made with your card ending 7788 at \(parts.merchant) on 11/12/2026 at \(parts.time). Your reference is \(parts.reference).\(parts.tail)

                If you did not make this transaction, call us.
                """
        }
    }

    /// Three mails with their values.
    var examples: [ExampleMail] {
        [
            ("BLUE LOTUS CAFE", "54.20", "10:30 AM", "884412907713", "10:30"),
            ("NORTHWIND BOOKS", "1310.00", "07:12 PM", "884412907714", "19:12"),
            ("Corner Deli", "9.99", "08:05 AM", "884412907715", "08:05"),
        ].map { merchant, amount, printed, reference, time in
            let parts = Parts(merchant: merchant, amount: amount, time: printed, reference: reference)
            return ExampleMail(
                name: merchant, bytes: mail(parts),
                values: [
                    .amount: "USD \(amount)", .merchant: merchant, .account: "7788", .date: "2026-11-12", .time: time,
                    .reference: reference,
                ])
        }
    }

    /// A profile folder of the shipped common pieces and the template derived from the examples.
    func derived() throws -> (folder: ProfileFolder, yaml: String) {
        let common = try String(contentsOf: ShippedProfiles.folder.appending(path: "_common.yaml"), encoding: .utf8)
        let empty = try ProfileFolder(["_common.yaml": common])
        defer { try? FileManager.default.removeItem(atPath: empty.path) }
        var derivation = try Derivation(
            folders: [empty.path], target: Derivation.Target(bank: "meridian", name: "card"), mails: examples,
            options: DraftOptions())
        let result = try derivation.run(keepValues: true)
        let folder = try ProfileFolder([
            "_common.yaml": common, "meridian/_bank.yaml": try #require(result.bankYAML),
            "meridian/card.yaml": result.yaml,
        ])
        return (folder, result.yaml)
    }
}

/// Mails that differ in one place from those that a template was derived from, and say that nothing was paid.
@Suite struct DerivedTemplateDoubtTests {
    static let statuses = [
        "Declined", "DECLINED", "FAILED", "FAILED - insufficient funds", "FAILURE", "Reversed", "REVERSED by merchant",
        "Cancelled", "Canceled", "Pending", "Pending authorisation", "Unsuccessful", "Not approved", "Not successful",
        "On hold", "Rejected", "Blocked", "Voided", "Timed out", "Denied", "Expired", "Refused", "Under review",
        "In process", "Awaiting approval", "Incomplete", "Not completed", "Disputed", "Returned", "Refunded",
    ]
    static let types = [
        "Refund", "REFUND", "Credit voucher", "Pre-authorisation hold", "Preauthorization", "Chargeback", "Reversal",
        "Void", "Authorisation hold", "Declined purchase", "Purchase reversal", "Purchase attempt",
        "Cancelled purchase", "Failed purchase",
    ]
    static let leads = [
        "The reversal of a", "An attempt of a", "A refund of a", "The cancellation of a", "A declined", "A failed",
        "A cancelled", "A reversed", "An attempted", "A pending", "An unsuccessful", "A chargeback of a", "If a",
    ]
    static let tails = [
        "This transaction has since been reversed.", "The transaction is pending.", "This transaction was cancelled.",
        "The payment is on hold.", "The purchase has been refunded.", "The transaction was declined.",
        "The transaction has failed.", "This purchase is not yet complete.", "This transaction was not completed.",
        "The transaction has been put on hold.", "The amount has been reversed.",
        "This transaction is awaiting approval.", "The transaction was unsuccessful.", "The purchase is under review.",
    ]
    static let subjects = [
        "Transaction declined", "Declined: card transaction alert", "Your payment failed", "Transaction reversed",
        "Refund processed", "Pending transaction", "Attempted card transaction", "Transaction cancelled",
        "Card transaction not approved", "Your card transaction was unsuccessful",
    ]
    static let headings = [
        "Transaction declined", "DECLINED", "Payment failed", "Card transaction not approved",
        "Your declined card transaction",
        "Details of your declined transaction:", "Attempted transaction", "Payment pending", "Transaction reversed",
        "Refund processed", "Your refund", "Reversal", "Transaction cancelled", "Chargeback notification",
        "Purchase refunded",
    ]

    static func negatives(_ layout: AlertLayout) -> [AlertLayout.Parts] {
        let good = AlertLayout.Parts()
        var found = subjects.map { subject in good.with { $0.subject = subject } }
        found += headings.map { heading in good.with { $0.heading = heading } }
        if layout == .prose {
            found += leads.map { lead in good.with { $0.lead = lead } }
            found += tails.flatMap { tail in
                [good.with { $0.tail = " " + tail }, good.with { $0.tail = "\n\n" + tail }]
            }
        } else {
            found += statuses.map { status in good.with { $0.status = status } }
            found += types.map { type in good.with { $0.type = type } }
        }
        return found
    }

    @Test(arguments: AlertLayout.allCases) func nothingIsBookedThatDidNotHappen(layout: AlertLayout) throws {
        let (folder, yaml) = try layout.derived()
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        let profiles = try folder.load()
        func outcome(_ parts: AlertLayout.Parts) -> Outcome {
            profiles.claim(Message(parsing: layout.mail(parts))).decide(trusting: .unverified, receivedAt: nil).outcome
        }
        for name in ["QUIET HARBOUR INN", "REFUND CAFE", "PENDING ORDER FOODS", "Declined Coffee Co"] {
            #expect(outcome(AlertLayout.Parts(merchant: name)) == .recorded, "\(name)\n\(yaml)")
        }
        for heading in [
            "Transaction alert", "Card transaction successful", "Refund policy",
        ] {
            let parts = AlertLayout.Parts().with { $0.heading = heading }
            #expect(outcome(parts) == .recorded, "\(heading)\n\(yaml)")
        }
        let mails = Self.negatives(layout)
        let booked = mails.filter { outcome($0) == .recorded }
        #expect(booked.isEmpty, "\(booked.count) of \(mails.count) booked: \(booked)\n\(yaml)")
    }

    /// A constant row is part of the pattern, and so is the beginning of a sentence: another mail is not claimed.
    @Test(arguments: AlertLayout.allCases) func constantSurroundingsArePartOfThePattern(layout: AlertLayout) throws {
        let (folder, yaml) = try layout.derived()
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        let profiles = try folder.load()
        let changed = AlertLayout.Parts().with {
            $0.status = "Noted"
            $0.lead = "The plan of a"
        }
        let claim = profiles.claim(Message(parsing: layout.mail(changed)))
        #expect(claim.claimants().isEmpty, "\(yaml)")
        for mail in layout.examples {
            let pattern = yaml.prefix(upTo: try #require(yaml.range(of: "samples:")).lowerBound).lowercased()
            for word in try #require(mail.values[.merchant]).lowercased().split(separator: " ") {
                #expect(!pattern.contains(word), "\(yaml)")
            }
        }
    }
}
