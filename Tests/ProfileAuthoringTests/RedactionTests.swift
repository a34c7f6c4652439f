import Chronology
import ChronologyFixture
import Foundation
import InternetMessage
import Ledger
import ProfileFixture
import Randomness
import Testing
import YAMLSource

@testable import ProfileAuthoring
@testable import Profiles

@Suite struct RedactionOfShippedSamples {
    @Test func redactedMailsAreReadTheSameAndRevealNothing() throws {
        let set = try ShippedProfiles.all.get()
        let words = set.bankWords()
        // Names of fees and deposits take the place of a counterparty and belong to no person.
        let common = words.union([
            "late", "payment", "charge", "charges", "annual", "membership", "fee", "fees", "cash", "deposit",
            "interest", "cheque", "int", "pd", "ppf", "ssy",
        ])
        var failures: [String] = []
        var total = 0
        for item in try ShippedProfiles.items() {
            total += 1
            if ProcessInfo.processInfo.environment["ALL_SAMPLES"] == nil, total % 3 != 0 { continue }
            do {
                let redaction = try set.redact(item.sample.message(), knownWords: words)
                let before = Message(parsing: item.sample.message())
                for number in Self.numbers(in: before.text.bytes + [0x0A] + Array(before.subject.utf8))
                where Self.numbers(in: redaction.text + [0x0A] + Array(redaction.subject.utf8)).contains(number) {
                    failures.append("\(item.template.name) '\(item.sample.name)': gives \(number) away")
                }
                guard case .fields(let expected) = item.sample.expectation else { continue }
                let text = String(decoding: redaction.text, as: UTF8.self).lowercased()
                for field in [Field.merchant, .account, .reference, .vpa] {
                    guard let value = expected[field]?.lowercased(), value.count >= 4, text.contains(value) else {
                        continue
                    }
                    // "ATM withdrawal" neither.
                    if value.split(whereSeparator: { !$0.isLetter }).allSatisfy({ common.contains(String($0)) }),
                        !value.contains(where: \.isNumber)
                    {
                        continue
                    }
                    failures.append(
                        "\(item.template.name) '\(item.sample.name)': gives \(field.rawValue) '\(value)' away")
                }
            } catch { failures.append("\(item.template.name) '\(item.sample.name)': \(error)") }
        }
        if ProcessInfo.processInfo.environment["ALL_SAMPLES"] != nil {
            print("\(failures.count) of \(total)\n" + failures.joined(separator: "\n"))
        }
        #expect(
            failures.count * 200 <= total,
            "\(failures.count) of \(total): \(failures.prefix(5).joined(separator: "\n"))")
    }
}

extension RedactionOfShippedSamples {
    /// Every run of at least four digits that is not a year.
    static func numbers(in text: [UInt8]) -> Set<String> {
        let runs = text.split { !(0x30...0x39).contains($0) }.filter { $0.count >= 4 }.map {
            String(decoding: $0, as: UTF8.self)
        }
        return Set(runs.filter { !($0.count == 4 && ($0.hasPrefix("20") || $0.hasPrefix("19"))) })
    }
}

@Suite struct RedactionTests {
    private static let body =
        "Dear Asha Rao,\r\nRs.1,234.50 spent at BLUE LOTUS CAFE on 05-01-26 at 17:58:01 card 4321\r\nAsha, your customer id is CU8842917AB. Write to asha.rao@mail.example or care@bank.example, see https://bank.example/x?t=Zq81kd.\r\n"

    static func mail(_ body: String = body, type: String = "text/plain", headers: String = "") -> [UInt8] {
        Array(
            """
            Received: from relay.secret.example (10.11.12.13) by mx.mail.example\r
            Delivered-To: asha.rao77@mail.example\r
            X-Customer: 99887766\r
            From: Test Bank <alerts@bank.example>\r
            To: "Asha Rao" <asha.rao77@mail.example>\r
            Subject: Asha, Rs.1,234.50 spent on card 4321\r
            Date: Mon, 05 Jan 2026 18:00:00 +0530\r
            Message-ID: <abc.99887766@bank.example>\r
            \(headers)Content-Type: \(type); charset=utf-8\r
            \r
            \(body)
            """.utf8)
    }

    @Test(arguments: [
        "Asha", "Rao", "rao77", "BLUE", "LOTUS", "4321", "1,234.50", "8842917", "Zq81kd", "99887766", "secret.example",
        "10.11.12.13", "17:58:01",
    ]) func nothingPersonalIsLeft(secret: String) throws {
        let result = String(decoding: try ProfileFolder.set().redact(Self.mail()).message, as: UTF8.self)
        #expect(!result.contains(secret), "\(result)")
    }

    @Test(arguments: [
        "From: \"Test Bank\" <alerts@bank.example>", "To: <you@example.com>", "care@bank.example",
        "https://bank.example/", "spent on card", "Dear ", "MIME-Version: 1.0", "Content-Type: text/plain",
    ]) func bankTextStays(text: String) throws {
        let result = String(decoding: try ProfileFolder.set().redact(Self.mail()).message, as: UTF8.self)
        #expect(result.contains(text), "\(result)")
    }

    @Test func isReadTheSame() throws {
        let set = try ProfileFolder.set()
        let before = set.claim(Message(parsing: Self.mail())).decide(trusting: .unverified, receivedAt: nil)
        let redaction = try set.redact(Self.mail())
        let after = set.claim(Message(parsing: redaction.message)).decide(trusting: .unverified, receivedAt: nil)
        #expect(
            after.template == "bank/spend" && after.outcome == before.outcome
                && after.draft?.spans == before.draft?.spans && after.confidence == before.confidence)
        #expect(
            after.draft?.amount.decimal.count == 7 && after.draft?.merchant?.count == 15
                && after.draft?.date != before.draft?.date)
        // Dates move with the mail's own date: the distance is kept.
        #expect(after.draft?.occurredAt ?? 0 <= Message(parsing: redaction.message).date?.instant ?? 0)
    }

    @Test func isDeterministicForEachValue() throws {
        let set = try ProfileFolder.set()
        let redaction = try set.redact(Self.mail())
        #expect(try set.redact(Self.mail()).message == redaction.message)
        let account = try #require(redaction.decision.draft?.account)
        #expect(
            redaction.subject.contains("card \(account)")
                && redaction.subject.contains(String(redaction.decision.draft?.amount.decimal.suffix(6) ?? "?")))
        // Another mail of the same person gets other pseudonyms.
        #expect(
            try set.redact(Self.mail(Self.body + "\r\nBye")).decision.draft?.account != account
                || set.redact(Self.mail(Self.body + "\r\nBye")).decision.draft?.merchant
                    != redaction.decision.draft?.merchant
        )
    }

    /// Sources in which the letters of the text are hard to find again. All of them must come out with the same text
    /// layout and nothing given away.
    @Test(arguments: [
        "<p>Rs.1,234.50 spent at <b>BLUE&nbsp;LO</b>TUS CAFE on 05-01-26 card 4321</p>",
        "<p>Rs.1,2<!-- 4321 -->34.50 spent at BLUE LOTUS CAFE on 05-01-26 card &#52;&#x33;21</p>",
        "<style>.x{background:url(https://t.example/4321)}</style><p title='4321'>Rs.1,234.50 spent at BLUE LOTUS CAFE on 05-01-26 card 4321<img src=\"https://t.example/p?c=4321\" alt='4321'></p>",
        "<script>var c = '4321 </p> LOTUS';</script><p>Rs.1,234.50 spent at BLUE LOTUS CAFE on 05-01-26 card 4321</p>",
        "<div style='display:none'>card 4321 BLUE LOTUS</div><p>Rs.1,234.50 spent at BLUE LOTUS CAFE on 05-01-26 card 4321",
        "<p>Rs.1,234.50 spent at BLUE LOTUS & CAFE &amp; CO on 05-01-26 card 4321 < 5 > 4 &unknown; <3</p>",
        "<table><tr><td>Rs.1,234.50 spent at BLUE LOTUS CAFÉ नमस्ते<td>on 05-01-26 card 4321</table><title>4321 LOTUS</title>",
        "<p>Rs.1,234.50 spent at BLUE LOTUS CAFE on 05-01-26 card 4321</p" + String(repeating: "<b>", count: 400),
        "<a href=\"x?4321\nLOTUS\">Rs.1,234.50 spent at BLUE LOTUS CAFE on 05-01-26 card 4321</a",
    ]) func htmlInAllItsForms(html: String) throws {
        let bytes = Self.mail(html, type: "text/html")
        let set = try ProfileFolder.set()
        let redaction = try set.redact(bytes)
        let (old, new) = (Message(parsing: bytes).text.bytes, Message(parsing: redaction.message).text.bytes)
        #expect(
            new == redaction.text && new.count == old.count
                && zip(old, new).allSatisfy { ($0 == 0x0A) == ($1 == 0x0A) && ($0 == 0x20) == ($1 == 0x20) })
        #expect(
            redaction.decision.template
                == set.claim(Message(parsing: bytes)).decide(trusting: .unverified, receivedAt: nil).template)
        let result = String(decoding: redaction.message, as: UTF8.self)
        for secret in ["4321", "LOTUS", "1,234.50", "234.50"] {
            #expect(!result.contains(secret), "\(secret) in \(result)")
        }
    }

    /// Whatever bytes a mail is made of, the answer is a mail that reads the same, or an error.
    @Test func anyBytesGiveAMailOrAnError() throws {
        let set = try ProfileFolder.set()
        var stream = SplitMix64(state: 42)
        let original = Self.mail("<p>" + Self.body + "</p>", type: "text/html")
        for _ in 0..<300 {
            var bytes = original
            for _ in 0..<Int(stream.next() % 12) {
                bytes[Int(stream.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: stream.next())
            }
            if stream.next() % 3 == 0 { bytes.removeLast(Int(stream.next() % UInt64(bytes.count))) }
            guard let redaction = try? set.redact(bytes) else { continue }
            let before = set.claim(Message(parsing: bytes)).decide(trusting: .unverified, receivedAt: nil)
            let after = set.claim(Message(parsing: redaction.message)).decide(trusting: .unverified, receivedAt: nil)
            #expect(
                before.outcome == after.outcome && before.template == after.template
                    && before.draft?.spans == after.draft?.spans)
        }
    }

    @Test func aMailOfNoBankLosesNamesToo() throws {
        let text =
            "Dear Mr. Asha Devi Rao,\nPayee name: Ramesh Kumar\nINR 500.00 sent to RAMESH KUMAR (ramesh.k@okaxis) on 05-01-26. UTR AXISN12345678901.\nCall 1800 200 300."
        let bytes = Array(
            "From: alerts@nobody.example\r\nSubject: Transfer to RAMESH KUMAR\r\nDate: Mon, 05 Jan 2026 18:00:00 +0530\r\n\r\n\(text)"
                .utf8)
        let result = String(decoding: try ShippedProfiles.all.get().redact(bytes).message, as: UTF8.self)
        for secret in ["Asha", "Devi", "Rao", "Ramesh", "RAMESH", "Kumar", "KUMAR", "ramesh", "12345678901", "1800"] {
            #expect(!result.contains(secret), "\(secret) in \(result)")
        }
        for word in ["Payee name: ", "INR ", " sent to ", "@okaxis", "UTR ", "alerts@nobody.example"] {
            #expect(result.contains(word), "\(word) not in \(result)")
        }
    }

    @Test func aMailWithoutTextIsRefused() throws {
        #expect(throws: RedactionError.self) {
            try ProfileFolder.set().redact(Array("From: alerts@bank.example\r\n\r\n".utf8))
        }
    }

    @Test(arguments: [
        ("05-01-26", 3, "08-01-26"), ("9 Jan 2026", -3, "6 Jan 2026"), ("1st Jan 2026", 2, "3rd Jan 2026"),
        ("Jan 05, 2026", 6, "Jan 11, 2026"), ("2026-01-05", -4, "2026-01-01"), ("12MAY26", 1, "13MAY26"),
        ("11 Jan", -1, "10 Jan"),
    ])
    func datesMoveInTheirOwnForm(printed: String, days: Int, expected: String) {
        let moved = ShiftedDate.move(Array(printed.utf8), by: days, arrival: CalendarDate(iso: "2026-01-20"))
        #expect(moved.map { String(decoding: $0, as: UTF8.self) } == expected)
    }

    /// The day of a date that begins with its month.
    @Test(arguments: [
        ("11/12/2026", 3, "11/15/2026"), ("01/05/2026", -2, "01/03/2026"), ("11/25/2026", 1, "11/26/2026"),
    ])
    func datesThatBeginWithTheMonthKeepIt(printed: String, days: Int, expected: String) {
        let moved = ShiftedDate.move(
            Array(printed.utf8), by: days, orders: [.monthFirst], arrival: CalendarDate(iso: "2026-01-20"))
        #expect(moved.map { String(decoding: $0, as: UTF8.self) } == expected)
    }

    @Test(arguments: [("05-01-26", -5), ("9 Jan 2026", 1), ("30/01/2026", 2), ("31-02-2026", 1), ("no date", 1)])
    func datesThatCannotMoveAreReported(printed: String, days: Int) {
        #expect(ShiftedDate.move(Array(printed.utf8), by: days, arrival: CalendarDate(iso: "2026-01-20")) == nil)
    }
}
