import Access
import Foundation
import GRDB
import Ledger
import Testing

@testable import Store

/// The views of a user who sees only a part of the ledger. What pages and API show is tested in `PrivateAccountTests`.
@Suite struct LedgerViewTests {
    /// A ledger with two transactions, one of them in a private account of the second user.
    private struct Household {
        let f: Fixture
        let view: Store
        let shown: Int64
        let hidden: Int64
        let account: Int64

        init() throws {
            f = try Fixture()
            let owner = try f.store.access.addUser(named: "Asha", .owner, at: f.store.now())
            let results = try f.store.recording.record([
                mail(1, decision(.recorded, draft(reference: "R1"))),
                mail(2, decision(.recorded, draft(99_900, account: "9876", reference: "R2"))),
            ])
            shown = try #require(results[0].transactionID)
            hidden = try #require(results[1].transactionID)
            account = try #require(try f.store.transactions.find(hidden)?.userAccountID)
            _ = try f.store.userAccounts.setPrivate(true, account, by: owner.id)
            view = try f.store.view(for: 1, .web)
        }
    }

    @Test func aHiddenRowIsNotFoundAndNotChanged() throws {
        let h = try Household()
        #expect(try h.f.store.access.seesPart(1) && !h.f.store.access.seesPart(2))
        #expect(try h.view.transactions.find(h.shown) != nil && h.view.transactions.find(h.hidden) == nil)
        #expect(try h.view.userAccounts.find(h.account) == nil && h.f.store.userAccounts.find(h.account) != nil)
        var edit = TransactionEdit()
        edit.notes = .set("taken")
        #expect(throws: StoreError.self) { try h.view.transactions.change(h.hidden, edit, by: .terminal) }
        _ = try h.view.transactions.change(h.shown, edit, by: .terminal)
        #expect(try h.f.store.transactions.find(h.shown)?.notes == "taken")
        #expect(try h.f.store.transactions.find(h.hidden)?.notes == nil)
        for sql in [
            "UPDATE main.transactions SET notes = 'x' WHERE id = \(h.hidden)",
            "UPDATE main.transactions SET deleted_at = 'x' WHERE id = \(h.hidden)",
            "DELETE FROM main.transactions WHERE id = \(h.hidden)",
            "UPDATE main.user_accounts SET name = 'x' WHERE id = \(h.account)",
            "UPDATE main.user_accounts SET owner_user_id = NULL",
        ] { #expect(WriteRulesTests.error(h.view, sql)?.contains("no such row") == true, "\(sql)") }
        #expect(WriteRulesTests.error(h.view, "INSERT INTO imports DEFAULT VALUES")?.contains("web role") == true)
    }

    /// A transaction that a hidden one is linked with keeps its values; its notes are the user's.
    @Test func aHiddenLinkIsNotLeftBehind() throws {
        let h = try Household()
        var edit = TransactionEdit()
        edit.type = .income
        _ = try h.f.store.transactions.change(h.hidden, edit, by: .terminal)
        edit.amount = try #require(try h.f.store.transactions.find(h.shown)).amount
        _ = try h.f.store.transactions.change(h.hidden, edit, by: .terminal)
        _ = try h.f.store.transfers.link(debit: h.shown, credit: h.hidden, by: .terminal)
        #expect(try h.view.transfers.find(of: h.shown) == nil)
        var notes = TransactionEdit()
        notes.notes = .set("seen by all")
        _ = try h.view.transactions.change(h.shown, notes, by: .terminal)
        do {
            _ = try h.view.transactions.delete(h.shown, by: .terminal)
            Issue.record("deleted")
        } catch { #expect(error.kind == .conflict && error.message == LedgerView.linkRefusal) }
    }

    @Test func countsFollowTheView() throws {
        let h = try Household()
        #expect(try h.view.monitoring.status().transactions != h.f.store.monitoring.status().transactions)
        #expect(try h.view.transactions.page(TransactionQuery()).total == 1)
        // What becomes visible is seen by the open handle, and the other way round.
        _ = try h.f.store.userAccounts.setPrivate(false, h.account, by: 2)
        #expect(try h.view.transactions.find(h.hidden) != nil)
        #expect(try h.view.transactions.page(TransactionQuery()).total == 2)
    }

    /// A table that refers to something that can be hidden can be, too.
    @Test func everyTableAboutAnAccountIsShadowed() throws {
        let f = try Fixture()
        let tables = LedgerView(user: 1).tables
        let parents: Set = ["transactions", "processed_emails", "user_accounts", "statements", "payees"]
        try f.store.readDatabase { db in
            for table in try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'")
            {
                let named = try Set(
                    String.fetchAll(db, sql: "SELECT \"table\" FROM pragma_foreign_key_list(?)", arguments: [table]))
                #expect(named.isDisjoint(with: parents) || tables.contains(table), "\(table)")
            }
        }
    }

    /// SQLite refuses to write a view, so a statement without `main` would fail for such a user only.
    @Test func everyStatementThatWritesAShadowedTableNamesMain() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/Store")
        let names = LedgerView(user: 1).tables.joined(separator: "|")
        let write = try Regex(#"\b(?:INSERT(?: OR [A-Z]+)? INTO|UPDATE(?: OR [A-Z]+)?|DELETE FROM)\s+(?:\#(names))\b"#)
        var files = 0
        for path in FileManager.default.enumerator(atPath: folder.path)?.compactMap({ $0 as? String }) ?? [] {
            guard path.hasSuffix(".swift"), !["Schema/", "Salvage/", "Backup/"].contains(where: path.hasPrefix) else {
                continue
            }
            files += 1
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            #expect(text.firstMatch(of: write) == nil, "\(path)")
        }
        #expect(files > 100)
    }
}
