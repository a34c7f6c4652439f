import Chronology
import Hummingbird
import Ledger
import Profiles
import Review
import Store

/// Every mail with its outcome, and one mail with the reason of it.
enum MailsPage {
    static let rows = 50

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/mails", on: router) { call in
            let list = MailList(call)
            let banks = pages.services.profiles().banks.map { ($0.key, $0.name) }
            return try await pages.show(.mails, call) { [services = pages.services] ledger in
                let page = try ledger.mails.page(list.query)
                var known = try services.mailboxNames(in: ledger)
                for box in try ledger.monitoring.status().mailboxes where !known.contains(box.mailbox) {
                    known.append(box.mailbox)
                }
                if list.query.mailbox == MailLocation.upload { known.append(MailLocation.upload) }
                return MailsView(
                    list, page, banks: banks, mailboxes: known, runs: try ReviewService(ledger).quarantineRuns(),
                    zone: ledger.timeZone)
            }
        }
        pages.get("/app/mails/{id}", on: router) { call in
            let canDecide = pages.services.mailActions != nil
            let banks = Dictionary(pages.services.profiles().banks.map { ($0.key, $0.name) }) { $1 }
            return try await pages.show(.mail, call) { try MailView(call, banks: banks, canDecide: canDecide, in: $0) }
        }
        pages.post("/app/mails/{id}/release", on: router) { call in
            try await pages.decideMail(call) { actions, id, actor, group in
                try actions.release(id, actor, group)
            }
        }
        pages.post("/app/mails/{id}/again", on: router) { call in
            try await pages.decideMail(call) { actions, id, _, _ in try actions.decideAgain(id) }
        }
    }
}

extension Pages {
    /// Decides a mail again and shows it with its outcome.
    fileprivate func decideMail(
        _ call: PageCall,
        _ decide: @escaping @Sendable (MailActions, String, Actor, _ group: String) throws -> Outcome?
    ) async throws -> Response {
        let id = call.parameter("id").lowercased()
        let (result, group) = try await services.decideMail(id, by: call.context.actor, decide)
        let isReleased = call.request.uri.path.hasSuffix("/release")
        let path =
            "/app/mails/\(FormFields.encoded(id))?" + FormFields.encoded([("back", call.back(otherwise: "/app/mails"))])
        switch result {
        case .missing: throw PageProblem.missing(PageText.of("missing.mail"))
        case .unavailable:
            throw PageProblem(
                status: .serviceUnavailable, title: PageText.of("mails.not-here"),
                text: PageText.of("mails.use-parserctl"))
        case .unchanged: return seeOther(path, done: "mail-same")
        case .fetchedAgain: return seeOther(path, done: "mail-fetch")
        case .decided: return seeOther(path, done: "mail-decided", undo: isReleased ? group : nil)
        }
    }
}

/// The query of the list of mails, as the address has it.
struct MailList: Sendable {
    var fields: FormFields
    var query = MailQuery(limit: MailsPage.rows)
    /// Values that are invalid. They are ignored and reported.
    var problems: [String] = []
    var address: String

    init(_ call: PageCall) {
        fields = call.query
        address = call.addressWithoutNotice
        if let word = fields.text("outcome") {
            query.outcomes = Outcome(rawValue: word).map { [$0] }
            if query.outcomes == nil {
                problems.append(PageText.of("mails.no-outcome", ["text": "\(word.prefix(20))"]))
            }
        }
        query.mailbox = fields.text("mailbox")
        query.bank = fields.text("bank")
        query.template = fields.text("template")
        query.text = fields.text("q").map { String($0.prefix(200)) }
        (query.since, query.until) = fields.days(&problems)
        query.before = fields.text("before").flatMap { Int64($0) }
    }

    private static let filters = ["outcome", "mailbox", "bank", "template", "q", "since", "until"]
    var isFiltered: Bool { Self.filters.contains { fields.text($0) != nil } }

    func path(_ changes: [(String, String?)]) -> String {
        let text = fields.with(changes + PageNotice.parameters)
        return "/app/mails" + (text.isEmpty ? "" : "?" + text)
    }
}

struct MailsView: Sendable {
    struct Line: Sendable {
        var path: String
        var subject: String
        var sender: String
        var arrived: String
        var outcome: String
        /// ``Outcome/level``.
        var level: String
        var reason: String?
        var place: String
    }

    var q: String
    var since: String
    var until: String
    var template: String
    var outcomeChoices: [SelectChoice]
    var bankChoices: [SelectChoice]
    var mailboxChoices: [SelectChoice]
    var problems: [String]
    /// Sentences about mailboxes whose latest mails are all quarantined.
    var runs: [String]
    var lines: [Line]
    var isFiltered: Bool
    var older: String?
    var newest: String?

    init(
        _ list: MailList, _ page: MailPage, banks: [(key: String, name: String)], mailboxes: [String],
        runs: [QuarantineRun], zone: IANATimeZone
    ) {
        let fields = list.fields
        q = fields["q"] ?? ""
        since = fields["since"] ?? ""
        until = fields["until"] ?? ""
        template = fields["template"] ?? ""
        func choices(_ all: String, _ values: [(String, String)], _ chosen: String?) -> [SelectChoice] {
            var values = values
            if let chosen, !values.contains(where: { $0.0 == chosen }) { values.append((chosen, chosen)) }
            return [SelectChoice("", all, chosen: chosen ?? "")]
                + values.map { SelectChoice($0.0, $0.1, chosen: chosen) }
        }
        outcomeChoices = choices(
            PageText.of("mails.every-outcome"), Outcome.allCases.map { ($0.rawValue, $0.title) },
            list.query.outcomes?.first?.rawValue)
        bankChoices = choices(PageText.of("common.every-bank"), banks.map { ($0.key, $0.name) }, list.query.bank)
        mailboxChoices = choices(PageText.of("mails.every-mailbox"), mailboxes.map { ($0, $0) }, list.query.mailbox)
        problems = list.problems
        self.runs = runs.map(HealthText.sentence)
        lines = page.rows.map { Line($0, back: list.address, zone) }
        isFiltered = list.isFiltered
        older = page.next.map { list.path([("before", "\($0)")]) }
        newest = list.query.before.map { _ in list.path([("before", nil)]) }
    }
}

extension MailsView.Line {
    init(_ mail: MailRow, back: String, _ zone: IANATimeZone) {
        path = "/app/mails/\(mail.id)?" + FormFields.encoded([("back", back)])
        subject = mail.subject ?? PageText.of("mails.no-subject")
        sender = mail.fromAddress ?? PageText.of("mails.unknown-sender")
        arrived = DayText.instant(mail.receivedAt ?? mail.sentAt ?? mail.processedAt, zone)
        outcome = mail.outcome.title
        level = mail.outcome.level
        reason = mail.reason.map { ReasonText.outcome($0) }
        place = mail.mailbox + "/" + mail.folder
    }
}

extension Outcome {
    /// The outcome of one mail, in words.
    var title: String {
        switch self {
        case .recorded: PageText.of("outcome.booked")
        case .review: PageText.of("outcome.to-review")
        case .duplicate: PageText.of("outcome.copy")
        case .ignored: PageText.of("outcome.ignored")
        case .unclaimed: PageText.of("outcome.unknown")
        case .quarantined: PageText.of("outcome.quarantined")
        case .failed: PageText.of("outcome.failed")
        }
    }

    /// The class of the style sheet.
    var level: String {
        switch self {
        case .recorded: "good"
        case .review, .quarantined, .failed: "bad"
        case .duplicate, .ignored, .unclaimed: "off"
        }
    }
}
