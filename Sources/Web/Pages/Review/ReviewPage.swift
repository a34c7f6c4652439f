import Chronology
import HTTPTypes
import Hummingbird
import Ledger
import Review
import Store

/// The review queue, and one item with its mail.
enum ReviewPage {
    /// Items in the list; the rest follows when these are decided.
    static let lines = 200
    /// Possible transfers that are shown below the queue; their own page has them all.
    static let questions = 3

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/review", on: router) { call in
            try await pages.show(.review, call) { ledger in
                let (lines, total) = try ReviewService(ledger).lines(limit: Self.lines)
                return ReviewView(
                    lines, total, asked: try ledger.transfers.list([.proposed], limit: Self.questions),
                    askedTotal: try ledger.transfers.proposalCount())
            }
        }
        pages.get("/app/review/{id}", on: router) { call in
            let id = ReviewID(call.parameter("id"))
            return try await pages.show(.reviewItem, call) { try ReviewItemView(id, in: $0, form: nil) }
        }
        pages.post("/app/review/{id}", on: router) { call in try await pages.decide(call) }
    }
}

/// The buttons of a review item.
fileprivate enum ReviewAction: String {
    case accept, reject, save

    /// The word that names the result in the address of the next page.
    var done: String {
        switch self {
        case .accept: "accepted"
        case .reject: "rejected"
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
            throw PageProblem(status: .badRequest, title: "Unknown action", text: "Use the buttons of the page.")
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
                offer: result.changed && action != .reject ? id.argument : nil)
        } catch let error as InvalidForm {
            return try await show(.reviewItem, call) { try ReviewItemView(id, in: $0, form: error.form) }
        } catch is ReviewConflict {
            throw PageProblem(
                status: .conflict, title: "Changed meanwhile",
                text: "This item was changed while you were looking at it. Review it again before you decide.")
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
    }

    var lines: [Line]
    var total: String
    var more: String?
    /// Possible transfers.
    var asked: [TransferLine]
    var askedMore: String
    var isEmpty: Bool
    var here = "/app/review"

    init(_ lines: [ReviewLine], _ total: Int, asked: [TransferRow], askedTotal: Int) {
        self.asked = asked.map(TransferLine.init)
        askedMore = askedTotal > asked.count ? "All \(askedTotal) questions" : "All transfers"
        isEmpty = lines.isEmpty && asked.isEmpty
        self.lines = lines.map { line in
            let title = line.merchant ?? line.sender ?? "A mail"
            return Line(
                path: "/app/review/\(line.id.argument)", title: title, subject: line.subject,
                date: line.date.map { DayText.text($0) } ?? "", amount: line.amount.map(MoneyText.text))
        }
        self.total = total == 1 ? "1 item waits" : "\(MoneyText.number(total)) items wait"
        more = total > lines.count ? "The first \(lines.count) are shown." : nil
    }
}

struct ReviewItemView: FormView {
    struct Twin: Sendable {
        var path: String
        var merchant: String
        var date: String
        var amount: String
        var account: String?
        var reference: String?
        var status: String
    }

    var id: String
    var revision = ""
    var heading: String
    var amountText: String?
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
        guard let content = try service.content(id) else { throw PageProblem.missing("such item in the review queue") }
        let categories = try store.categories.all()
        let lines = try service.lines().lines
        let neighbours = QueueNeighbours(of: id, in: lines)
        let row = content.draft
        self.id = id.argument
        place = neighbours.position.map { "\($0 + 1) of \(lines.count)" }
        previous = neighbours.previous?.argument
        next = neighbours.next?.argument
        hasDraft = row != nil
        hasTemplate = TemplateName.template(content.mail?.template) != nil
        revision = row.map { "\($0.revision)" } ?? ""
        heading = row?.vendor ?? row?.vpa ?? content.mail?.subject ?? content.mail?.fromAddress ?? "A mail"
        amountText = row.map {
            ($0.type == .income && !content.lacksDirection ? "+" : "") + MoneyText.text($0.amount)
        }
        isSettled = neighbours.position == nil ? Self.stateText(row) : nil
        confidence = row.flatMap(\.confidence).map { "\(Int(($0 * 100).rounded())) %" }
        reasons = content.reasons.sorted { $0.weight < $1.weight }.map(ReasonLine.init)
        reason = row == nil ? content.mail?.reason : nil
        alike =
            content.alike > 1
            ? "\(content.alike) mails like this one wait. One template would read them all: make it under the mail."
            : nil
        source = MailSourceView(content, store.timeZone)
        twin = content.possibleDuplicate.map(Twin.init)
        form =
            filled ?? row.map { TransactionForm($0, categories, lacksDirection: content.lacksDirection) }
            ?? TransactionForm(day: Self.arrivalDay(content.mail))
        problems = form.problems
        (typeChoices, categoryChoices) = form.choices(categories)
        categoryReason = row.flatMap(TransactionLine.whole)
    }

    private static func stateText(_ row: TransactionRow?) -> String {
        switch row?.status {
        case .confirmed: "It is booked."
        case .rejected: "It was rejected."
        case .needsReview, nil: "It is decided."
        }
    }

    private static func arrivalDay(_ mail: MailRow?) -> CalendarDate {
        (mail?.receivedAt ?? mail?.sentAt).map { $0.day() }
            ?? CalendarDate(daysSince1970: 0)
    }
}

extension ReviewItemView.Twin {
    init(_ other: TransactionRow) {
        path = "/app/transactions/\(other.id)"
        merchant = other.vendor ?? other.vpa ?? "No merchant"
        date = DayText.text(other.date) + (other.time.map { ", " + $0.hoursAndMinutes } ?? "")
        amount = MoneyText.text(other.amount)
        account = other.accountName
        reference = other.reference
        status = other.status == .confirmed ? "booked" : other.status == .needsReview ? "waits, too" : "rejected"
    }
}
