import IMAP
import Store
import Testing
import YAMLSource

@testable import Ingest

/// A pass over many new mails reads the senders of one stretch of the folder while it works on the one before.
@Suite struct SenderScanTests {
    private func server() -> FakeServer {
        let server = PassLineTests.server()
        server.isNear = true
        return server
    }

    private func expected() throws -> Book {
        let book = try Book()
        try PassLineTests.server().pass(book)
        return book
    }

    private static func readsSenders(_ command: String) -> Bool {
        command.hasPrefix("UID FETCH") && command.contains("(FROM)")
    }

    @Test(arguments: [1, 7, 40, 70, 10_000], [1, 5, 64]) func theLedgerIsTheSame(window: Int, batch: Int) throws {
        let (server, book, expected) = (server(), try Book(), try expected())
        let summary = try #require(try server.pass(book, batch: batch, window: window, scanned: 1).first)
        #expect(try book.facts() == expected.facts())
        #expect(try book.cursor() == expected.cursor())
        #expect(summary.done == summary.found && summary.outcomes.values.reduce(0, +) == summary.done)
        let scans = server.commands.count { Self.readsSenders($0) }
        #expect(window > 75 ? scans == 1 : scans > 1, "\(scans) stretches")
        #expect(!server.commands.contains { $0.contains(" FROM ") })
    }

    /// Mails are fetched before the last stretch is looked through.
    @Test func theFetchGoesOnMeanwhile() throws {
        let (server, book) = (server(), try Book())
        try server.pass(book, window: 40, scanned: 1)
        let last = try #require(server.commands.lastIndex { Self.readsSenders($0) })
        #expect(server.commands[..<last].contains { $0.hasPrefix("UID FETCH") && $0.contains("BODY.PEEK[]") })
    }

    /// Older mail than is asked for is not fetched.
    @Test func daysCount() throws {
        let (server, book) = (server(), try Book())
        server.folders["INBOX"]?.add(Sample.alert(700), date: 1_000_000_000)
        server.folders["INBOX"]?.add(Sample.alert(701))
        try server.pass(book, window: 7, scanned: 1)
        #expect(try book.transactions() == 61)
        let last = try #require(server.folders["INBOX"]?.mails.last?.uid)
        #expect(
            try book.store.recordedUIDs(of: .init(mailbox: "personal", folder: "INBOX"), uidValidity: 7, from: last - 1)
                == [last])
    }

    /// Far servers are asked to search: every field would cost a part of the line. So are those of small folders, Gmail, and what may be a gateway to another.
    @Test(arguments: ["far", "small", "Gmail", "without ESEARCH"]) func othersSearch(which: String) throws {
        let (server, book) = (server(), try Book())
        if which == "far" { server.isNear = false }
        if which == "without ESEARCH" { server.capabilities.removeAll { $0 == "ESEARCH" } }
        if which == "Gmail" { server.capabilities.append("X-GM-EXT-1") }
        try server.pass(book, window: 7, scanned: which == "small" ? 1000 : 1)
        #expect(server.commands.count { $0.hasPrefix("UID SEARCH") } == 1)
        #expect(!server.commands.contains { Self.readsSenders($0) })
    }

    @Test func aSecondPassSearches() throws {
        let (server, book) = (server(), try Book())
        try server.pass(book, window: 7, scanned: 100)
        server.folders["INBOX"]?.add(Sample.alert(500))
        server.reconnect()
        try server.pass(book, window: 7, scanned: 100)
        #expect(server.commands.count { $0.hasPrefix("UID SEARCH") } == 1)
        #expect(try book.transactions() == 61)
    }

    /// Wherever the line breaks: the cursor passes no mail without a row, and the next pass brings the rest.
    @Test func aBrokenLineLosesNothing() throws {
        let expected = try expected()
        let whole = server()
        try whole.pass(try Book(), batch: 4, window: 7, scanned: 1)
        for _ in 0..<12 {
            let (server, book) = (server(), try Book())
            server.cut = .random(in: 0..<whole.sent)
            try? server.pass(book, batch: 4, window: 7, scanned: 1)
            let next = try book.cursor()?.nextUID ?? 1
            let recorded = Set(
                try book.store.recordedUIDs(of: .init(mailbox: "personal", folder: "INBOX"), uidValidity: 7, from: 1))
            let alerts = Set(
                try expected.store.recordedUIDs(
                    of: .init(mailbox: "personal", folder: "INBOX"), uidValidity: 7, from: 1))
            #expect(alerts.filter { $0 < next }.isSubset(of: recorded))
            server.reconnect()
            try server.pass(book, window: 7, scanned: 1)
            #expect(try book.facts() == expected.facts())
        }
    }

    /// In the place of the answer to any of them.
    @Test(arguments: [
        ["% NO not now"], ["% BAD what"], ["* BYE"], [], ["% OK done"], ["* 1 FETCH (UID 1)", "% OK done"],
    ])
    func fieldsThatAreNotHandedOutLoseNothing(answer: [String]) throws {
        let expected = try expected()
        for number in 1...4 {
            let (server, book) = (server(), try Book())
            var seen = 0
            server.intercept = { _, command in
                if Self.readsSenders(command) { seen += 1 }
                return seen == number && Self.readsSenders(command) ? answer : nil
            }
            try? server.pass(book, batch: 4, window: 20, scanned: 1)
            server.reconnect()
            try server.pass(book)
            #expect(try book.facts() == expected.facts(), "\(number) \(answer)")
        }
    }

    /// OK, and not a word of some mails: they are fetched, since they may be anything.
    @Test func mailsOfWhichNothingIsToldAreFetched() throws {
        let (server, book, expected) = (server(), try Book(), try expected())
        var random = SplitMix64(state: 5)
        server.rewrite = { command, bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            guard Self.readsSenders(command), text.hasPrefix("* ") else { return bytes }
            let answers = ("\r\n" + text).split(separator: "\r\n* ").filter {
                $0.contains("OK done") || Int.random(in: 0..<4, using: &random) > 0
            }
            return Array(answers.map { "* " + $0 }.joined(separator: "\r\n").utf8)
        }
        try server.pass(book, window: 7, scanned: 1)
        let alerts = try expected.facts().filter { !$0.contains("unclaimed") }
        #expect(try Set(book.facts()).isSuperset(of: alerts))
        #expect(try book.transactions() == 60)
    }

    /// A mail that was found by its field alone is not gone because the server would not find it.
    @Test func aMailThatIsWithheldIsRecordedAsFailed() throws {
        let (server, book) = (server(), try Book())
        let uid = try #require(server.folders["INBOX"]?.next)
        server.folders["INBOX"]?.add(
            Array("From: =?utf-8?q?alerts=40card=2Eexample?= <a@b.test>\r\n\r\nhello\r\n".utf8))
        server.intercept = { _, command in command.hasPrefix("UID FETCH \(uid) ") ? ["% OK done"] : nil }
        try server.pass(book, batch: 1, scanned: 1)
        #expect(try book.outcomes().contains("7:\(uid) failed"))
    }

    /// A folder in which hardly a number is left has stretches without a mail.
    @Test func emptyStretchesAreLeftAside() throws {
        let (server, book) = (server(), try Book())
        for index in server.folders["INBOX"]?.mails.indices ?? 0..<0 {
            server.folders["INBOX"]?.mails[index].uid += 5000
        }
        server.folders["INBOX"]?.next += 5000
        try server.pass(book, window: 7, scanned: 1)
        #expect(try book.transactions() == 60)
        #expect(!server.commands.contains { $0.contains(" FROM ") })
    }

    /// One mail told of again and again is no progress.
    @Test func aFieldWithoutEndEndsThePass() throws {
        let (server, book) = (server(), try Book())
        server.intercept = { _, command in
            Self.readsSenders(command)
                ? Array(repeating: "* 1 FETCH (UID 1 BODY[HEADER.FIELDS (FROM)] {2}\r\n\r\n)", count: 101_000) : nil
        }
        #expect { try server.pass(book, scanned: 1) } throws: { ($0 as? IMAPError)?.kind == .malformed }
    }

    /// However many mails a server says it has, the stretches are a thousand at most.
    @Test func anEnormousFolderIsBounded() throws {
        let (server, book, expected) = (server(), try Book(), try expected())
        server.rewrite = { command, bytes in
            guard command.hasPrefix("EXAMINE") else { return bytes }
            let lines = String(decoding: bytes, as: UTF8.self).split(
                separator: "\r\n", omittingEmptySubsequences: false)
            return Array(
                lines.map {
                    $0.contains("EXISTS")
                        ? "* 4294967295 EXISTS" : $0.contains("UIDNEXT") ? "* OK [UIDNEXT 4294967295] next" : $0
                }.joined(separator: "\r\n").utf8)
        }
        try server.pass(book)
        #expect(server.commands.count { Self.readsSenders($0) } == 1000)
        #expect(try book.facts() == expected.facts())
    }

    /// A server that dies of a field, and can search: the third connection lets it.
    @Test func aServerThatDiesOfAFieldIsAskedToSearch() throws {
        let (server, book) = (server(), try Book())
        let caution = FetchCaution()
        for number in 1...3 {
            server.reconnect()
            server.intercept = { _, command in Self.readsSenders(command) ? ["* BYE dead"] : nil }
            let result = Result { try server.pass(book, window: 20, scanned: 1, caution: caution) }
            #expect((try? result.get()) == nil ? number < 3 : number == 3)
        }
        #expect(try book.facts() == expected().facts())
    }
}

@Suite struct SenderWordsTests {
    @Test(arguments: [
        ("From: HDFC <alerts@hdfcbank.net>", true), ("from: ALERTS@HDFCBANK.NET", true),
        ("From: a@mail.hdfcbank.net", true), ("From: x@misc.com", true),
        ("From: \"hdfcbank.net\" <a@b.example>", true), ("From: a@hdfcbank.network", true), ("hdfcbank.net", true),
        ("From: sc.cosc.com", true),
        ("From: =?utf-8?q?hdfc=62ank.net?= <a@b.example>", true),
        ("From: =?utf-8?b?aGRmY2JhbmsubmV0?= <a@b.example>", true),
        ("From: \u{20B9} <a@hdfcbank.net>", true), ("From: hdfcbank.ne", false), ("From: hdfcbank,net", false),
        ("From: a@b.example", false), ("", false),
    ]) func anywhereInTheField(field: String, stands: Bool) {
        let words = SenderWords(["HDFCbank.net", "hdfc.example", "sc.com"])
        for end in ["", "\r\n\r\n"] {
            #expect(Array((field + end).utf8).withUnsafeBytes(words.stand(in:)) == stands, "\(field)")
        }
        // Nothing is looked for; a word that says nothing.
        #expect(!Array(field.utf8).withUnsafeBytes(SenderWords([]).stand(in:)))
        #expect(Array(field.utf8).withUnsafeBytes(SenderWords(["sc.com", "x"]).stand(in:)))
    }

    /// What decodes a field stops at NUL, and neither its stack nor the time is without end.
    @Test func fieldsThatAreNotDecoded() {
        let fields = [
            "From: =?iso-8859-1?q?X=00?= <a@sc.com>", "From: =?" + String(repeating: "A", count: 5_000_000) + "?q?x?=",
            "From: " + String(repeating: "=?a?q?", count: 400_000),
        ]
        for (number, field) in fields.enumerated() {
            let stands = Array(field.utf8).withUnsafeBytes(SenderWords(["sc.com"]).stand(in:))
            #expect(stands, "\(number)")
        }
    }
}
