import Chronology
import ChronologyFixture
import Ledger
import Review

@testable import ReviewScreen
@testable import Store

/// Handles effects on a queue of invented items in memory.
struct FakeHandler: EffectHandler {
    var contents: [ReviewItemContent]
    var settled: [(content: ReviewItemContent, place: Int)] = []
    var log: [Effect] = []

    static func content(
        _ number: Int64, text: String? = "Rs.1,234.50 was paid\nto GREEN LEAF CAFE, on 05-01-26.",
        duplicate: Bool = false
    ) -> ReviewItemContent {
        var row = TransactionRow.sample
        row.id = number
        row.amount = Money(minorUnits: 123_450 + number, currency: .inr)
        var other = row
        other.id = 900
        let item = ReviewItem(
            transaction: row, mail: nil,
            reasons: [
                Reason(.newSender, weight: 0.6, note: "the address is at a domain of HDFC but not in its profile")
            ], confidence: 0.6,
            possibleDuplicate: duplicate ? other : nil, alike: 0)
        return ReviewItemContent(
            item, id: .transaction(number), text: text.map { Array($0.utf8) },
            spans: text == nil ? [:] : [.amount: 3..<11], categoryReason: nil, home: .inr)
    }

    /// A mail that could not be read.
    static func blank(
        _ text: String? = "Dear customer,\nyour locker fee of INR 1,234.50 was debited for GREEN LEAF CAFE from XX4410."
    ) -> ReviewItemContent {
        let item = ReviewItem(transaction: nil, mail: nil, reasons: [], confidence: 0, possibleDuplicate: nil, alike: 0)
        return ReviewItemContent(
            item, id: .mail("m"), text: text.map { Array($0.utf8) }, spans: [:], categoryReason: nil, home: .inr)
    }

    static func offer(_ choice: CategoryPick) -> CategoryOffer {
        CategoryOffer(
            transactionID: 1, keyword: "green leaf", kind: .keyword, category: choice.category,
            subcategory: choice.subcategory, count: 3, stayingCount: 0)
    }

    init(_ contents: [ReviewItemContent]) { self.contents = contents }

    mutating func perform(_ effect: Effect) -> Answer? {
        log.append(effect)
        func find(_ id: ReviewID) -> Int? { contents.firstIndex { $0.id == id } }
        switch effect {
        case .refresh:
            return .queue(
                contents.map {
                    ReviewLine(id: $0.id, amount: $0.draft?.amount, merchant: $0.draft?.vendor, subject: "Your payment")
                }, total: contents.count)
        case .load(let id): return find(id).map { .content(contents[$0]) } ?? .gone(id, "decided elsewhere")
        case .draft(let id, let edits, _):
            guard let place = find(id) else { return .gone(id, "decided elsewhere") }
            var made = Self.content(50)
            for case .amount(let money) in edits { made.draft?.amount = money }
            contents[place] = made
            return .drafted(id, made)
        case .accept(let id), .reject(let id), .release(let id), .book(let id, _, _):
            guard let place = find(id) else { return .gone(id, "decided elsewhere") }
            settled.append((contents.remove(at: place), place))
            return .decided(id, "\(effect.verb) \(id)")
        case .correct(let id, let edit):
            guard let place = find(id) else { return .gone(id, "decided elsewhere") }
            if case .merchant(let name) = edit { contents[place].draft?.vendor = name }
            if case .amount(let money) = edit { contents[place].draft?.amount = money }
            return .changed(contents[place], edit)
        case .categories:
            return .categories([
                CategoryPick(category: "Food & Dining"), CategoryPick(category: "Food & Dining", subcategory: "Cafés"),
                CategoryPick(category: "Transport"),
            ])
        case .categorize(let id, let choice):
            guard let place = find(id) else { return nil }
            contents[place].draft?.category = choice.category
            return .categorized(
                contents[place], choice, offer: MappingOffer(offer: Self.offer(choice), examples: ["one", "two"]))
        case .undo:
            guard let (content, place) = settled.popLast() else { return .failed("nothing to undo") }
            contents.insert(content, at: place)
            return .undone(content.id, "undone", wasDecided: true)
        case .propose(let id, let purpose):
            let template = TemplateEditor.Proposal(
                template: "hdfc/x", path: "/p/hdfc/x.yaml", yaml: "template: hdfc/x\nkind: ignore", notes: ["a note"])
            return .proposal(Proposal(id: id, purpose: purpose, template: template))
        case .write: return .done("written")
        case .applyMapping, .refuseMapping: return .done("noted")
        case .redraw, .quit: return nil
        }
    }
}

extension Effect {
    var verb: String {
        switch self {
        case .accept: "accepted"
        case .reject: "rejected"
        case .book: "booked"
        default: "released"
        }
    }
}

extension TransactionRow {
    static var sample: TransactionRow {
        TransactionRow(
            id: 1, ledger: "Personal", category: "Uncategorized", amount: Money(minorUnits: 100, currency: .inr),
            accountName: "HDFC Bank 4410", accountDigits: "4410", recorder: "Auto",
            date: "2026-01-05", vendor: "GREETINGS", type: .expense, status: .needsReview, confidence: 0.6,
            channel: .upi, reference: "610000000009", profile: "hdfc",
            occurredAt: "2026-01-05T06:30:00Z", createdAt: "2026-01-05T06:31:00Z", updatedAt: "2026-01-05T06:31:00Z",
            revision: 1)
    }
}

/// A session on invented items, driven by keys.
struct Play {
    var session: ReviewSession<FakeHandler>

    init(
        _ contents: [ReviewItemContent] = (1...3).map { FakeHandler.content($0) },
        size: Size = Size(columns: 80, rows: 24),
        isLettered: Bool = true
    ) {
        session = ReviewSession(ReviewModel(size: size, isLettered: isLettered), handler: FakeHandler(contents))
        session.start()
    }

    var lines: [String] { session.model.picture().lines }
    var text: String { lines.joined(separator: "\n") }
    var log: [Effect] { session.handler.log.filter { if case .load = $0 { false } else { $0 != .refresh } } }

    mutating func press(_ keys: Key...) { for key in keys { session.handle(key) } }
    mutating func type(_ text: String) { for character in text { session.handle(.character(character)) } }
}
