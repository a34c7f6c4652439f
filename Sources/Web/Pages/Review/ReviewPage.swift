import HTTPTypes
import Hummingbird
import Ledger
import Store

/// What waits for a person: the queue, and one item with its mail.
enum ReviewPage {
    /// Items of the list. Who has more settles these first.
    static let lines = 200
    /// Possible transfers that are asked about below the queue; their own page has them all.
    static let questions = 3

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/review", on: router) { call in
            let view = try await pages.services.ledger { store in
                let (lines, total) = try store.reviewLines(limit: Self.lines)
                return ReviewView(
                    lines, total, asked: try store.transfers([.proposed], limit: Self.questions),
                    askedTotal: try store.transferQuestions())
            }
            return await pages.show("review", view, call, title: "Review", section: .review)
        }
        pages.get("/app/review/{id}", on: router) { call in
            let id = ReviewID(call.parameter("id"))
            let view = try await pages.services.ledger { try ReviewItemView(id, in: $0, form: nil) }
            return await pages.show("review-item", view, call, title: "Review", section: .review)
        }
        pages.post("/app/review/{id}", on: router) { call in try await pages.settle(call) }
    }
}

extension Pages {
    /// Accepts with what was corrected, rejects, or only saves. Then comes the next item.
    fileprivate func settle(_ call: PageCall) async throws -> Response {
        let id = ReviewID(call.parameter("id"))
        guard let action = call.form["action"], ["accept", "reject", "save"].contains(action) else {
            throw PageProblem(status: .badRequest, title: "Unknown action", text: "Use the buttons of the page.")
        }
        let result = try await services.ledger {
            [actor = call.context.actor] store -> (view: ReviewItemView?, changed: Bool, group: String, next: String?)
            in
            guard let item = try store.reviewItem(id) else {
                throw PageProblem.missing("such item in the review queue")
            }
            let next = ReviewItemView.neighbours(of: id, in: try store.reviewLines().lines).next
            let group = Store.newGroup()
            if action == "reject" { return (nil, try store.reject(id, by: actor, group: group), group, next) }
            var edit = TransactionEdit()
            if let row = item.transaction {
                var form = TransactionForm(call.form)
                guard let read = try form.edit(of: row, try store.categories()) else {
                    return (try ReviewItemView(id, in: store, form: form), false, group, nil)
                }
                if let revision = call.form["revision"].flatMap({ Int64($0) }), revision != row.revision {
                    throw PageProblem(
                        status: .conflict, title: "Changed meanwhile",
                        text: "Somebody or a new reading changed this item. Look at it again before you settle it.")
                }
                edit = read
            } else {
                // Nothing could be read from the mail: what a person fills in is booked.
                var form = TransactionForm(call.form)
                guard let new = try form.new(try store.categories()) else {
                    return (try ReviewItemView(id, in: store, form: form), false, group, nil)
                }
                edit = TransactionEdit(new)
            }
            if action == "save" {
                return (
                    nil, edit.isEmpty ? false : try store.edit(draft: id, edit, by: actor, group: group), group, nil
                )
            }
            return (nil, try store.accept(id, edit, by: actor, group: group), group, next)
        }
        if let view = result.view {
            return await show(
                "review-item", view, call, title: "Review", section: .review, status: .unprocessableContent)
        }
        let path =
            action == "save" ? "/app/review/\(id.path)" : result.next.map { "/app/review/\($0)" } ?? "/app/review"
        let done =
            !result.changed ? "unchanged" : action == "accept" ? "accepted" : action == "reject" ? "rejected" : "saved"
        return seeOther(
            path, done: done, undo: result.changed ? result.group : nil,
            offer: result.changed && action != "reject" ? id.path : nil)
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
                path: "/app/review/\(line.id.path)", title: title, subject: line.subject,
                date: line.date.map { DayText.text(iso: $0) } ?? "", amount: line.amount.map(MoneyText.text))
        }
        self.total = total == 1 ? "1 item waits" : "\(MoneyText.number(total)) items wait"
        more = total > lines.count ? "The first \(lines.count) are shown." : nil
    }
}

struct ReviewItemView: Sendable {
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

    /// - Parameter form: as it was filled in, where it cannot be saved.
    init(_ id: ReviewID, in store: Store, form filled: TransactionForm?) throws {
        guard let item = try store.reviewItem(id) else { throw PageProblem.missing("such item in the review queue") }
        let categories = try store.categories()
        let lines = try store.reviewLines().lines
        let at = lines.firstIndex { $0.id == id }
        place = at.map { "\($0 + 1) of \(lines.count)" }
        (previous, next) = Self.neighbours(of: id, in: lines)
        self.id = id.path
        let row = item.transaction
        hasDraft = row != nil
        hasTemplate = TemplateName.template(item.mail?.template) != nil
        revision = row.map { "\($0.revision)" } ?? ""
        heading = row?.vendor ?? row?.vpa ?? item.mail?.subject ?? item.mail?.fromAddress ?? "A mail"
        amountText = row.map { ($0.type == .income ? "+" : "") + MoneyText.text($0.amount) }
        isSettled =
            at != nil
            ? nil
            : row?.status == .confirmed
                ? "It is booked." : row?.status == .rejected ? "It was rejected." : "It is settled."
        confidence = row.flatMap(\.confidence).map { "\(Int(($0 * 100).rounded())) %" }
        reasons = item.reasons.sorted { $0.weight < $1.weight }.map(ReasonLine.init)
        reason = row == nil ? item.mail?.reason : nil
        alike =
            item.alike > 1
            ? "\(item.alike) mails like this one wait. One template would read them all: make it under the mail." : nil
        let provenance = row?.provenance ?? item.mail?.provenance
        source = try MailSource(ofMail: item.mail?.id, provenance: provenance, in: store).map(MailSourceView.init)
        twin = item.possibleDuplicate.map { other in
            Twin(
                path: "/app/transactions/\(other.id)", merchant: other.vendor ?? other.vpa ?? "No merchant",
                date: DayText.text(iso: other.date) + (other.time.map { ", " + $0.prefix(5) } ?? ""),
                amount: MoneyText.text(other.amount), account: other.accountName, reference: other.reference,
                status: other.status == .confirmed ? "booked" : other.status == .needsReview ? "waits, too" : "rejected"
            )
        }
        form =
            filled ?? row.map { TransactionForm($0, categories) }
            ?? TransactionForm(
                day: (item.mail?.receivedAt ?? item.mail?.sentAt).flatMap { CalendarDate(iso: $0.prefix(10)) }
                    ?? CalendarDate(daysSince1970: 0))
        problems = form.problems
        (typeChoices, categoryChoices) = form.choices(categories)
        categoryReason = row.flatMap(TransactionLine.whole)
    }

    /// The items before and behind one, as they stand in an address.
    static func neighbours(of id: ReviewID, in lines: [ReviewLine]) -> (previous: String?, next: String?) {
        guard let at = lines.firstIndex(where: { $0.id == id }) else { return (nil, lines.first?.id.path) }
        return (at > 0 ? lines[at - 1].id.path : nil, at + 1 < lines.count ? lines[at + 1].id.path : nil)
    }
}
