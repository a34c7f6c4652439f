import Chronology
import ChronologyFixture
import GRDB
import Ledger
import Testing

@testable import Store

/// Transfers between own accounts, from the mails on.
@Suite struct TransferLinkTests {
    static let clerk = Actor(.page, "asha")

    static func debit(
        _ uid: UInt32, _ minor: Int64 = 500_000, at time: String = "10:00:00", to merchant: String? = "ASHA RAO",
        reference: String? = nil, bank: String = "hdfc", account: String = "4410", channel: Channel = .neft
    ) -> MailEntry {
        mail(
            uid,
            decision(
                .recorded,
                draft(
                    minor, type: .expense, channel: channel, at: time, merchant: merchant, account: account,
                    reference: reference), bank: bank))
    }

    static func credit(
        _ uid: UInt32, _ minor: Int64 = 500_000, at time: String = "10:00:00", from merchant: String? = nil,
        reference: String? = nil, bank: String = "sbi", account: String = "4417", type: TransactionType = .income
    ) -> MailEntry {
        mail(
            uid,
            decision(
                .recorded,
                draft(
                    minor, type: type, channel: .neft, at: time, merchant: merchant, account: account,
                    reference: reference), bank: bank))
    }

    static let joined = [debit(1, reference: "N607812345999"), credit(2, reference: "N607812345999")]

    @Test(arguments: [joined, joined.reversed()]) func sidesWithOneReferenceAreLinked(_ mails: [MailEntry]) throws {
        let f = try Fixture()
        for mail in mails { _ = try f.store.recording.record([mail]) }
        let transfer = try #require(try f.store.transfers.list().first)
        #expect((transfer.state, transfer.basis, transfer.isMadeByPerson) == (.linked, .evidence(.reference), false))
        #expect((transfer.debit?.profile, transfer.credit?.profile) == ("hdfc", "sbi"))
        for row in [transfer.debit, transfer.credit].compactMap({ $0 }) {
            #expect(
                (row.type, row.category, row.subcategory, row.categoryBy, row.status) == (
                    .transfer, "Transfers", "Between Accounts", .transfer, .confirmed
                ))
            #expect(
                row.categoryWhy
                    == "transfer from hdfc 4410 to sbi 4417: both alerts print the same reference -> Transfers / Between Accounts"
            )
            #expect(try f.store.transfers.find(of: row.id)?.id == transfer.id)
        }
        #expect(try f.count("transactions", where: "deleted_at IS NULL") == 2, "both stay")
    }

    @Test func aLinkCanBeUndoneAndStaysUndone() throws {
        let f = try Fixture()
        _ = try f.store.recording.record(Self.joined)
        let before = try #require(try f.store.transfers.list().first)
        let refused = try f.store.transfers.refuse(before.id, by: Self.clerk)
        #expect(refused.state == .refused)
        #expect((refused.debit?.type, refused.credit?.type) == (.expense, .income))
        #expect(
            (refused.debit?.category, refused.debit?.categoryBy, refused.debit?.categoryWhy) == (
                CategoryRow.uncategorized, nil, nil
            ))
        #expect(try f.store.transfers.search() == (0, 0))
        #expect(try f.store.transfers.list() == [])
        #expect(try f.store.journal.changes().map(\.actor.name) == ["asha", "asha"], "recorded in the journal")
        // A person may change the decision.
        #expect(try f.store.transfers.confirm(before.id, by: Self.clerk).state == .linked)
        #expect(try f.store.transactions.find(1)?.type == .transfer)
        #expect(
            try f.store.transfers.refuse(before.id, by: Self.clerk)
                == f.store.transfers.refuse(before.id, by: Self.clerk))
    }

    @Test func undoingByTheJournalUndoesTheLink() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([Self.debit(1), Self.credit(2)])
        let proposal = try #require(try f.store.transfers.list([.proposed]).first)
        try f.store.transfers.confirm(proposal.id, by: .terminal)
        let group = try #require(try f.store.journal.changes().first?.group)
        try f.store.journal.undo(group: group)
        #expect(try f.store.transfers.find(of: 1) == nil)
        #expect(try [f.store.transactions.find(1)?.type, f.store.transactions.find(2)?.type] == [.expense, .income])
    }

    typealias End = @Sendable (Store) throws -> Void
    /// Changes that make the first row unfit as a side of a transfer.
    static let ends: [(String, End)] = [
        ("deleted", { try $0.transactions.delete(1, by: clerk) }),
        (
            "an expense after all",
            {
                var edit = TransactionEdit()
                edit.type = .expense
                try $0.transactions.change(1, edit, by: clerk)
            }
        ),
        (
            "rejected",
            {
                var edit = TransactionEdit()
                edit.status = .rejected
                try $0.transactions.change(1, edit, by: clerk)
            }
        ),
        ("rejected in review", { try $0.review.reject(.transaction(1), by: clerk) }),
    ]

    /// Done, undone, repeated, undone again: by the change or by its group, both sides always agree.
    @Test(arguments: ends, [true, false]) func cutChangesTheOtherSide(
        end: (name: String, run: End), byGroup: Bool
    ) throws {
        let f = try Fixture()
        _ = try f.store.recording.record(Self.joined)
        let id = try #require(try f.store.transfers.list().first).id
        func rows() throws -> [String] {
            try f.store.readDatabase { db in
                try String.fetchAll(
                    db,
                    sql:
                        "SELECT id || ' ' || transaction_type || ' ' || category_name || ' ' || status || ' ' || (deleted_at IS NULL) FROM transactions ORDER BY id"
                )
                    + String.fetchAll(db, sql: "SELECT state FROM transfers")
            }
        }
        let linked = try rows()
        try end.run(f.store)
        let cut = try rows()
        #expect(
            cut[1] == "2 income Uncategorized confirmed 1" && cut[2] == "refused" && cut[0] != linked[0],
            "\(end.name): \(cut)")
        for expected in [linked, cut, linked, cut] {
            let last = try #require(try f.store.journal.changes(ofTransaction: 1).first)
            if byGroup {
                try f.store.journal.undo(group: last.group)
            } else {
                try f.store.journal.undo(change: last.id)
            }
            #expect(try rows() == expected, "\(end.name)")
            #expect(try f.store.transfers.find(of: 2)?.id == (expected == linked ? id : nil))
        }
    }

    @Test func amountAloneIsProposed() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([Self.debit(1), Self.credit(2, at: "10:05:00")])
        let proposal = try #require(try f.store.transfers.list().first)
        #expect((proposal.state, proposal.basis) == (.proposed, .evidence(.amount)))
        #expect(try f.store.transactions.find(1)?.type == .expense, "nothing changes before a person confirms")
        try f.store.transfers.refuse(proposal.id, by: .terminal)
        #expect(try f.store.transfers.search() == (0, 0), "not proposed again")
    }

    @Test func equalAmountsInSeveralPairsAreProposed() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([
            Self.debit(1, at: "10:00:00"), Self.debit(2, at: "10:03:00", bank: "icici", account: "0317"),
            Self.credit(3, at: "10:01:00"), Self.credit(4, at: "10:04:00", bank: "axis", account: "7001"),
        ])
        #expect(try f.store.transfers.list([.linked]) == [])
        #expect(try f.store.transfers.list([.proposed]).count == 4)
        let first = try #require(
            try f.store.transfers.list([.proposed]).first { $0.debit?.id == 1 && $0.credit?.id == 3 })
        try f.store.transfers.confirm(first.id, by: .terminal)
        // Each is a side of one transfer at most: only the pair of the other two remains.
        #expect(try f.store.transfers.list([.proposed]).map { [$0.debit?.id, $0.credit?.id] } == [[2, 4]])
        #expect(throws: StoreError.self) { try f.store.transfers.link(debit: 1, credit: 4, by: .terminal) }
    }

    @Test func databaseEnforcesOneToOne() throws {
        let f = try Fixture()
        _ = try f.store.recording.record(
            Self.joined + [Self.credit(3, reference: "X98765432", bank: "axis", account: "7001")])
        for columns in ["(1, 3)", "(3, 2)"] {
            #expect(throws: StoreError.self) {
                try f.store.writeDatabase {
                    try $0.execute(
                        sql:
                            "INSERT INTO transfers (debit_id, credit_id, state, evidence, why, made_by, created_at, updated_at) SELECT column1, column2, 'linked', '', '', 'rule', '', '' FROM (VALUES \(columns))"
                    )
                }
            }
        }
    }

    @Test func cardBillPaymentIsATransfer() throws {
        let f = try Fixture()
        var bill = decision(
            .recorded,
            draft(
                915_000, type: .expense, channel: .upi, merchant: "CRED Club", account: "4410",
                reference: "607812345000"))
        var mapping = VendorMapping(id: 0, keyword: "cred", categoryID: 1, category: "Loans & Card Payments")
        mapping.subcategory = "Credit Card Bill"
        bill.category = CategoryMatch(mapping: mapping)
        _ = try f.store.recording.record([
            mail(1, bill), Self.credit(2, 915_000, bank: "icici", account: "6021", type: .transfer),
        ])
        let transfer = try #require(try f.store.transfers.list().first)
        #expect((transfer.state, transfer.basis) == (.linked, .evidence(.cardBill)))
        #expect(transfer.debit?.type == .transfer)
        #expect(
            (transfer.credit?.category, transfer.credit?.subcategory) == ("Loans & Card Payments", "Credit Card Bill"))
    }

    @Test func ownAccountWithoutEvidenceIsProposed() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([Self.credit(1, 100)])
        _ = try f.store.recording.record([Self.debit(2, to: "A/c XX4417")])
        let proposal = try #require(try f.store.transfers.list().first)
        #expect((proposal.state, proposal.debit?.id, proposal.credit) == (.proposed, 2, nil))
        // The other side arrives late, which removes the proposal.
        _ = try f.store.recording.record([Self.credit(3, at: "18:00:00")])
        #expect(
            try f.store.transfers.list().map { [$0.state.rawValue, $0.reason.sentence] } == [
                ["linked", "transfer from hdfc 4410 to sbi 4417: one alert names the other account"]
            ])
        _ = try f.store.recording.record([Self.debit(4, 700, to: "A/c XX9999")])
        #expect(try f.store.transfers.list().count == 1, "another person's account is not an own account")
    }

    @Test func shopsAndEditedRowsAreUnchanged() throws {
        let f = try Fixture()
        var shop = decision(
            .recorded,
            draft(
                500_000, channel: .upi, at: "10:00:00", merchant: "SWIGGY", account: "4410", reference: "607800000001"))
        shop.category = CategoryMatch(mapping: VendorMapping(id: 0, keyword: "swiggy", categoryID: 1, category: "Food"))
        _ = try f.store.recording.record([mail(1, shop), Self.credit(2, at: "10:01:00")])
        #expect(try f.store.transfers.list() == [])
        // A person's change stays.
        _ = try f.store.recording.record([Self.debit(3, 800_000, reference: "N607812345777")])
        var edit = TransactionEdit()
        edit.notes = .set("to mother")
        try f.store.transactions.change(3, edit, by: .terminal)
        _ = try f.store.recording.record([Self.credit(4, 800_000, reference: "N607812345777")])
        #expect(try f.store.transfers.list().map(\.state) == [.proposed])
        #expect(try f.store.transactions.find(3)?.type == .expense)
    }

    @Test func repeatedAlertOfALinkedCreditIsADuplicate() throws {
        let f = try Fixture()
        _ = try f.store.recording.record([
            Self.debit(1, reference: "N607812345999"), Self.credit(2, from: "ASHA", reference: "N607812345999"),
        ])
        #expect(try f.store.transactions.find(2)?.type == .transfer)
        let again = mail(
            3,
            decision(
                .recorded, draft(500_000, type: .income, channel: .neft, merchant: "ASHA", account: "4417"), bank: "sbi"
            ))
        #expect(try f.store.recording.record([again]).first?.possibleDuplicateOf == 2)
    }
}
