import Chronology
import Hummingbird
import Ledger
import Review
import Store

/// All edits by people and clients, with undo.
enum HistoryPage {
    /// Groups on a page.
    static let rows = 50

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/history", on: router) { call in
            let kind = call.query.text("kind").flatMap(LedgerChange.Kind.init)
            let author = call.query.text("by")
            let before = call.query.text("before").flatMap { Int64($0) }
            let here = call.addressWithoutNotice
            return try await pages.show(.history, call) { ledger in
                try HistoryView(kind, by: author, before: before, here: here, in: ledger)
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
    /// The authors to choose from; empty if there is only one.
    var authors: [DashboardView.Choice]
    var here: String
    var older: String?

    init(
        _ kind: LedgerChange.Kind?, by author: String?, before: Int64?, here: String, in ledger: Snapshot
    ) throws {
        let page = try ledger.journal.groups(kind: kind, author: author, before: before, limit: HistoryPage.rows)
        rows = try page.groups.map { try Line($0, in: ledger) }
        self.here = here
        func path(_ kind: LedgerChange.Kind?, _ author: String?, before: Int64? = nil) -> String {
            let fields = [("kind", kind?.rawValue), ("by", author), ("before", before.map { "\($0)" })]
                .compactMap { name, value in value.map { (name, $0) } }
            return fields.isEmpty ? "/app/history" : "/app/history?" + FormFields.encoded(fields)
        }
        let kinds: [(String, LedgerChange.Kind?)] = [
            (PageText.of("common.all"), nil), (PageText.of("history.deleted"), .deleted),
            (PageText.of("history.changed"), .changed), (PageText.of("history.accepted"), .accepted),
            (PageText.of("history.rejected"), .rejected), (PageText.of("history.added"), .added),
            (PageText.of("history.is-undone"), .undone),
        ]
        filters = kinds.map { title, choice in
            .init(title: title, path: path(choice, author), isCurrent: choice == kind)
        }
        let names = try ledger.journal.authors()
        authors =
            names.count < 2
            ? []
            : [.init(title: PageText.of("history.everybody"), path: path(kind, nil), isCurrent: author == nil)]
                + names.map { .init(title: $0, path: path(kind, $0), isCurrent: $0 == author) }
        older = page.next.map { path(kind, author, before: $0) }
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
        button =
            group.kinds[.deleted] != nil
            ? PageText.of("history.restore") : group.isUndo ? PageText.of("history.repeat") : PageText.of("common.undo")
        guard let id = group.last.transactionID else { return }
        if let row = try ledger.transactions.find(id) {
            subject = "\(row.vendor ?? row.vpa ?? PageText.of("common.no-merchant")), \(MoneyText.text(row.amount))"
            path = "/app/transactions/\(id)"
        } else {
            subject = PageText.of("history.transaction", ["id": "\(id)"])
        }
    }
}

extension HistoryView.Detail {
    init(_ value: ChangedValue) {
        field = value.field.title
        before = Self.words(value.before, value.field)
        after = Self.words(value.after, value.field)
    }

    private static func words(_ text: String?, _ field: ChangedValue.Field) -> String {
        guard let text else { return PageText.of("common.none-value") }
        return field == .channel ? Channel(rawValue: text)?.words ?? text : text
    }
}

extension ChangedValue.Field {
    fileprivate var title: String {
        switch self {
        case .amount: PageText.of("common.amount")
        case .type: PageText.of("common.type")
        case .status: PageText.of("common.state")
        case .date: PageText.of("common.date")
        case .time: PageText.of("common.time")
        case .merchant: PageText.of("common.merchant")
        case .category: PageText.of("common.category")
        case .subcategory: PageText.of("categories.subcategory")
        case .account: PageText.of("common.account")
        case .channel: PageText.of("history.channel")
        case .reference: PageText.of("common.reference")
        case .vpa: PageText.of("common.upi-address")
        case .notes: PageText.of("history.note")
        case .tags: PageText.of("history.tags")
        }
    }
}
