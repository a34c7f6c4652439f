import Hummingbird
import Ledger
import Store

/// The proposals that wait for a person: transfers, refunds, and other links between transactions.
enum QuestionsPage {
    static let rows = 100

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/questions", on: router) { call in
            try await pages.show(.questions, call) { try QuestionsView(in: $0) }
        }
    }
}

/// Two transactions that may belong together.
struct LinkQuestion: Sendable {
    struct Side: Sendable {
        var path: String
        var text: String
    }

    var id: String
    var title: String
    var sentence: String
    var why: String
    var sides: [Side]

    init(_ link: EventLinkRow, back: String) {
        id = "\(link.id)"
        title = LinkText.title(link.kind, isChanged: true, isAsked: true)
        sentence = LinkText.sentence(link, isAsked: true)
        why = LinkText.reason(link) + ", " + PercentText.text(link.confidence)
        sides = [link.from, link.to].map { row in
            Side(
                path: "/app/transactions/\(row.id)?" + FormFields.encoded([("back", back)]),
                text: LinkText.transaction(row))
        }
    }
}

struct QuestionsView: Sendable {
    /// Possible transfers.
    var asked: [TransferLine]
    var questions: [LinkQuestion]
    var isEmpty: Bool
    var more: String?
    var here = "/app/questions"

    init(in ledger: Snapshot) throws {
        asked = try ledger.transfers.list([.proposed], limit: QuestionsPage.rows).map(TransferLine.init)
        let links = try ledger.eventLinks.list([.proposed], limit: QuestionsPage.rows + 1)
        questions = links.prefix(QuestionsPage.rows).map { LinkQuestion($0, back: "/app/questions") }
        isEmpty = asked.isEmpty && questions.isEmpty
        more = links.count > QuestionsPage.rows ? PageText.of("common.newest-shown", count: QuestionsPage.rows) : nil
    }
}
