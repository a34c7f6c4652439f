import Access
import Chronology
import Codecs
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Ledger
import Store
import Testing

@testable import Web

/// A private account of one user is nowhere in what another user reads, and nothing that the other does changes it.
@Suite struct PrivateAccountTests {
    /// In every text of the private accounts.
    fileprivate static let marker = "ZQMARKER"

    /// A household of two: Asha, an owner with private accounts, and Ravi.
    ///
    /// `@unchecked Sendable`: changed by its initializer only.
    private final class Household: @unchecked Sendable {
        let site: Site
        let asha: UserRow
        let ravi: UserRow
        var accounts: [Int64] = []
        var shared: Int64 = 0
        var hidden: [Int64] = []
        var seen: [Int64] = []
        var mails: [String] = []
        /// Minor units that Ravi's books spent.
        var spent: Int64 = 0

        init(role: Role, seed: UInt64) throws {
            site = try Site(AccessPolicy(requestsPerMinute: 0))
            try site.setPassphrase()
            asha = try site.add("Asha", .owner)
            ravi = try site.add("Ravi", role)
            var random = SplitMix(state: seed)
            try alerts(&random)
            try books()
            for account in accounts { _ = try site.store.userAccounts.setPrivate(true, account, by: asha.id) }
        }

        private var store: Store { site.store }
        private var actor: Actor { Actor(.page, "Asha", user: asha.id) }

        /// Alerts of a shared account, of a private one at the same bank, and of one at a bank that has no other.
        private func alerts(_ random: inout SplitMix) throws {
            let today = store.today
            for uid in UInt32(1)...36 {
                let day = CalendarDate(daysSince1970: today.daysSince1970 - Int(random.next() % 60))
                let minor = Int64(10_000 + random.next() % 90_000)
                let waits = uid % 7 == 0
                let kind = uid % 3
                let name = kind == 0 ? "CORNER SHOP \(uid % 4)" : "\(PrivateAccountTests.marker) SHOP \(uid % 5)"
                let id = try store.recordAlert(
                    uid, merchant: name, minor, waits: waits, on: day,
                    subject: kind == 0 ? "Paid" : "\(PrivateAccountTests.marker) paid",
                    type: uid % 5 == 0 ? .income : .expense, account: ["4321", "9876", "5555"][Int(kind)],
                    vpa: kind == 0 ? nil : "\(PrivateAccountTests.marker.lowercased())@upi",
                    bank: kind == 2 ? "hidden" : "example")
                if kind == 0 {
                    seen.append(id)
                    if !waits, uid % 5 != 0 { spent += minor }
                } else {
                    hidden.append(id)
                }
            }
            // Mails that book nothing: of the hidden bank, about the private account, and a copy.
            try record(101, bank: "hidden", account: nil)
            try record(102, bank: "example", account: "9876")
            try record(103, bank: "hidden", account: "5555")
        }

        private func record(_ uid: UInt32, bank: String, account: String?) throws {
            var decision = Decision(
                .ignored,
                by: Decision.Source(
                    profile: bank, bank: "Bank", version: "1", template: "\(bank)/balance",
                    authentication: "pass: genuine by dmarc", isAuthentic: true),
                confidence: 1)
            if let account {
                var notice = BankNotice(.balance)
                (notice.amount, notice.account) = (Money(minorUnits: 123_456, currency: .inr), account)
                (notice.merchant, notice.date) = ("\(PrivateAccountTests.marker) NOTICE", store.today)
                decision.notice = notice
            }
            let entry = MailEntry(
                at: MailLocation(mailbox: "personal", folder: "INBOX", uidValidity: 1, uid: uid), decision
            ) {
                $0.messageID = "<\(uid)@bank.example>"
                $0.contentDigest = [UInt8(uid), 9]
                $0.subject = "\(PrivateAccountTests.marker) notice \(uid)"
                $0.sentAt = .now
                $0.receivedAt = .now
                $0.raw = Array((PageSite.mail + PrivateAccountTests.marker).utf8)
            }
            _ = try store.recording.record([entry])
        }

        /// What people add to the private accounts.
        private func books() throws {
            for row in try store.userAccounts.all() {
                var edit = UserAccountEdit()
                edit.isConfirmed = true
                if row.numbers.contains(where: { $0.digits == "4321" }) {
                    shared = row.id
                } else {
                    accounts.append(row.id)
                    edit.name = "\(PrivateAccountTests.marker) account \(row.id)"
                }
                _ = try store.userAccounts.change(row.id, edit, by: actor)
            }
            let booked = try hidden.filter { try store.transactions.find($0)?.status == .confirmed }
            for (index, id) in booked.enumerated() {
                var edit = TransactionEdit()
                edit.notes = .set("\(PrivateAccountTests.marker) note")
                edit.tags = ["zqmarker-tag"]
                if index % 2 == 0 { edit.subcategory = .set("\(PrivateAccountTests.marker) sub") }
                _ = try store.transactions.change(id, edit, by: actor)
                mails += try store.transactions.find(id)?.mailID.map { [$0] } ?? []
            }
            for id in seen.prefix(3) {
                var edit = TransactionEdit()
                edit.notes = .set("seen by all")
                _ = try store.transactions.change(id, edit, by: actor)
            }
            var item = RecurringItem(
                name: "\(PrivateAccountTests.marker) rent", amount: Money(minorUnits: 5_000, currency: .inr),
                rule: try RecurrenceRule("FREQ=MONTHLY"), start: store.today)
            item.account = accounts.first
            _ = try store.recurring.add(item, by: actor)
            let line = StatementLine(row: 1, day: store.today, change: -777, text: "\(PrivateAccountTests.marker) LINE")
            for account in accounts {
                _ = try store.statements.add(
                    BankStatement(currency: .inr, lines: [line]), account: account,
                    digest: String(repeating: "\(account % 10)", count: 64), file: "\(PrivateAccountTests.marker).csv")
            }
            var own = NewTransaction(
                amount: Money(minorUnits: 4_200, currency: .inr), type: .expense, date: store.today)
            own.merchant = "\(PrivateAccountTests.marker) BY HAND"
            own.userAccountID = accounts.first
            hidden.append(try store.transactions.add(own, by: actor).id)
        }

        /// All rows of the ledger that carry the marker.
        func rows() throws -> [String] {
            var text: [UInt8] = []
            try store.writePortableRows { text += $0 }
            // Behind a row is a comma, or the end of its table.
            return String(decoding: text, as: UTF8.self).split(separator: "\n").filter { $0.localizedMarker }
                .compactMap { row in row.lastIndex(of: "}").map { String(row[...$0]) } }.sorted()
        }
    }

    fileprivate struct SplitMix: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    private static func paths(_ household: Household) -> [String] {
        let ids = household.hidden + household.seen
        var paths = ids.flatMap { ["/app/transactions/\($0)", "/app/review/\($0)", "/app/review/\($0)/template"] }
        paths += (household.accounts + [household.shared]).flatMap {
            ["/app/accounts/\($0)", "/app/accounts/\($0)/statements", "/app/transactions?user_account=\($0)"]
        }
        paths += household.mails.map { "/app/mails/\($0)" } + (1...8).map { "/app/statements/\($0)" }
        paths += [
            "/app/transactions?q=zqmark", "/app/mails?bank=hidden",
            "/app/transactions?status=needs_review", "/app/transactions?period=all", "/app/mails?q=zqmark",
            "/app/statistics", "/app/statistics?by=merchant", "/app/statistics?by=account", "/app/payees",
            "/app/dues", "/app/export", "/app/export/file?format=csv", "/app/export/file?format=hledger",
            "/app/history?kind=changed", "/app/questions", "/app/transfers", "/app/banks/hidden", "/app/budgets",
            "/app/mailboxes", "/app/statements",
        ]
        return paths
    }

    /// The requests of all GET routes of the API with the numbers of hidden and visible rows.
    private static func requests(_ household: Household) -> [String] {
        let ids = household.hidden.prefix(6) + household.seen.prefix(3) + household.accounts + [household.shared]
        let texts = Set(ids.map { "\($0)" } + (1...6).map { "\($0)" } + household.mails.prefix(6))
        var paths: [String] = []
        for endpoint in APIRoutes.endpoints where endpoint.method == .get {
            if !endpoint.path.contains("{") {
                paths.append(endpoint.path)
                let names = Set(endpoint.parameters.filter { $0.place == .query }.map(\.name))
                if names.contains("limit") { paths.append(endpoint.path + "?limit=500") }
                if names.contains("q") { paths.append(endpoint.path + "?q=zqmark") }
                if names.contains("user_account_id") {
                    paths += household.accounts.map { endpoint.path + "?user_account_id=\($0)" }
                }
                for grouping in ["merchant", "account", "payee", "subcategory"] where names.contains("group_by") {
                    paths.append(endpoint.path + "?group_by=\(grouping)")
                }
                if names.contains("merged") { paths.append(endpoint.path + "?merged=true") }
            } else {
                paths += texts.map { endpoint.path.replacing(#/\{[^}]*\}/#, with: $0) }
            }
        }
        return paths
    }

    @Test(.timeLimit(.minutes(5)), arguments: [Role.reader, .editor, .owner]) func nothingOfAPrivateAccountIsRead(
        role: Role
    ) async throws {
        for seed in [UInt64(1), 77] {
            let household = try Household(role: role, seed: seed)
            let site = household.site
            let token = try site.token(.all, name: "all", user: household.ravi.id)
            #expect(try household.rows().count > 60)
            try await site.application.test(.router) { client in
                let ravi = try await PasskeyPageTests.Person(client, client.session(as: "Ravi"))
                let pages = try await site.crawl(
                    client, cookie: ravi.cookie, more: Self.paths(household), atMost: 900)
                for (path, page) in pages {
                    #expect(!page.text.localizedMarker, "\(path) for \(role)")
                    #expect(page.status.code < 500, "\(path): \(page.status)")
                }
                for id in household.hidden {
                    #expect(pages["/app/transactions/\(id)"]?.status == .notFound, "transaction \(id)")
                }
                for id in household.accounts { #expect(pages["/app/accounts/\(id)"]?.status == .notFound) }
                for id in household.mails { #expect(pages["/app/mails/\(id)"]?.status == .notFound) }
                for id in household.seen { #expect(pages["/app/transactions/\(id)"]?.status == .ok) }
                for path in Self.requests(household) {
                    let answer = try await client.ask(.get, path, token: token)
                    #expect(!answer.text.localizedMarker, "\(path) for \(role)")
                    #expect(answer.status.code < 500, "\(path): \(answer.status)")
                }
                let list = try await client.ask(.get, "/transactions?limit=500", token: token).text
                #expect(list.contains("CORNER SHOP"), "what is shared is there")
                // The owner of the accounts sees them.
                let asha = try await PasskeyPageTests.Person(client, client.session(as: "Asha"))
                let own = try await client.ask(.get, "/app/transactions?period=all", cookie: asha.cookie).text
                #expect(own.localizedMarker)
            }
        }
    }

    /// Totals count what the user sees.
    @Test func totalsCountWhatIsSeen() async throws {
        let household = try Household(role: .reader, seed: 5)
        let site = household.site
        let token = try site.token(.all, name: "all", user: household.ravi.id)
        let days =
            "since=\(CalendarDate(daysSince1970: site.store.today.daysSince1970 - 100))&until=\(site.store.today)"
        try await site.application.test(.router) { client in
            let answer = try await client.ask(.get, "/stats/summary?\(days)", token: token)
            let spent = Money(minorUnits: household.spent, currency: .inr).decimal
            #expect(
                answer.status == .ok && answer.text.contains("\"\(spent)\"") || answer.text.contains(spent),
                "\(spent): \(answer.text.prefix(600))")
            let list = try await client.ask(.get, "/transactions?limit=1", token: token)
            let page = try await client.ask(
                .get, "/app/transactions", cookie: client.session(as: "Ravi"), [.accept: "text/html"]
            ).text
            #expect(list.status == .ok && !page.contains("\(household.hidden.count + household.seen.count) "))
        }
    }

    /// Every changing route with the numbers of hidden rows.
    @Test(.timeLimit(.minutes(5)), arguments: [Role.editor, .owner]) func nothingOfAPrivateAccountIsChanged(
        role: Role
    ) async throws {
        let household = try Household(role: role, seed: 9)
        let site = household.site
        let before = try household.rows()
        let routes = WebApplication.router(site.services).routes.map { (method: $0.method, path: "\($0.path)") }
            .filter { $0.path.contains("{") && [.post, .put, .patch, .delete].contains($0.method) }
        #expect(routes.count > 60)
        try await site.application.test(.router) { client in
            let ravi = try await PasskeyPageTests.Person(client, client.session(as: "Ravi"))
            let ids =
                household.hidden.prefix(4).map { "\($0)" } + household.accounts.map { "\($0)" }
                + household.mails.prefix(2) + (1...6).map { "\($0)" }
            let fields = [
                ("notes", "taken"), ("name", "taken"), ("amount", "1"), ("currency", "INR"), ("type", "expense"),
                ("date", "2026-01-05"), ("action", "accept"), ("into", "\(household.shared)"), ("category", "1"),
                ("merchant", "taken"), ("transaction", "\(household.hidden[0])"), ("private", "1"),
                ("other", "\(household.hidden[1])"), ("id", "\(household.hidden[0])"),
                ("draft", "\(household.hidden[0])"), ("offer", "\(household.hidden[0])"),
                ("profile", "example"), ("digits", "9876"), ("account", "9876"),
            ]
            let json = """
                {"notes": "taken", "into": \(household.shared), "transaction_id": \(household.hidden[0])}
                """
            for route in routes where !route.path.hasPrefix("/app/settings") {
                for id in ids {
                    // Rows that all share have numbers, too.
                    if route.path.contains("categor") || route.path.contains("mapping") { continue }
                    let target = route.path.replacing(#/\{[^}]*\}/#, with: id)
                    let isPage = route.path.hasPrefix("/app/")
                    let answer = try await client.ask(
                        route.method, target, cookie: ravi.cookie, [.csrfToken: ravi.csrf],
                        form: isPage ? FormFields.encoded([("csrf", ravi.csrf)] + fields) : nil,
                        json: isPage ? nil : json)
                    #expect(!answer.text.localizedMarker, "\(route.method) \(target)")
                    // A statement is read by a program that this site does not have.
                    #expect(
                        answer.status.code < 500 || target.hasSuffix("/read"),
                        "\(route.method) \(target): \(answer.status) \(answer.text.prefix(300))")
                }
            }
            for (path, more) in [
                ("/app/transfers/link", []), ("/app/payees/accept", []), ("/app/mappings", []),
                ("/app/transactions/bulk", [("action", "category")]), ("/app/undo", [("group", "x")]),
            ] as [(String, [(String, String)])] {
                let answer = try await ravi.post(path, fields + more)
                #expect(!answer.text.localizedMarker && answer.status.code < 500, "\(path): \(answer.status)")
            }
            let bulk = #"{"ids": [\#(household.hidden.map { "\($0)" }.joined(separator: ","))], "notes": "taken"}"#
            _ = try await client.ask(
                .post, "/transactions/bulk", cookie: ravi.cookie, [.csrfToken: ravi.csrf], json: bulk)
            let after = try household.rows()
            #expect(Set(after).subtracting(before) == [], "added or changed")
            #expect(Set(before).subtracting(after) == [], "removed or changed")
        }
    }

    @Test func onlyAnOwnerMakesAnAccountPrivateAndOnlyItsOwnerSharesIt() async throws {
        let site = try Site()
        try site.setPassphrase()
        try site.fill()
        let id = try #require(try site.store.userAccounts.all().first).id
        try await site.application.test(.router) { client in
            let alone = try await PasskeyPageTests.Person(client, client.session())
            #expect(try await !client.ask(.get, "/app/accounts/\(id)", cookie: alone.cookie).text.contains("/private"))
            _ = try site.add("Ravi", .editor)
            _ = try site.add("Meera", .owner)
            let path = "/app/accounts/\(id)/private"
            let editor = try await PasskeyPageTests.Person(client, client.session(as: "Ravi"))
            #expect(try await !client.ask(.get, "/app/accounts/\(id)", cookie: editor.cookie).text.contains(path))
            #expect(try await editor.post(path, [("private", "1")]).status == .conflict)
            let owner = try await PasskeyPageTests.Person(client, client.session(as: "person"))
            #expect(try await client.ask(.get, "/app/accounts/\(id)", cookie: owner.cookie).text.contains(path))
            #expect(try await owner.post(path, [("private", "1")]).status == .seeOther)
            let other = try await PasskeyPageTests.Person(client, client.session(as: "Meera"))
            #expect(try await other.post(path, []).status == .notFound)
            #expect(try await client.ask(.get, "/app/accounts/\(id)", cookie: other.cookie).status == .notFound)
            #expect(try await client.ask(.get, "/app/accounts/\(id)", cookie: owner.cookie).status == .ok)
            #expect(throws: StoreError.self) { try site.store.userAccounts.delete(id, by: .terminal) }
            #expect(try await owner.post(path, []).status == .seeOther)
            #expect(try await client.ask(.get, "/app/accounts/\(id)", cookie: other.cookie).status == .ok)
            #expect(
                try site.store.audit.latest(limit: 200).contains {
                    $0.event == "account \(id) made private" && $0.who == "person"
                })
        }
    }
}

extension StringProtocol {
    fileprivate var localizedMarker: Bool { lowercased().contains("zqmarker") }
}
