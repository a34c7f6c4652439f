import Chronology
import ChronologyFixture
import Ledger
import Testing

@testable import Store

@Suite struct DriftTests {
    /// A ledger whose clock is half a year after the epoch of the fixtures, and mails of earlier days.
    struct History {
        let f = try? Fixture()
        var uid: UInt32 = 0
        var entries: [MailEntry] = []

        init() { f?.clock.advance(300 * 86400) }

        /// One mail a day, `from` days ago to `through` days ago.
        mutating func add(
            _ template: String, _ from: Int, _ through: Int, every step: Int = 1, missing: Field? = nil,
            shape: UInt64? = nil, bank: String = "hdfc"
        ) {
            for ago in stride(from: from, through: through, by: -step) {
                add(template, ago: ago, missing: missing, shape: shape, bank: bank)
            }
        }

        mutating func add(
            _ template: String, ago: Int, missing: Field? = nil, shape: UInt64? = nil, bank: String = "hdfc"
        ) {
            uid += 1
            var payment = draft(Int64(uid) * 100, reference: "R\(uid)")
            payment.spans = [.amount: 0..<1, .merchant: 2..<3, .account: 4..<5]
            if let missing { payment.spans[missing] = nil }
            var verdict = decision(.recorded, payment, bank: bank)
            verdict.source?.template = template
            verdict.shape = shape.map { MailShape(digest: $0, words: "* was charged") }
            if shape != nil { verdict.disposition = .review(payment) }
            var entry = mail(uid, verdict)
            entry.receivedAt = (f?.clock.now() ?? 0) - Int64(ago) * 86400
            entries.append(entry)
        }

        func alarms() throws -> [String] {
            let f = try #require(f)
            _ = try f.store.recording.record(entries)
            return try f.store.monitoring.drift().alarms.map {
                ([$0.kind.rawValue, $0.bank] + ($0.subject.isEmpty ? [] : [$0.subject])).joined(separator: " ")
            }
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var expected: [String]
        var history: @Sendable (inout History) -> Void

        init(_ name: String, _ expected: [String], _ history: @escaping @Sendable (inout History) -> Void) {
            testDescription = name
            self.expected = expected
            self.history = history
        }
    }

    static let cases = [
        Case("all as usual", []) { $0.add("hdfc/upi", 200, 0) },
        Case("a template of every day is silent for eight", ["template_silent hdfc hdfc/card"]) {
            $0.add("hdfc/upi", 200, 0)
            $0.add("hdfc/card", 200, 8)
        },
        Case("a week without mail is not reported", []) {
            $0.add("hdfc/upi", 200, 0)
            $0.add("hdfc/card", 200, 7)
        },
        Case("a monthly template is not silent after two months", []) {
            $0.add("hdfc/upi", 280, 0)
            $0.add("hdfc/statement", 280, 60, every: 30)
        },
        Case("a weekly one is after a month", ["template_silent hdfc hdfc/sip"]) {
            $0.add("hdfc/upi", 200, 0)
            $0.add("hdfc/sip", 200, 30, every: 7)
        },
        Case("seen seven times only: nothing is known of its gaps", []) {
            $0.add("hdfc/upi", 200, 0)
            $0.add("hdfc/card", 106, 100)
        },
        Case("silent for more than half a year: given up", []) {
            $0.add("hdfc/upi", 280, 0)
            $0.add("hdfc/card", 280, 188)
        },
        Case("silent for half a year", ["template_silent hdfc hdfc/card"]) {
            $0.add("hdfc/upi", 280, 0)
            $0.add("hdfc/card", 280, 187)
        },
        Case("a silent bank is reported once", ["bank_silent hdfc"]) {
            $0.add("hdfc/upi", 200, 40)
            $0.add("hdfc/card", 200, 40)
            $0.add("sbi/upi", 200, 0, bank: "sbi")
        },
        Case("the merchant is not found any more", ["field_missing hdfc hdfc/upi merchant"]) {
            $0.add("hdfc/upi", 200, 11)
            $0.add("hdfc/upi", 10, 0, missing: .merchant)
        },
        Case("one mail without a merchant is chance", []) {
            $0.add("hdfc/upi", 200, 1)
            $0.add("hdfc/upi", 0, 0, missing: .merchant)
        },
        Case("a field that was never there is not missed", []) { $0.add("hdfc/upi", 200, 0, missing: .merchant) },
        Case("mails that nothing claims come up", ["match_rate hdfc", "new_shape hdfc 00000000000000ab"]) {
            $0.add("hdfc/upi", 200, 0)
            $0.add("generic", 20, 0, shape: 0xAB)
        },
        Case("one unclaimed form is reported, and does not change the match rate", ["new_shape hdfc 00000000000000ab"])
        {
            $0.add("hdfc/upi", 200, 0)
            $0.add("generic", ago: 3, shape: 0xAB)
        },
        Case("a shape that was never claimed is not new", []) {
            $0.add("hdfc/upi", 200, 0)
            $0.add("generic", 200, 0, every: 20, shape: 0xAB)
        },
        Case("in a bank's first weeks every form is new", []) {
            $0.add("hdfc/upi", 20, 0)
            $0.add("generic", 10, 0, shape: 0xAB)
        },
        Case("a bank without templates has none to outgrow", []) {
            $0.add("generic", 200, 0, shape: 0xAB, bank: "bank.example")
            $0.add("generic", 10, 0, shape: 0xCD, bank: "bank.example")
        },
    ]

    @Test(arguments: cases) func reportsSigns(_ each: Case) throws {
        var history = History()
        each.history(&history)
        #expect(try history.alarms() == each.expected)
    }

    @Test func unreadableMailboxIsNotABankSilence() throws {
        var history = History()
        history.add("hdfc/upi", 200, 40)
        let f = try #require(history.f)
        try f.store.mailboxes.setHealth(
            .init(mailbox: "personal", state: .waiting, since: f.clock.now()) {
                $0.lastProbe = f.clock.now() - 39 * 86400
            })
        #expect(try history.alarms() == [])
        try f.store.mailboxes.setHealth(
            .init(mailbox: "personal", state: .watching, since: f.clock.now()) { $0.lastProbe = f.clock.now() })
        #expect(try f.store.monitoring.drift().alarms.map(\.kind) == [.bankSilent])
    }

    @Test func mailNotReadYetIsNotMissing() throws {
        var history = History()
        history.add("hdfc/upi", 200, 40)
        let f = try #require(history.f)
        let newest = try #require(history.entries.last)
        _ = try f.store.recording.record(
            history.entries,
            advancing: (f.inbox, FolderCursor(uidValidity: 1, nextUID: newest.uid + 1, searchedDomains: [])))
        try f.store.mailboxes.setHealth(
            .init(mailbox: "personal", state: .reading, since: f.clock.now()) { $0.lastProbe = f.clock.now() })
        #expect(try f.store.monitoring.drift().alarms.isEmpty)
        try f.store.mailboxes.setHealth(
            .init(mailbox: "personal", state: .watching, since: f.clock.now()) { $0.lastProbe = f.clock.now() })
        #expect(try f.store.monitoring.drift().alarms.map(\.kind) == [.bankSilent])
    }

    @Test func signIsNewOnceAcrossRestarts() throws {
        var history = History()
        history.add("hdfc/upi", 200, 0)
        history.add("hdfc/card", 200, 10)
        let f = try #require(history.f)
        _ = try history.alarms()
        let first = try f.store.monitoring.recordAlarms(f.store.monitoring.drift(), details: \.bank)
        #expect(first.new.map(\.subject) == ["hdfc/card"] && first.gone.isEmpty)
        let reopened = try Store(path: f.folder.database)
        #expect(try reopened.monitoring.recordAlarms(f.store.monitoring.drift(), details: \.bank).new.isEmpty)
        history.add("hdfc/card", ago: 0)
        _ = try f.store.recording.record(history.entries)
        let third = try f.store.monitoring.recordAlarms(f.store.monitoring.drift(), details: \.bank)
        #expect(third.new.isEmpty && third.gone.map(\.subject) == ["hdfc/card"])
        #expect(try f.store.monitoring.recordAlarms(f.store.monitoring.drift(), details: \.bank).gone.isEmpty)
    }

    @Test func countsDaysAndGaps() throws {
        var history = History()
        history.add("hdfc/sip", 210, 0, every: 7)
        let f = try #require(history.f)
        _ = try history.alarms()
        let template = try #require(try f.store.monitoring.drift().templates.first)
        #expect(template.mails == 31 && template.silence.usualGap == 7 && template.silence.days == 0)
        #expect(template.fields.map(\.field) == [.merchant, .account])
        // The newest thirty days hold five, the half year before twenty-five.
        #expect(
            template.fields.first?.recent == Proportion(5, of: 5)
                && template.fields.first?.before == Proportion(25, of: 25))
    }
}

@Suite struct ShareTests {
    @Test(arguments: [
        (0, 0, 0.0, 1.0), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634),
        (81, 263, 0.2553, 0.3662),
    ])
    func wilson(part: Int, whole: Int, lower: Double, upper: Double) {
        let interval = Proportion(part, of: whole).interval
        #expect(abs(interval.lowerBound - lower) < 0.0001 && abs(interval.upperBound - upper) < 0.0001)
    }
}
