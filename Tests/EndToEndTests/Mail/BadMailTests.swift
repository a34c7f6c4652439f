import DovecotFixture
import Testing

extension EndToEnd {
    /// Hostile messages. Each may fail itself, but must not affect the messages after it.
    @Suite struct BadMail {
        struct Case: Sendable {
            let testDescription: String
            let outcome: String
            /// Expected in `error_message`.
            let reason: String
            let mail: @Sendable (Mail) -> [UInt8]
        }

        /// Reproducible random bytes (SplitMix64).
        private static func noise(_ count: Int) -> [UInt8] {
            var state: UInt64 = 0x5EED
            return (0..<count).map { _ in
                state &+= 0x9E37_79B9_7F4A_7C15
                var z = state
                z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
                return UInt8(truncatingIfNeeded: (z ^ (z >> 27)) >> 24)
            }
        }

        private static func with(_ mail: Mail, type: String, body: [UInt8]) -> [UInt8] {
            var mail = mail
            mail.encoding = .plain
            mail.moreHeaders = "Content-Type: \(type)\r\n"
            mail.bodyBytes = body
            return mail.bytes
        }

        private static func part(_ mail: Mail) -> String {
            "--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\(mail.text)\r\n"
        }

        static let cases: [Case] = [
            // The text parts are fetched alone; only the attachment is above the limit.
            Case(testDescription: "60 MB", outcome: "recorded", reason: "") { mail in
                let line = Array((String(repeating: "QUJD", count: 19) + "\r\n").utf8)
                var body = Array(
                    (part(mail) + "--b\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n")
                        .utf8)
                body.reserveCapacity(61 << 20)
                while body.count < 60 << 20 { body += line }
                return with(mail, type: "multipart/mixed; boundary=b", body: body + Array("--b--\r\n".utf8))
            },
            Case(
                testDescription: "random bytes after a bank's header", outcome: "review",
                reason: "text could not be read"
            ) {
                with($0, type: "text/plain; charset=utf-8", body: noise(60_000).filter { $0 != 0x0A })
            },
            Case(testDescription: "random bytes as HTML", outcome: "review", reason: "could not be read") {
                with($0, type: "text/html", body: noise(100_000))
            },
            Case(testDescription: "random bytes in the header section", outcome: "recorded", reason: "") { mail in
                let noisy = noise(300).filter { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
                var bytes = mail.bytes
                bytes.insert(contentsOf: Array("X-Noise: ".utf8) + noisy + [0x0D, 0x0A], at: 0)
                return bytes
            },
            Case(testDescription: "an unknown charset", outcome: "recorded", reason: "") {
                with($0, type: "text/plain; charset=x-klingon-7", body: Array($0.text.utf8))
            },
            Case(testDescription: "a charset that it is not", outcome: "recorded", reason: "") {
                with(
                    $0, type: "text/plain; charset=utf-8",
                    body: Array($0.text.utf8) + [0x0A, 0xFF, 0xFE, 0xC3, 0x28, 0x0A])
            },
            Case(testDescription: "10,000 parts", outcome: "failed", reason: "limit part-count") { mail in
                with(
                    mail, type: "multipart/mixed; boundary=b",
                    body: Array((String(repeating: part(mail), count: 10_000) + "--b--\r\n").utf8))
            },
            Case(testDescription: "500 levels", outcome: "failed", reason: "limit mime-depth") { mail in
                let levels = (0..<500).map { "--b\($0)\r\nContent-Type: multipart/mixed; boundary=b\($0 + 1)\r\n\r\n" }
                    .joined()
                return with(
                    mail, type: "multipart/mixed; boundary=b0",
                    body: Array((levels + "--b500\r\n\r\n" + mail.text + "\r\n").utf8))
            },
            Case(testDescription: "a megabyte of header", outcome: "failed", reason: "limit header-bytes") { mail in
                Array(mail.header.utf8)
                    + Array(
                        String(repeating: "X-Pad: " + String(repeating: "y", count: 70) + "\r\n", count: 14_000).utf8)
                    + Array("\r\n\(mail.text)\r\n".utf8)
            },
            Case(testDescription: "a text of two megabytes", outcome: "failed", reason: "limit rendered-text-bytes") {
                with(
                    $0, type: "text/plain; charset=utf-8",
                    body: Array(($0.text + "\r\n" + String(repeating: "Rs.1,1 debited 1. ", count: 120_000)).utf8))
            },
            Case(testDescription: "100,000 open tables", outcome: "failed", reason: "limit element-depth") {
                with(
                    $0, type: "text/html",
                    body: Array((String(repeating: "<table><tr><td>", count: 100_000) + $0.text).utf8))
            },
        ]

        /// All in one folder, each between two valid messages.
        @Test(.timeLimit(.minutes(4))) func badMailDoesNotAffectOthers() throws {
            let station = try Station()
            var expected: [String: Booked] = [:]
            func deliverValidMail(_ index: Int) throws {
                let mail = Watching.coffee("good-\(index)", minutes: index)
                try station.deliver([mail])
                expected[mail.id] = mail.booked
            }
            try deliverValidMail(0)
            for (index, bad) in Self.cases.enumerated() {
                let victim = Mail.iciciCard(
                    "bad-\(index)", 55_500, at: "BAD COFFEE \(index)", India.daysAgo(2, 15, index, 1),
                    in: Catalogue.cafe)
                try station.server.deliver(bad.mail(victim), to: "user", secondsSinceEpoch: victim.arrived)
                if bad.outcome == "recorded" { expected[victim.id] = victim.booked }
                try deliverValidMail(index + 1)
            }
            let output = try station.pass()
            #expect(!output.contains("BAD COFFEE"))
            let rows = try station.ledger.rows(
                "SELECT message_id, status, coalesce(error_message, '') FROM processed_emails ORDER BY uid")
            #expect(rows.count == 2 * Self.cases.count + 1)
            for (bad, row) in zip(Self.cases, stride(from: 1, to: rows.count, by: 2).map { rows[$0] }) {
                #expect(row[1] == bad.outcome && row[2].contains(bad.reason), "\(bad.testDescription): \(row)")
            }
            #expect(try station.ledger.booked() == expected)
            let dump = try station.ledger.dump()
            try station.pass()
            #expect(try station.ledger.dump() == dump)
        }

        @Test(.timeLimit(.minutes(3))) func folderOfRandomBytesIsReadToItsEnd() throws {
            let station = try Station()
            let noise = Self.noise(64_000)
            for index in 0..<40 {
                // Random bytes, a From field before them, and a From field after them.
                let piece = Array(noise[(index * 1500)..<(index * 1500 + 1500)])
                let from = Array("From: alerts@hdfcbank.bank.in\r\n".utf8)
                try station.server.deliver(
                    index % 3 == 0 ? piece : index % 3 == 1 ? from + piece : piece + Array("\r\n".utf8) + from,
                    to: "user")
            }
            let last = Watching.coffee("last", minutes: 1)
            try station.deliver([last])
            try station.pass()
            #expect(try station.ledger.booked() == ["last": try #require(last.booked)])
            #expect(try station.ledger.count("SELECT count(*) FROM transactions") == 1)
            #expect(station.ledger.mails > 1)
            let dump = try station.ledger.dump()
            try station.pass()
            #expect(try station.ledger.dump() == dump)
        }
    }
}
