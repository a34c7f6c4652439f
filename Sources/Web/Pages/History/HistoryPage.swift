import Chronology
import Hummingbird
import Review
import Store

/// All edits by people and clients, with undo.
enum HistoryPage {
    /// Groups on a page.
    static let rows = 50

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/history", on: router) { call in
            let kind = call.query.text("kind").flatMap(LedgerChange.Kind.init)
            let before = call.query.text("before").flatMap { Int64($0) }
            let here = call.addressWithoutNotice
            return try await pages.show(.history, call) { ledger in
                try HistoryView(kind, before: before, here: here, in: ledger)
            }
        }
    }
}

struct HistoryView: Sendable {
    struct Line: Sendable {
        var at: String
        var actor: String
        /// The action, with the number of rows.
        var what: String
        var subject: String?
        var path: String?
        var details: [Detail]
        /// The group to undo; `nil` if nothing is left to undo.
        var undo: String?
        /// The word of the button.
        var button: String
        var isUndone: Bool
    }

    struct Detail: Sendable {
        var field: String
        var before: String
        var after: String
    }

    var rows: [Line]
    var filters: [DashboardView.Choice]
    var here: String
    var older: String?

    init(_ kind: LedgerChange.Kind?, before: Int64?, here: String, in ledger: Snapshot) throws {
        let page = try ledger.journal.groups(kind: kind, before: before, limit: HistoryPage.rows)
        rows = try page.groups.map { try Line($0, in: ledger) }
        self.here = here
        func path(_ fields: [(String, String)]) -> String {
            fields.isEmpty ? "/app/history" : "/app/history?" + FormFields.encoded(fields)
        }
        let kinds: [(String, LedgerChange.Kind?)] = [
            ("All", nil), ("Deleted", .deleted), ("Changed", .changed), ("Accepted", .accepted),
            ("Rejected", .rejected), ("Added", .added), ("Undone", .undone),
        ]
        filters = kinds.map { title, choice in
            .init(title: title, path: path(choice.map { [("kind", $0.rawValue)] } ?? []), isCurrent: choice == kind)
        }
        older = page.next.map { path((kind.map { [("kind", $0.rawValue)] } ?? []) + [("before", "\($0)")]) }
    }
}

extension HistoryView.Line {
    init(_ group: ChangeGroup, in ledger: Snapshot) throws {
        at = DayText.instant(group.at, ledger.timeZone)
        actor = group.actor.name.isEmpty ? group.actor.kind.rawValue : group.actor.name
        what = group.kinds.sorted { $0.value > $1.value }.map { kind, count in
            count == 1 ? kind.words : "\(kind.words) (\(count))"
        }.joined(separator: ", ")
        details = group.changes == 1 ? group.last.changedValues.map(HistoryView.Detail.init) : []
        isUndone = group.open == 0 && !group.isUndo
        undo = group.open > 0 ? group.group : nil
        button = group.kinds[.deleted] != nil ? "Restore" : group.isUndo ? "Repeat" : "Undo"
        guard let id = group.last.transactionID else { return }
        if let row = try ledger.transactions.find(id) {
            subject = "\(row.vendor ?? row.vpa ?? "No merchant"), \(MoneyText.text(row.amount))"
            path = "/app/transactions/\(id)"
        } else {
            subject = "transaction \(id)"
        }
    }
}

extension HistoryView.Detail {
    init(_ value: ChangedValue) {
        field = value.field.title
        before = value.before ?? "none"
        after = value.after ?? "none"
    }
}

extension ChangedValue.Field {
    fileprivate var title: String {
        switch self {
        case .amount: "Amount"
        case .type: "Type"
        case .status: "State"
        case .date: "Date"
        case .time: "Time"
        case .merchant: "Merchant"
        case .category: "Category"
        case .subcategory: "Subcategory"
        case .account: "Account"
        case .channel: "Channel"
        case .reference: "Reference"
        case .vpa: "UPI address"
        case .notes: "Note"
        case .tags: "Tags"
        }
    }
}
