import Chronology
import HTTPTypes
import Hummingbird
import Ledger
import Profiles
import Review
import Store

/// The review queue, and one item with its mail.
enum ReviewPage {
    /// Items in the list; the rest follows when these are decided.
    static let lines = 100
    /// Possible transfers that are shown below the queue; their own page has them all.
    static let questions = 3

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/review", on: router) { call in
            let banks = Dictionary(pages.services.profiles().banks.map { ($0.key, $0.name) }) { $1 }
            return try await pages.show(.review, call) { ledger in
                let service = ReviewService(ledger)
                return ReviewView(
                    try service.list(limit: Self.lines), try service.count(), banks: banks,
                    asked: try ledger.transfers.list([.proposed], limit: Self.questions),
                    askedTotal: try ledger.transfers.proposalCount() + ledger.eventLinks.proposalCount())
            }
        }
        pages.get("/app/review/{id}", on: router) { call in
            let id = ReviewID(call.parameter("id"))
            return try await pages.show(.reviewItem, call) { try ReviewItemView(id, in: $0, form: nil) }
        }
        pages.post("/app/review/{id}", on: router) { call in try await pages.decide(call) }
        pages.post("/app/review/{id}/alike", on: router) { call in try await pages.resolveAlike(call) }
    }
}

/// The buttons of a review item.
fileprivate enum ReviewAction: String {
    case accept, reject, save

    /// The word that names the result in the address of the next page.
    var done: String {
        switch self {
        case .accept: "accepted"
        case .reject: PageText.of("transaction.rejected")
        case .save: "saved"
        }
    }
}

/// A form that cannot be saved; it is shown again with its problems.
fileprivate struct InvalidForm: Error {
    let form: TransactionForm
}

extension SeenDraft {
    /// From the form's field `revision`: empty if the page showed a mail without a draft.
    fileprivate init(form: FormFields) {
        switch form["revision"] {
        case nil: self = .anything
        case let text?: self = Int64(text).map(SeenDraft.revision) ?? .noDraft
        }
    }
}

extension Pages {
    /// Accepts with the corrections, rejects, or only saves; then shows the next item.
    fileprivate func decide(_ call: PageCall) async throws -> Response {
        let id = ReviewID(call.parameter("id"))
        guard let action = call.form["action"].flatMap(ReviewAction.init) else {
            throw PageProblem(
                status: .badRequest, title: PageText.of("review.unknown-action"),
                text: PageText.of("review.use-buttons"))
        }
        do {
            let (result, next) = try await services.ledger { [actor = call.context.actor, form = call.form] store in
                let service = ReviewService(store, by: actor)
                let next = try service.next(after: id)
                return (try Self.perform(action, id, form, service, in: store), next)
            }
            let path =
                action == .save ? "/app/review/\(id.argument)" : "/app/review" + (next.map { "/\($0.argument)" } ?? "")
            return seeOther(
                path, done: result.changed ? action.done : "unchanged", undo: result.changed ? result.group : nil,
                offer: result.changed && action != .reject ? id.argument : nil,
                about: result.changed ? id.argument : nil)
        } catch let error as InvalidForm {
            return try await show(.reviewItem, call) { try ReviewItemView(id, in: $0, form: error.form) }
        } catch is ReviewConflict {
            return try await show(.reviewItem, call, status: .conflict) {
                var view = try ReviewItemView(id, in: $0, form: TransactionForm(call.form))
                view.problems = view.form.conflict(with: view.saved)
                return view
            }
        }
    }

    /// Accepts or rejects the items that the page showed as alike, then shows the next other item.
    fileprivate func resolveAlike(_ call: PageCall) async throws -> Response {
        let id = ReviewID(call.parameter("id"))
        guard let action = call.form["action"].flatMap(ReviewAction.init), action != .save else {
            throw PageProblem(
                status: .badRequest, title: PageText.of("review.unknown-action"),
                text: PageText.of("review.use-buttons"))
        }
        let items = call.form.all("item").map { text -> (id: ReviewID, seen: SeenDraft) in
            let parts = text.split(separator: ".", maxSplits: 1)
            return (
                ReviewID(String(parts.first ?? "")),
                parts.count > 1 ? Int64(parts[1]).map(SeenDraft.revision) ?? .noDraft : .noDraft
            )
        }
        do {
            let (result, next) = try await services.ledger { [actor = call.context.actor] store in
                let service = ReviewService(store, by: actor)
                let lines = try service.lines().lines
                let settled = Set(items.map(\.id))
                let place = lines.firstIndex { $0.id == id } ?? 0
                let next = (lines[place...] + lines[..<place]).first { !settled.contains($0.id) }?.id
                return (try service.resolve(items, accepting: action == .accept), next)
            }
            return seeOther(
                "/app/review" + (next.map { "/\($0.argument)" } ?? ""),
                done: result.changed > 0 ? action.done + "-alike" : "unchanged",
                undo: result.changed > 0 ? result.group : nil, about: result.changed > 0 ? id.argument : nil,
                count: result.changed)
        } catch is ReviewConflict {
            throw PageProblem(
                status: .conflict, title: PageText.of("problem.changed"),
                text:
                    PageText.of("review.item-changed"))
        }
    }

    private static func perform(
        _ action: ReviewAction, _ id: ReviewID, _ fields: FormFields, _ service: ReviewService<some WriteScope>,
        in store: some ReadScope
    ) throws -> ReviewResult {
        let seen = SeenDraft(form: fields)
        if action == .reject { return try service.reject(id, seen: seen) }
        let categories = try store.categories.all()
        func edit(_ item: ReviewItem) throws -> TransactionEdit {
            var form = TransactionForm(fields)
            // A mail that could not be read is booked from the form alone.
            let edit =
                try item.transaction.map {
                    try form.edit(of: $0, categories, lacksDirection: item.lacksDirection)
                }
                ?? form.new(categories).map(TransactionEdit.init)
            guard let edit else { throw InvalidForm(form: form) }
            return edit
        }
        return action == .accept
            ? try service.accept(id, seen: seen, edit: edit) : try service.correct(id, seen: seen, edit: edit)
    }
}

struct ReviewView: Sendable {
    struct Line: Sendable {
        var path: String
        var title: String
        var subject: String?
        var date: String
        var amount: String?
        /// `income` or `transfer`; `nil` for an expense, and if the direction is not known.
        var typeWord: String?
        var bank: String?
        var confidence: String?
        /// The reason that lowered the confidence most.
        var reason: String?
    }

    var lines: [Line]
    var total: String
    var more: String?
    /// Possible transfers.
    var asked: [TransferLine]
    var askedMore: String
    var hasQuestions: Bool
    var isEmpty: Bool
    var here = "/app/review"

    /// - Parameter banks: the names of the banks by their keys.
    init(_ items: [ReviewItem], _ total: Int, banks: [String: String], asked: [TransferRow], askedTotal: Int) {
        self.asked = asked.map(TransferLine.init)
        askedMore =
            askedTotal > asked.count
            ? PageText.of("review.all-questions", count: askedTotal) : PageText.of("review.questions-page")
        isEmpty = items.isEmpty && askedTotal == 0
        hasQuestions = askedTotal > 0
        lines = items.compactMap { Line($0, banks) }
        self.total = PageText.of("review.wait", count: total)
        more = total > items.count ? PageText.of("common.first-shown", count: items.count) : nil
    }
}

extension ReviewView.Line {
    init?(_ item: ReviewItem, _ banks: [String: String]) {
        guard let id = item.id else { return nil }
        let (draft, mail) = (item.transaction, item.mail)
        path = "/app/review/\(id.argument)"
        title = draft?.vendor ?? draft?.vpa ?? mail?.subject ?? mail?.fromAddress ?? PageText.of("notice.item")
        subject = draft == nil ? nil : mail?.subject
        date = (draft?.date ?? (mail?.receivedAt ?? mail?.sentAt)?.day()).map(DayText.text) ?? ""
        let type = item.lacksDirection ? nil : draft?.type
        amount = draft.map { MoneyText.signed($0.amount, type) }
        typeWord = type.flatMap { $0 == .expense ? nil : PageText.of("type.word-\($0.rawValue)") }
        bank = (draft?.profile ?? mail?.profile).map { banks[$0] ?? $0 }
        confidence = draft?.confidence.map(PercentText.text)
        reason = item.reasons.min { $0.weight < $1.weight }.map(ReasonText.note) ?? (draft == nil ? mail?.reason : nil)
    }
}

struct ReviewItemView: FormView, TitledView {
    struct Twin: Sendable {
        var path: String
        var merchant: String
        var date: String
        var amount: String
        var account: String?
        var reference: String?
        var status: String
    }

    /// Another item that can be resolved together with this one.
    struct Alike: Sendable {
        /// The number and the revision that the page shows.
        var value: String
        var name: String
        var date: String
        var amount: String?
        var path: String
        var isThis: Bool
    }

    var id: String
    var title: String
    var revision = ""
    var heading: String
    var amountText: String?
    /// The items that can be resolved as one, this one first. Empty if no other item is alike.
    var together: [Alike]
    var togetherCount: String
    /// The saved values, for a comparison with typed ones.
    let saved: TransactionForm
    var place: String?
    var previous: String?
    var next: String?
    var hasDraft: Bool
    var hasTemplate: Bool
    var isSettled: String?
    var confidence: String?
    var reasons: [ReasonLine]
    var reason: String?
    var alike: String?
    var source: MailSourceView?
    var twin: Twin?
    var form: TransactionForm
    var isNew = false
    var typeChoices: [SelectChoice]
    var categoryChoices: [SelectChoice]
    var categoryReason: String?
    var problems: [String]

    /// - Parameter filled: a form that cannot be saved, shown as it was filled in.
    init(_ id: ReviewID, in store: some ReadScope, form filled: TransactionForm?) throws {
        let service = ReviewService(store)
        guard let content = try service.content(id) else { throw PageProblem.missing(PageText.of("missing.item")) }
        let categories = try store.categories.all()
        let lines = try service.lines().lines
        let neighbours = QueueNeighbours(of: id, in: lines)
        let row = content.draft
        self.id = id.argument
        place = neighbours.position.map {
            PageText.of("review-item.place", ["number": "\($0 + 1)", "total": "\(lines.count)"])
        }
        previous = neighbours.previous?.argument
        next = neighbours.next?.argument
        hasDraft = row != nil
        hasTemplate = TemplateName.template(content.mail?.template) != nil
        revision = row.map { "\($0.revision)" } ?? ""
        heading =
            row?.vendor ?? row?.vpa ?? content.mail?.subject ?? content.mail?.fromAddress ?? PageText.of("notice.item")
        amountText = row.map { MoneyText.signed($0.amount, content.lacksDirection ? nil : $0.type) }
        title = [heading, amountText, PageText.of("page.review")].compactMap { $0 }.joined(separator: " · ")
        together = service.alike(id, in: lines).prefix(Self.togetherLimit).map { Alike($0, isThis: $0.id == id) }
        togetherCount = "\(together.count)"
        isSettled = neighbours.position == nil ? Self.stateText(row) : nil
        confidence = row.flatMap(\.confidence).map(PercentText.text)
        reasons = content.reasons.sorted { $0.weight < $1.weight }.map(ReasonLine.init)
        reason = row == nil ? content.mail?.reason.map { ReasonText.outcome($0, of: content.reasons) } : nil
        alike =
            content.alike > 1
            ? PageText.of("review-item.alike-mails", count: content.alike)
            : nil
        source = MailSourceView(content, store.timeZone)
        twin = content.possibleDuplicate.map(Twin.init)
        saved =
            row.map { TransactionForm($0, categories, lacksDirection: content.lacksDirection) }
            ?? TransactionForm(day: Self.arrivalDay(content.mail), currency: content.currency)
        form = filled ?? saved
        problems = form.problems
        (typeChoices, categoryChoices) = form.choices(categories)
        categoryReason = row.flatMap(TransactionLine.whole)
    }

    /// Limit of items that are resolved as one.
    private static let togetherLimit = 50

    private static func stateText(_ row: TransactionRow?) -> String {
        switch row?.status {
        case .confirmed: PageText.of("review-item.is-booked")
        case .rejected: PageText.of("review-item.was-rejected")
        case .needsReview, nil: PageText.of("review-item.is-decided")
        }
    }

    private static func arrivalDay(_ mail: MailRow?) -> CalendarDate {
        (mail?.receivedAt ?? mail?.sentAt).map { $0.day() }
            ?? CalendarDate(daysSince1970: 0)
    }
}

extension ReviewItemView.Alike {
    init(_ line: ReviewLine, isThis: Bool) {
        value = line.id.argument + "." + (line.revision.map { "\($0)" } ?? "")
        name = line.merchant ?? line.subject ?? line.sender ?? PageText.of("notice.item")
        date = line.date.map(DayText.text) ?? ""
        amount = line.amount.map { MoneyText.signed($0, line.lacksDirection ? nil : line.type) }
        path = "/app/review/\(line.id.argument)"
        self.isThis = isThis
    }
}

extension ReviewItemView.Twin {
    init(_ other: TransactionRow) {
        path = "/app/transactions/\(other.id)"
        merchant = other.vendor ?? other.vpa ?? PageText.of("common.no-merchant")
        date = DayText.text(other.date) + (other.time.map { ", " + $0.hoursAndMinutes } ?? "")
        amount = MoneyText.text(other.amount)
        account = other.accountName
        reference = other.reference
        status =
            other.status == .confirmed
            ? PageText.of("review-item.booked")
            : other.status == .needsReview ? PageText.of("review-item.waits-too") : PageText.of("transaction.rejected")
    }
}
