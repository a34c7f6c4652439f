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
            let filter = HistoryFilter(call.query)
            let here = call.addressWithoutNotice
            return try await pages.show(.history, call) { try HistoryView(filter, here: here, in: $0) }
        }
    }
}

/// The edits that the page shows, as its address selects them.
struct HistoryFilter: Sendable {
    var kind: LedgerChange.Kind?
    /// The name of the author.
    var author: String?
    /// Older edits than this one.
    var before: Int64?
    /// One group, with all that it changed.
    var group: String?
    /// Values of the address that are invalid.
    var problems: [String]

    init(_ query: FormFields) {
        var reader = Query(query)
        kind = reader.choice("kind", LedgerChange.Kind.self)
        problems = reader.sentences
        author = query.text("by")
        before = query.text("before").flatMap { Int64($0) }
        group = query.text("group")
    }

    /// Names that the line of a group shows.
    var names: Int { group != nil ? 200 : kind == .deleted ? 5 : 3 }

    /// The path of the page with this kind and author, and nothing else of the filter.
    static func path(_ kind: LedgerChange.Kind?, _ author: String?, before: Int64? = nil) -> String {
        let fields = [("kind", kind?.rawValue), ("by", author), ("before", before.map { "\($0)" })]
            .compactMap { name, value in value.map { (name, $0) } }
        return fields.isEmpty ? "/app/history" : "/app/history?" + FormFields.encoded(fields)
    }
}

struct HistoryView: Sendable {
    struct Line: Sendable {
        var at: String
        var actor: String
        /// The action, with the number of rows.
        var what: String
        var subjects: [ChangeSubject]
        /// The number of rows that are not named, and the page that names them.
        var more: String?
        var wholePath: String
        var details: [ChangeDetail]
        /// The group to undo; `nil` if nothing is left to undo.
        var undo: String?
        /// The word of the button.
        var button: String
        var isUndone: Bool
    }

    var rows: [Line]
    var filters: [DashboardView.Choice]
    /// The authors to choose from; empty if there is only one.
    var authors: [DashboardView.Choice]
    var here: String
    var older: String?
    /// Values of the address that are invalid.
    var problems: [String]

    init(_ filter: HistoryFilter, here: String, in ledger: Snapshot) throws {
        let page = try ledger.journal.groups(
            kind: filter.kind, author: filter.author, before: filter.before, group: filter.group,
            limit: HistoryPage.rows, sample: filter.group == nil ? 20 : filter.names)
        let words = try ChangeWords(page.groups, in: ledger)
        rows = page.groups.map { Line($0, filter, words, ledger.timeZone) }
        self.here = here
        problems = filter.problems
        let kinds: [(String, LedgerChange.Kind?)] = [
            (PageText.of("common.all"), nil), (PageText.of("history.deleted"), .deleted),
            (PageText.of("history.changed"), .changed), (PageText.of("history.accepted"), .accepted),
            (PageText.of("history.rejected"), .rejected), (PageText.of("history.added"), .added),
            (PageText.of("history.is-undone"), .undone),
        ]
        filters = kinds.map { title, choice in
            .init(
                title: title, path: HistoryFilter.path(choice, filter.author),
                isCurrent: choice == filter.kind && filter.group == nil)
        }
        let names = try ledger.journal.authors()
        authors =
            names.count < 2
            ? []
            : [
                .init(
                    title: PageText.of("history.everybody"), path: HistoryFilter.path(filter.kind, nil),
                    isCurrent: filter.author == nil)
            ]
                + names.map {
                    .init(title: $0, path: HistoryFilter.path(filter.kind, $0), isCurrent: $0 == filter.author)
                }
        older = page.next.map { HistoryFilter.path(filter.kind, filter.author, before: $0) }
    }
}

extension HistoryView.Line {
    fileprivate init(_ group: ChangeGroup, _ filter: HistoryFilter, _ words: ChangeWords, _ zone: IANATimeZone) {
        at = DayText.instant(group.at, zone)
        actor = group.actor.name.isEmpty ? group.actor.kind.rawValue : group.actor.name
        what = group.kinds.sorted { $0.value > $1.value }.map { kind, count in
            count == 1 ? kind.words : "\(kind.words) (\(count))"
        }.joined(separator: ", ")
        let shown = filter.kind == .deleted ? group.sample.filter { $0.kind == .deleted } : group.sample
        subjects = words.subjects(shown, limit: filter.names)
        let rest = group.changes - subjects.count
        more = rest > 0 ? PageText.of("history.and-more", count: rest) : nil
        wholePath = "/app/history?" + FormFields.encoded([("group", group.group)])
        details = words.details(group.commonValues.isEmpty ? group.last.changedValues : group.commonValues)
        isUndone = group.open == 0 && !group.isUndo
        undo = group.open > 0 ? group.group : nil
        button =
            group.kinds[.deleted] != nil
            ? PageText.of("history.restore") : group.isUndo ? PageText.of("history.repeat") : PageText.of("common.undo")
    }
}
