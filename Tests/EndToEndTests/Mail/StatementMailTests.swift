import Foundation
import Testing

extension EndToEnd {
    /// Statements that a bank attaches to its mails. Values are invented.
    @Suite struct StatementMails {
        /// A table of three lines, encrypted with `asha0501` (qpdf, AES-256).
        static let pdf = """
            JVBERi0xLjcKJb/3ov4KMSAwIG9iago8PCAvRXh0ZW5zaW9ucyA8PCAvQURCRSA8PCAvQmFzZVZl
            cnNpb24gLzEuNyAvRXh0ZW5zaW9uTGV2ZWwgOCA+PiA+PiAvUGFnZXMgMyAwIFIgL1R5cGUgL0Nh
            dGFsb2cgPj4KZW5kb2JqCjIgMCBvYmoKPDwgL1R5cGUgL09ialN0bSAvTGVuZ3RoIDIwOCAvRmls
            dGVyIC9GbGF0ZURlY29kZSAvTiAzIC9GaXJzdCAxNSA+PgpzdHJlYW0KZw7GSjrOWlUHgkDD3uO7
            iQ4CnIyuWnGI6rivEHDDZ0VZRHhZHZlLn/uMWtMXGU09/FDlLhtfDTeZZUh21quczoo77eSm0x+R
            0fZuJSR/GLgh0dGYo/j2/OTL4h98NDgw08hjRtepg7S4JGg6W/q39vC040qNe2B41M8nmi+WnICd
            gKDATRCCjjNdxkmUwF0/s1hTJqd2NSSgo0YnRSAluW8aJak6mI535GmsQPs2Cxb2l5xsTWB/TLuq
            /6eSlehsMEZnjP9uX5BA/beKOrGEuGVuZHN0cmVhbQplbmRvYmoKNiAwIG9iago8PCAvTGVuZ3Ro
            IDI4OCAvRmlsdGVyIC9GbGF0ZURlY29kZSA+PgpzdHJlYW0Kj0Qiw8VZKPmbMvCowh4KAJzniOS+
            lo64PNukZJWQYYWlRFD6k+pGrhadOl571x78h12jadsq9PaJG+ko8kg7R3Otw6alve6YztPwXDJj
            O8GYqcKmb9prd0vYveUlUa5kVRMjSPf8MZhyJVKLN0DF7bpz4jetNlLuITltrTUd2WZuf1c7SE+2
            nYXb1SZZQ4qDY8mf2yw0i/g/k1tNmRrHBZ1gODPwk6JsUOZNQkqinw7+TfwrVuti/2hqNpVDGlSq
            QN56JQc72ZWvUgkjohbiCZhQW4/7BlvIgV5SbRdk99f+Fb0E77HlHdTsxtYsq1gHtggoRzcdzdfp
            rbOc0FaoXEcDOEKWpST9eqmzJflUCS4QqG9H3FgezOkuQ9m78yFlZW5kc3RyZWFtCmVuZG9iago3
            IDAgb2JqCjw8IC9DRiA8PCAvU3RkQ0YgPDwgL0F1dGhFdmVudCAvRG9jT3BlbiAvQ0ZNIC9BRVNW
            MyAvTGVuZ3RoIDMyID4+ID4+IC9GaWx0ZXIgL1N0YW5kYXJkIC9MZW5ndGggMjU2IC9PIDxjYTc0
            ZDg0MzQ4YjY3ZDJhM2VkOWUzMzI4YWUxN2E5YzdlZTEwNjFhZjljZmJhZWEzNGI2OWM0ZDg5NTNi
            ZWYzYmNhNzgyMTJhY2FlNGQxYTFlMzIwOWE5NDJjNGZkYTQ+IC9PRSA8MTQ2MTQ2ZDRlNDhhMzEx
            Mjc4YjJiNzRlMTEwYzIxMjQ5YjM3ZDA3ZDNiOWU2YzI3OGFiMTcwNWJkNDRhMTRhNj4gL1AgLTQg
            L1Blcm1zIDxlMzNmNzY2YmFkNTFjOGIyNGU1OTY3NmNiMTlkNzIxNT4gL1IgNiAvU3RtRiAvU3Rk
            Q0YgL1N0ckYgL1N0ZENGIC9VIDw2MDljN2U1ZDA4YmU0ZGVlMDdiMjgzNzJkNzE0NGQ1OWU1ZGQ0
            NjQ2NmYxMzY5NmViOWJjNTQxM2RjNDY3N2Y4NGI1YjVkYTJkZWFjM2FiNjFlMTI5MmMzZjlmZmIx
            MWE+IC9VRSA8YzhkOWI0Yjc5YTkzZDU5NjI4ODA1ODUzMDk5ODdjMjk0YTc4OTcyODZjZTFlMzA1
            MTZlYTZlMmMyNTQxNmJlND4gL1YgNSA+PgplbmRvYmoKOCAwIG9iago8PCAvVHlwZSAvWFJlZiAv
            TGVuZ3RoIDQyIC9GaWx0ZXIgL0ZsYXRlRGVjb2RlIC9EZWNvZGVQYXJtcyA8PCAvQ29sdW1ucyA0
            IC9QcmVkaWN0b3IgMTIgPj4gL1cgWyAxIDIgMSBdIC9Sb290IDEgMCBSIC9TaXplIDkgL0lEIFs8
            M2RiNzQ2NzUzM2ZhODU3NDVkNGRkNjUwOGRjOTdjMTE+PDNkYjc0Njc1MzNmYTg1NzQ1ZDRkZDY1
            MDhkYzk3YzExPl0gL0VuY3J5cHQgNyAwIFIgPj4Kc3RyZWFtCnicY2IAAiZGBn4GJgaGYhCrAcRi
            YIQQ/xm3/GNiYEoHijEpMwAAROkEWQplbmRzdHJlYW0KZW5kb2JqCnN0YXJ0eHJlZgoxMzQ0CiUl
            RU9GCg==
            """
        private static let csv = """
            Date,Narration,Withdrawal Amt.,Deposit Amt.,Closing Balance
            05/01/2026,UPI CAFE MOON,250.00,,9750.00
            06/01/2026,NEFT SALARY,,5000.00,14750.00

            """

        /// A mail about a statement with a file.
        static func mail(
            _ id: String, file: String, base64: String, origin: Mail.Origin = .genuine, text: String? = nil
        ) -> Mail {
            var mail = Mail(
                id: id, from: "HDFC Bank <alerts@hdfcbank.bank.in>", subject: "Your account statement",
                text: "", origin: origin, arrived: India.daysAgo(1, 9, 0), outcome: "ignored")
            mail.moreHeaders = "Content-Type: multipart/mixed; boundary=\"XX\"\r\n"
            let words =
                text
                ?? "Dear Customer, your HDFC Bank account statement is attached.\nYour combined statement is now ready."
            mail.bodyBytes = Array(
                """
                --XX\r
                Content-Type: text/plain; charset=utf-8\r
                \r
                \(words)\r
                --XX\r
                Content-Type: application/octet-stream; name="\(file)"\r
                Content-Disposition: attachment; filename="\(file)"\r
                Content-Transfer-Encoding: base64\r
                \r
                \(base64.split(whereSeparator: \.isWhitespace).joined(separator: "\r\n"))\r
                --XX--\r

                """.utf8)
            return mail
        }

        private final class Place {
            let scratch: Scratch
            var ledger: LedgerFile { LedgerFile(path: scratch.path + "/ledger.db") }
            private(set) var config = ""

            init() throws {
                scratch = try Scratch()
                for name in ["tmp", "new", "cur"] {
                    try FileManager.default.createDirectory(
                        atPath: "\(scratch.path)/Mail/\(name)", withIntermediateDirectories: true)
                }
                try configure("")
            }

            func configure(_ more: String) throws {
                config = try scratch.write(
                    """
                    database: \(scratch.path)/ledger.db
                    parsers: \(Program.root)/parsers
                    categories: \(Program.root)/config/categories.yaml
                    mailboxes:
                      - name: local
                        maildir: Mail
                        authserv_id: mx.google.com
                        since: 90d
                    \(more)
                    """, to: "spendwise.yaml")
            }

            func deliver(_ mail: Mail) throws {
                try scratch.write(mail.bytes, to: "Mail/tmp/\(mail.id)")
                guard rename("\(scratch.path)/Mail/tmp/\(mail.id)", "\(scratch.path)/Mail/new/\(mail.id)") == 0 else {
                    throw Failed(description: "\(mail.id): \(String(cString: strerror(errno)))")
                }
            }

            func run(_ arguments: [String], expecting status: Int32 = 0) throws -> [[String: Any]] {
                let program = try Program("parserctl", arguments + ["--json", "--config", config], in: scratch)
                #expect(try program.exit() == status, "\(arguments): \(program.errors)\(program.output)")
                return try JSONOutput.lines(program.output)
            }

            /// None before the daemon has made the ledger.
            func states() -> [String] {
                (try? ledger.rows("SELECT state FROM statement_files ORDER BY id"))?.map { $0[0] } ?? []
            }
        }

        /// Makes the account of the statements known.
        static let alert = Mail.hdfcUPI(
            "alert", 25_000, to: "CAFE MOON", vpa: "moon@bank", reference: "600512345678", at: India.daysAgo(3, 9, 0),
            in: Catalogue.cafe)
        private static let csvBase64 = Data(csv.utf8).base64EncodedString()

        @Test(.timeLimit(.minutes(3))) func aStatementIsReadAndAProtectedOneWaitsForItsPassword() throws {
            let place = try Place()
            try place.deliver(Self.alert)
            try place.deliver(Self.mail("plain", file: "january.csv", base64: Self.csvBase64))
            try place.deliver(Self.mail("forged", file: "forged.csv", base64: Self.csvBase64, origin: .forged))
            try place.deliver(Self.mail("protected", file: "january.pdf", base64: Self.pdf))
            let daemon = try Program("spendwised", ["ingest", "--config", place.config], in: place.scratch)
            try waitUntil("the statements' states") { place.states().sorted() == ["needs_password", "read"] }
            #expect(
                try place.ledger.rows("SELECT count(*) FROM statement_files WHERE file_name LIKE 'forged%'") == [["0"]])
            // Stored and linked, and nothing is booked.
            let rows = try place.run(["statement", "list"])
            #expect(rows.compactMap { $0["id"] as? Int } == [1] && rows.first?["open"] as? Int == 2)
            #expect(
                rows.compactMap { $0["mailed"] as? Int }.count == 1
                    && rows.last?["state"] as? String == "needs_password")
            #expect(try place.ledger.rows("SELECT count(*) FROM transactions") == [["1"]])
            #expect(try place.ledger.rows("SELECT count(*) FROM statement_files WHERE bytes IS NULL") == [["1"]])
            // The password is named; the daemon needs no restart.
            let secret = try place.scratch.write("name: Asha Example\nbirth: 1990-01-05\n", to: "facts")
            chmod(secret, 0o600)
            try place.configure(
                "statements: [{ bank: hdfc, rule: '{name:4:lower}{birth:ddmm}', facts_file: \(secret) }]")
            // The rule gives asha0501.
            try waitUntil("the protected statement") { place.states() == ["read", "read"] }
            #expect(try place.run(["statement", "list"]).count == 2)
            daemon.signal(SIGTERM)
            #expect(try daemon.exit() == 0 && !daemon.errors.contains("asha0501"))
            #expect(try place.ledger.rows("SELECT count(*) FROM transactions") == [["1"]])
        }

        @Test(.timeLimit(.minutes(3))) func aPersonGivesThePasswordOrDiscards() throws {
            let place = try Place()
            try place.deliver(Self.alert)
            try place.deliver(Self.mail("protected", file: "january.pdf", base64: Self.pdf))
            try place.deliver(
                Self.mail("terms", file: "terms.csv", base64: Data("a,b\n1,2\n".utf8).base64EncodedString()))
            let pass = try Program("spendwised", ["ingest", "--once", "--config", place.config], in: place.scratch)
            #expect(try pass.exit() == 0, "\(pass.errors)")
            try #require(place.states() == ["waiting", "waiting"])
            let ids = try place.ledger.rows("SELECT id FROM statement_files ORDER BY file_name").map { $0[0] }
            let wrong = try place.scratch.write("ASHA0501\n", to: "wrong")
            let right = try place.scratch.write("asha0501\n", to: "right")
            for path in [wrong, right] { chmod(path, 0o600) }
            let refused = try place.run(["statement", "read", ids[0], "--password-file", wrong], expecting: 1)
            #expect(refused.first?["state"] as? String == "needs_password")
            let read = try place.run(["statement", "read", ids[0], "--password-file", right])
            #expect(read.first?["state"] as? String == "read" && read.first?["statement"] as? Int == 1)
            let terms = try place.run(["statement", "read", ids[1]], expecting: 1)
            #expect(terms.first?["state"] as? String == "refused")
            _ = try place.run(["statement", "discard", ids[1]])
            #expect(place.states().sorted() == ["discarded", "read"])
            for arguments in [
                ["statement", "discard", ids[1]], ["statement", "read", ids[0]], ["statement", "read", "77"],
            ] {
                let program = try Program("parserctl", arguments + ["--config", place.config], in: place.scratch)
                #expect(try program.exit() == 1, "\(arguments): \(program.output)")
            }
            #expect(try place.ledger.rows("SELECT count(*) FROM transactions") == [["1"]])
        }
    }
}
