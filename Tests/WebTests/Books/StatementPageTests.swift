import Access
import Chronology
import ChronologyFixture
import Foundation
import HTTPTypes
import HummingbirdTesting
import Ledger
import NIOCore
import Store
import Testing

@testable import Web

/// Statements on the page and in the API.
@Suite struct StatementPageTests {
    static let words =
        (try? String(
            contentsOfFile: #filePath.components(separatedBy: "/Tests/")[0]
                + "/parsers/_statement-words.yaml", encoding: .utf8)) ?? ""

    static let lists =
        (try? String(
            contentsOfFile: #filePath.components(separatedBy: "/Tests/")[0]
                + "/parsers/_payment-lists.yaml", encoding: .utf8)) ?? ""

    static let csv = """
        Date,Narration,Withdrawal Amt.,Deposit Amt.,Closing Balance
        05/01/2026,UPI CAFE MOON,250.00,,9750.00
        06/01/2026,NEFT <SALARY>,,5000.00,14750.00
        07/01/2026,POS BOOK SHOP,750.00,,14000.00

        """

    static func site() throws -> (site: PageSite, account: Int64) {
        let site = try PageSite()
        let folder = site.folder + "/parsers"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try words.write(toFile: folder + "/_statement-words.yaml", atomically: true, encoding: .utf8)
        try lists.write(toFile: folder + "/_payment-lists.yaml", atomically: true, encoding: .utf8)
        _ = try site.record(1, merchant: "CAFE MOON", on: CalendarDate(iso: "2026-01-05"))
        return (site, try #require(try site.store.userAccounts.all().first).id)
    }

    private static func upload(
        _ site: PageSite, _ account: Int64, _ text: String, name: String = "a \u{2014} b.csv"
    ) async throws -> TestResponse {
        let body =
            "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\nContent-Type: text/csv\r\n\r\n\(text)\r\n--XX--\r\n"
        return try await site.ask {
            try await $0.execute(
                uri: "/app/accounts/\(account)/statements", method: .post,
                headers: [.accept: "text/html", .contentType: "multipart/form-data; boundary=XX"],
                body: ByteBuffer(string: body))
        }
    }

    @Test func anUploadIsComparedAndBooked() async throws {
        let (site, account) = try Self.site()
        let sent = try await Self.upload(site, account, Self.csv)
        #expect(sent.status == .seeOther)
        let row = try #require(try site.store.statements.all().first)
        #expect(sent.headers[.location] == "/app/statements/\(row.id)?done=statement")
        #expect(row.lines == 3 && row.open == 2 && row.fileName == "a \u{2014} b.csv")
        let page = try await site.ask { try await $0.page("/app/statements/\(row.id)") }
        #expect(page.status == .ok)
        for words in ["NEFT &lt;SALARY&gt;", "Only in the statement: 2 lines", "Book all", "CAFE MOON"] {
            #expect(page.words.contains(words), "\(words)")
        }
        let one = try await site.ask { try await $0.submit("/app/statements/\(row.id)/book", [("row", "3")]) }
        #expect(one.status == .seeOther && one.undo != nil)
        #expect(try site.store.statements.all().first?.open == 1)
        _ = try await site.ask { try await $0.submit("/app/statements/\(row.id)/book", []) }
        let after = try #require(try site.store.statements.all().first)
        #expect(after.open == 0 && after.reconciledAt != nil)
        #expect(try await Self.upload(site, account, Self.csv).headers[.location]?.contains("statement-again") == true)
        let list = try await site.ask { try await $0.page("/app/accounts/\(account)/statements") }
        #expect(list.status == .ok && list.words.contains("reconciled") && list.words.contains("multipart/form-data"))
    }

    @Test(arguments: [true, false]) func fieldsBesideTheFileAreRead(fieldFirst: Bool) throws {
        let file = "Content-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"\r\n\r\n%PDF\r\n-"
        let field = "Content-Disposition: form-data; name=\"password\"\r\n\r\nasha 0501"
        let parts = (fieldFirst ? [field, file] : [file, field]).map { "--XX\r\n\($0)\r\n" }.joined()
        let upload = try #require(
            UploadedFile(Array((parts + "--XX--\r\n").utf8), contentType: "multipart/form-data; boundary=XX"))
        #expect(upload.name == "a.pdf" && upload.bytes == Array("%PDF\r\n-".utf8))
        #expect(upload.fields == ["password": "asha 0501"])
    }

    /// The name of an uploaded file is a text that is shown, and no path.
    @Test(arguments: [
        ("../../etc/cron.d/x.csv", "x.csv"), ("/etc/passwd", "passwd"), ("C:\\Users\\asha\\march.csv", "march.csv"),
        ("<img src=x>.csv", "<img src=x>.csv"), ("$(reboot).csv", "$(reboot).csv"),
    ])
    func aFileNameIsNoPath(sent: String, stored: String) async throws {
        let (site, account) = try Self.site()
        #expect(try await Self.upload(site, account, Self.csv, name: sent).status == .seeOther)
        #expect(try site.store.statements.all().first?.fileName == stored)
        let files = try FileManager.default.subpathsOfDirectory(atPath: site.folder)
        #expect(!files.contains { $0.hasSuffix("x.csv") || $0.hasSuffix("passwd") || $0.hasSuffix("march.csv") })
        let list = try await site.ask { try await $0.page("/app/accounts/\(account)/statements") }
        #expect(list.status == .ok && !list.words.contains("<img src=x>"))
    }

    @Test func aReconciledPaymentIsChangedAfterAQuestion() async throws {
        let (site, account) = try Self.site()
        _ = try await Self.upload(site, account, Self.csv)
        let id = try #require(try site.store.statements.all().first).id
        _ = try await site.ask { try await $0.submit("/app/statements/\(id)/book", []) }
        let asked = try await site.ask {
            try await $0.submit("/app/transactions/1/delete", [("back", "/app/transactions")])
        }
        #expect(asked.status == .conflict && asked.words.contains("confirm_reconciled"))
        #expect(asked.words.contains("Change it") && asked.words.contains("/app/transactions/1/delete"))
        #expect(try site.store.transactions.find(1) != nil)
        let undo = try await site.ask { try await $0.submit("/app/statements/\(id)/undo", []) }
        #expect(undo.status == .conflict && undo.words.contains("confirm_reconciled"))
        let done = try await site.ask {
            try await $0.submit("/app/transactions/1/delete", [("confirm_reconciled", "1")])
        }
        #expect(done.status == .seeOther)
        #expect(try site.store.transactions.find(1) == nil)
        #expect(try site.store.statements.all().first?.reconciledAt == nil)
        let gone = try await site.ask { try await $0.submit("/app/statements/\(id)/undo", []) }
        #expect(gone.status == .seeOther)
        #expect(try site.store.statements.all().isEmpty)
    }

    @Test func badUploadsAreRefused() async throws {
        let (site, account) = try Self.site()
        for text in [
            "", "%PDF-1.4", "a,b\r\n1,2\r\n", Self.csv.replacingOccurrences(of: "14750.00", with: "14751.00"),
        ] {
            let answer = try await Self.upload(site, account, text)
            #expect(answer.status == .unprocessableContent, "\(text)")
        }
        let wrong = try await Self.upload(
            site, account, Self.csv.replacingOccurrences(of: "14750.00", with: "14751.00"))
        #expect(wrong.words.contains("row 3"))
        #expect(try await Self.upload(site, 99, Self.csv).status == .notFound)
        for (type, body) in [
            ("multipart/form-data", "--XX\r\n"), ("multipart/form-data; boundary=", "--\r\n"),
            (
                "multipart/form-data; boundary=XX",
                "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--XX--"
            ),
            ("multipart/form-data; boundary=XX", "--XX\r\n\r\n"), ("text/plain", "x"),
        ] {
            let answer = try await site.ask {
                try await $0.execute(
                    uri: "/app/accounts/\(account)/statements", method: .post,
                    headers: [.accept: "text/html", .contentType: type], body: ByteBuffer(string: body))
            }
            #expect(answer.status == .unprocessableContent, "\(type) \(body)")
        }
        for uri in ["/app/statements/77", "/app/statements/x", "/app/accounts/77/statements"] {
            #expect(try await site.ask { try await $0.page(uri) }.status == .notFound, "\(uri)")
        }
        #expect(try site.store.statements.all().isEmpty)
    }

    @Test func theAPIImportsAndRefuses() async throws {
        let (site, account) = try Self.site()
        func post(_ query: String, _ body: String, type: String = "text/csv") async throws -> TestResponse {
            try await site.ask {
                try await $0.execute(
                    uri: "/tools/import/statement" + query, method: .post, headers: [.contentType: type],
                    body: ByteBuffer(string: body))
            }
        }
        let compared = try await post("?account_id=\(account)", Self.csv)
        #expect(compared.status == .ok && compared.words.contains("\"is_new\":true"))
        #expect(compared.words.contains("\"only_in_statement\":[{\"row\":3"))
        let booked = try await post("?account_id=\(account)&book=true", Self.csv)
        #expect(booked.words.contains("\"booked\":[2,3]") && booked.words.contains("\"reconciled\":true"))
        #expect(try await post("?account_id=\(account)&book=true", Self.csv).words.contains("\"booked\":[]"))
        let refusals: [(String, String, String, Int)] = [
            ("", Self.csv, "text/csv", 422), ("?account_id=0", Self.csv, "text/csv", 422),
            ("?account_id=99", Self.csv, "text/csv", 404),
            ("?account_id=\(account)&book=yes", Self.csv, "text/csv", 422),
            ("?account_id=\(account)", "", "text/csv", 400), ("?account_id=\(account)", "x", "text/csv", 422),
            ("?account_id=\(account)", "{\"a\":1}", "application/json", 422),
            ("?account_id=\(account)", Self.csv.replacingOccurrences(of: "14750.00", with: "1.00"), "text/csv", 422),
        ]
        for (query, body, type, status) in refusals {
            #expect(Int(try await post(query, body, type: type).status.code) == status, "\(query) \(type)")
        }
        // A transaction of the reconciled statement.
        let row = try #require(try site.store.transactions.find(2))
        #expect(row.recorder == "Import")
        for (query, status) in [("", 409), ("?confirm_reconciled=maybe", 422), ("?confirm_reconciled=true", 204)] {
            let answer = try await site.ask {
                try await $0.execute(uri: "/transactions/2" + query, method: .delete, headers: [:], body: nil)
            }
            #expect(Int(answer.status.code) == status, "\(query)")
        }
    }
}

/// Statements of mails on the page and in the API, and the stored statements in the API.
@Suite struct MailedStatementPageTests {
    /// Two statements wait; no account is known for their bank.
    private static func site() throws -> (site: PageSite, account: Int64, files: [Int64]) {
        let (site, account) = try StatementPageTests.site()
        var entry = MailEntry(
            at: MailLocation(mailbox: "personal", folder: "INBOX", uidValidity: 1, uid: 90),
            Decision(
                .ignored,
                by: Decision.Source(profile: "other", template: "other/statement", isAuthentic: true),
                reasons: [Reason(IgnoreReason.statement)])
        ) {
            $0.messageID = "<90@bank.example>"
            $0.contentDigest = [90]
            $0.receivedAt = .now
        }
        entry.files = [
            .init(name: "<january>.csv", bytes: Array(StatementPageTests.csv.utf8)),
            .init(name: "terms.csv", bytes: Array("a,b\n1,2\n".utf8)),
        ]
        _ = try site.store.recording.record([entry])
        return (site, account, try site.store.statements.files().map(\.id).sorted())
    }

    private static func send(
        _ site: PageSite, _ method: HTTPRequest.Method, _ uri: String, _ body: String? = nil
    ) async throws -> TestResponse {
        try await site.ask {
            try await $0.execute(
                uri: uri, method: method, headers: body == nil ? [:] : [.contentType: "application/json"],
                body: body.map { ByteBuffer(string: $0) })
        }
    }

    @Test func theAPIReadsBooksByLineAndUndoes() async throws {
        let (site, account, files) = try Self.site()
        let read = "/statements/mailed/\(files[0])/read"
        #expect(try await Self.send(site, .get, "/statements/mailed?state=waiting").words.contains("terms.csv"))
        let unknown = try await Self.send(site, .post, read)
        #expect(unknown.status == .ok && unknown.words.contains("\"state\":\"needs_account\""), "\(unknown.words)")
        #expect(try await Self.send(site, .post, read, "{\"account_id\":99}").status == .notFound)
        #expect(try await Self.send(site, .post, read, "{\"account\":1}").status == .unprocessableContent)
        let done = try await Self.send(site, .post, read, "{\"account_id\":\(account),\"password\":\"unused\"}")
        #expect(done.words.contains("\"state\":\"read\"") && done.words.contains("\"statement_id\":1"), "\(done.words)")
        #expect(try site.store.transactions.page(TransactionQuery(limit: 10)).rows.count == 1)
        #expect(try await Self.send(site, .post, read, "{\"account_id\":\(account)}").status == .conflict)
        let terms = try await Self.send(
            site, .post, "/statements/mailed/\(files[1])/read", "{\"account_id\":\(account)}")
        #expect(terms.words.contains("\"state\":\"refused\",\"reason\":\"the file has no table"), "\(terms.words)")
        #expect(try await Self.send(site, .delete, "/statements/mailed/\(files[1])").status == .noContent)
        #expect(try await Self.send(site, .delete, "/statements/mailed/\(files[1])").status == .conflict)

        #expect(try await Self.send(site, .get, "/statements?account_id=\(account)").words.contains("\"open\":2"))
        #expect(try await Self.send(site, .get, "/statements/1").words.contains("\"only_in_statement\":[{\"row\":3"))
        let one = try await Self.send(site, .post, "/statements/1/book", "{\"rows\":[3]}")
        #expect(one.status == .ok && one.words.contains("\"booked\":[2]"), "\(one.words)")
        let rest = try await Self.send(site, .post, "/statements/1/book")
        #expect(rest.words.contains("\"booked\":[3]") && rest.words.contains("\"reconciled\":true"))
        #expect(try await Self.send(site, .delete, "/statements/1").status == .conflict)
        let undone = try await Self.send(site, .delete, "/statements/1?confirm_reconciled=true")
        #expect(undone.status == .ok && undone.words.contains("\"deleted\":[2,3]"), "\(undone.words)")
        for (method, uri) in [
            (.get, "/statements/1"), (.post, "/statements/1/book"), (.delete, "/statements/1"),
            (.post, "/statements/mailed/77/read"), (.delete, "/statements/mailed/77"),
        ] as [(HTTPRequest.Method, String)] {
            #expect(try await Self.send(site, method, uri).status == .notFound, "\(uri)")
        }
    }

    @Test func thePageReadsAndDiscards() async throws {
        let (site, account, files) = try Self.site()
        let accounts = try await site.ask { try await $0.page("/app/accounts") }
        #expect(accounts.words.contains("2 statements of a mail"))
        #expect(try await !site.ask { try await $0.page("/") }.words.contains("needs its account"))
        let page = try await site.ask { try await $0.page("/app/statements") }
        #expect(page.status == .ok && page.words.contains("&lt;january&gt;.csv") && page.words.contains("terms.csv"))
        let unknown = try await site.ask { try await $0.submit("/app/statements/mailed/\(files[0])/read", []) }
        #expect(unknown.headers[.location] == "/app/statements?done=statement-waits")
        #expect(try await site.ask { try await $0.page("/") }.words.contains(">1 statement needs its account</a>"))
        let read = try await site.ask {
            try await $0.submit(
                "/app/statements/mailed/\(files[0])/read", [("account", "\(account)"), ("password", "")])
        }
        #expect(read.headers[.location] == "/app/statements/1?done=statement")
        let gone = try await site.ask { try await $0.submit("/app/statements/mailed/\(files[1])/discard", []) }
        #expect(gone.status == .seeOther)
        let after = try await site.ask { try await $0.page("/app/statements") }
        #expect(after.words.contains("No statement waits.") && after.words.contains("/app/statements/1"))
        #expect(try await site.ask { try await $0.submit("/app/statements/mailed/77/read", []) }.status == .notFound)
    }

    /// A form carries the file and the password; a wrong one is an error of the file.
    @Test func aFormWithAPasswordIsRead() async throws {
        let (site, account, _) = try Self.site()
        let parts =
            [
                "Content-Disposition: form-data; name=\"password\"\r\n\r\nasha0501",
                "Content-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\n" + StatementPageTests.csv,
            ].map { "--XX\r\n\($0)\r\n" }.joined() + "--XX--\r\n"
        let answer = try await site.ask {
            try await $0.execute(
                uri: "/tools/import/statement?account_id=\(account)", method: .post,
                headers: [.contentType: "multipart/form-data; boundary=XX"], body: ByteBuffer(string: parts))
        }
        #expect(answer.status == .ok && answer.words.contains("\"is_new\":true"), "\(answer.words)")
        let json = try await Self.send(
            site, .post, "/tools/import/statement?account_id=\(account)",
            #"{"text":"%PDF-1.4 damaged","password":"asha0501"}"#)
        #expect(json.status == .unprocessableContent && !json.words.contains("asha0501"))
    }
}
