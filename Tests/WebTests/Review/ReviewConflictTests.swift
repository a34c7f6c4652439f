import Chronology
import ChronologyFixture
import HTTPTypes
import HummingbirdTesting
import Ledger
import Review
import Store
import Testing

@testable import Web

/// A review item that was changed after the client read it: nothing is decided unseen, by the page or the API.
@Suite struct ReviewConflictTests {
    private static func form(_ row: TransactionRow) -> [(String, String)] {
        [
            ("amount", row.amount.decimal), ("currency", "INR"), ("type", "expense"), ("date", "\(row.date)"),
            ("time", row.time?.description ?? ""), ("merchant", row.vendor ?? ""), ("account", "4321"),
            ("reference", row.reference ?? ""),
        ]
    }

    private func change(_ id: Int64, in store: Store) throws {
        var edit = TransactionEdit()
        edit.amount = Money(minorUnits: 999_00, currency: .inr)
        try store.transactions.change(id, edit, by: Actor(.client))
    }

    @Test(arguments: ["accept", "reject", "save"]) func pageRefusesAChangedDraft(action: String) async throws {
        let site = try PageSite()
        let id = try site.record(1, merchant: "FIRST", waits: true)
        let row = try #require(try site.store.transactions.find(id))
        try change(id, in: site.store)
        let fields = Self.form(row) + [("revision", "\(row.revision)"), ("action", action)]
        let refused = try await site.ask { try await $0.submit("/app/review/\(id)", fields) }
        #expect(refused.status == .conflict && refused.words.contains("Changed meanwhile"))
        let now = try #require(try site.store.transactions.find(id))
        #expect(now.status == .needsReview && now.amount.minorUnits == 999_00)
        // The revision that the page shows now is accepted.
        let again = Self.form(now) + [("revision", "\(now.revision)"), ("action", action)]
        #expect(try await site.ask { try await $0.submit("/app/review/\(id)", again) }.status == .seeOther)
    }

    /// The type of such a draft is a placeholder, which may be right: choosing it counts.
    @Test(arguments: [TransactionType.expense, .income]) func pageAsksForAMissingDirection(
        type: TransactionType
    ) async throws {
        let site = try PageSite()
        let id = try site.record(1, merchant: "FIRST", waits: true, type: nil)
        let row = try #require(try site.store.transactions.find(id))
        let shown = try await site.ask { try await $0.page("/app/review/\(id)") }.words
        #expect(shown.contains("<option value=\"\" selected>The mail does not say: choose</option>"))
        #expect(!shown.contains("<option value=\"expense\" selected>"))
        let single = try await site.ask { try await $0.page("/app/transactions/\(id)") }.words
        #expect(single.contains("<option value=\"\" selected>The mail does not say: choose</option>"))
        #expect(!single.contains("+₹"))
        let json = try await site.ask { try await $0.ask(.get, "/review/\(id)") }.text
        #expect(json.contains(#""lacks_direction":true"#))
        let fields = Self.form(row).filter { $0.0 != "type" } + [("revision", "\(row.revision)"), ("action", "accept")]
        let refused = try await site.ask { try await $0.submit("/app/review/\(id)", fields + [("type", "")]) }
        #expect(refused.status == .unprocessableContent && refused.words.contains("Type: use one of expense"))
        let accepted = try await site.ask {
            try await $0.submit("/app/review/\(id)", fields + [("type", type.rawValue)])
        }
        #expect(accepted.status == .seeOther, "\(accepted.words)")
        let now = try #require(try site.store.transactions.find(id))
        #expect(now.status == .confirmed && now.type == type)
        let after = try await site.ask { try await $0.ask(.get, "/review/\(id)") }.text
        #expect(after.contains(#""lacks_direction":false"#))
    }

    /// The page showed a mail without a draft; then another tab created one.
    @Test(arguments: ["accept", "reject"]) func pageRefusesANewDraft(action: String) async throws {
        let site = try PageSite()
        let id = try site.record(1, merchant: "FIRST", waits: true)
        let row = try #require(try site.store.transactions.find(id))
        let fields = Self.form(row) + [("revision", ""), ("action", action)]
        let path = "/app/review/\(try #require(row.mailID))"
        #expect(try await site.ask { try await $0.submit(path, fields) }.status == .conflict)
        #expect(try site.store.transactions.find(id)?.status == .needsReview)
    }

    @Test(arguments: ["accept", "reject", "edit"]) func apiRefusesAChangedDraft(action: String) async throws {
        let site = try PageSite()
        let id = try site.record(1, merchant: "FIRST", waits: true)
        let seen = try #require(try site.store.transactions.find(id)).revision
        try change(id, in: site.store)
        let path = "/review/\(id)/\(action)"
        let refused = try await site.ask { try await $0.ask(.post, path, json: #"{"revision":\#(seen)}"#) }
        #expect(refused.status == .conflict && refused.text.contains("revision"), "\(refused.text)")
        let now = try #require(try site.store.transactions.find(id))
        #expect(now.status == .needsReview && now.amount.minorUnits == 999_00)
        let again = try await site.ask { try await $0.ask(.post, path, json: #"{"revision":\#(now.revision)}"#) }
        #expect(again.status == .ok, "\(again.text)")
    }

    @Test func apiRefusesAnUnknownMemberOfARejection() async throws {
        let site = try PageSite()
        let id = try site.record(1, merchant: "FIRST", waits: true)
        let refused = try await site.ask { try await $0.ask(.post, "/review/\(id)/reject", json: #"{"why":"x"}"#) }
        #expect(refused.status == .unprocessableContent)
        #expect(try await site.ask { try await $0.ask(.post, "/review/\(id)/reject") }.status == .ok)
    }
}
