import InternetMessage
import Ledger
public import Store

/// The desk of a real ledger. Every decision is one commit; what the daemon did meanwhile is seen before anything is settled.
public struct LedgerDesk: ReviewDesk {
    private enum Step {
        case edits(group: String, about: ReviewID, settled: Bool)
        case template(Proposal)
    }

    private let store: Store
    private let workshop: Workshop
    /// From which confidence on a bank's drafts are booked, by its key.
    private let autoConfirmAt: (String?) -> Double
    /// What was done in this sitting, in words, the last at the end.
    private var steps: [(step: Step, words: String)] = []
    /// The revision of each draft that the person has before the eyes.
    private var seen: [ReviewID: Int64] = [:]

    public init(_ store: Store, workshop: Workshop, autoConfirmAt: @escaping (String?) -> Double) {
        self.store = store
        self.workshop = workshop
        self.autoConfirmAt = autoConfirmAt
    }

    public mutating func perform(_ effect: Effect) -> Answer? {
        do {
            return try answer(effect)
        } catch let error as StoreError where error.kind == .conflict {
            if let id = effect.id, let sheet = try? sheet(id) {
                return .stale(sheet, "it was changed meanwhile: look again")
            }
            return .failed(error.message)
        } catch let error as StoreError {
            return .failed(
                error.kind == .busy || error.kind == .diskFull ? "\(error.message); nothing was changed" : error.message
            )
        } catch {
            return .failed("\(error)")
        }
    }

    private mutating func answer(_ effect: Effect) throws -> Answer? {
        switch effect {
        case .refresh:
            let (lines, total) = try store.reviewLines()
            return .queue(lines, total: total)
        case .load(let id):
            guard let sheet = try sheet(id) else { return .gone(id, "it is there no more") }
            return isWaiting(sheet) ? .sheet(sheet) : gone(sheet)
        case .accept(let id): return try settle(id, "accepted") { try $0.accept(id, expecting: $1, group: $2) }
        case .reject(let id): return try settle(id, "rejected") { try $0.reject(id, expecting: $1, group: $2) }
        case .release(let id): return try release(id)
        case .correct(let id, let edit): return try correct(id, edit)
        case .book(let id, let edits, let category):
            let edit = TransactionEdit(edits, category: category)
            return try settle(id, "booked") { try $0.accept(id, edit, expecting: $1, group: $2) }
        case .draft(let id, let edits, let category): return try draft(id, TransactionEdit(edits, category: category))
        case .categories: return .categories(try choices())
        case .categorize(let id, let choice): return try categorize(id, choice)
        case .applyMapping(let offer, let past): return try apply(offer, past)
        case .refuseMapping(let offer):
            try store.refuse(offer)
            return .done("it is not asked for '\(offer.keyword)' again")
        case .undo: return try undo()
        case .propose(let id, let wish): return .proposal(try workshop.propose(id, wish))
        case .write(let proposal):
            let words = try workshop.write(proposal)
            steps.append((.template(proposal), "template \(proposal.template)"))
            return .done(words)
        case .redraw, .quit: return nil
        }
    }

    private mutating func sheet(_ id: ReviewID) throws -> Sheet? {
        guard let item = try store.reviewItem(id) else { return nil }
        seen[id] = item.transaction?.revision
        let text = try item.mail.flatMap { mail in try store.raw(ofMail: mail.id) }.map {
            Message(parsing: $0).text.bytes
        }
        let provenance = item.transaction?.provenance ?? item.mail?.provenance
        return Sheet(
            item, id: id, text: text, spans: try store.spans(in: provenance),
            categoryReason: item.transaction?.categoryWhy)
    }

    private func isWaiting(_ sheet: Sheet) -> Bool {
        if let item = sheet.item { return item.status == .needsReview }
        return sheet.mail?.outcome == .review && sheet.mail?.reviewedAt == nil
    }

    private func gone(_ sheet: Sheet) -> Answer {
        let what =
            sheet.item.map { $0.status == .rejected ? "rejected" : "booked" } ?? sheet.mail?.outcome.rawValue
            ?? "settled"
        return .gone(sheet.id, "settled elsewhere: \(Self.name(sheet)) is \(what)")
    }

    private static func name(_ sheet: Sheet) -> String {
        sheet.item.map(name) ?? "'\(sheet.mail?.subject ?? "the mail")'"
    }

    private static func name(_ item: TransactionRow) -> String {
        [item.amount.description, item.vendor ?? item.vpa].compactMap { $0 }.joined(separator: " ")
    }

    private mutating func settle(
        _ id: ReviewID, _ word: String, _ change: (Store, _ revision: Int64?, _ group: String) throws -> Bool
    ) throws -> Answer {
        let revision = seen[id]
        guard let now = try sheet(id) else { return .gone(id, "it is there no more") }
        guard isWaiting(now) else { return gone(now) }
        let group = Store.newGroup()
        guard try change(store, revision, group) else { return gone(now) }
        let name = try store.reviewItem(id)?.transaction.map(Self.name)
        let words = name.map { "\(word): \($0)" } ?? "nothing to book: \(Self.name(now))"
        steps.append((.edits(group: group, about: id, settled: true), words))
        return .settled(id, words)
    }

    private mutating func release(_ id: ReviewID) throws -> Answer? {
        guard case .transaction(let number) = id, let revision = seen[id] else { return .failed("there is no draft") }
        let group = Store.newGroup()
        let row = try store.release(
            transaction: number, expecting: revision, autoConfirmAt: autoConfirmAt, group: group)
        let isSettled = row.status != .needsReview
        let words =
            isSettled
            ? "booked as an event of its own: \(row.amount) \(row.vendor ?? "")"
            : "no duplicate, and still below the confidence that books by itself"
        steps.append((.edits(group: group, about: id, settled: isSettled), words))
        if isSettled { return .settled(id, words) }
        return try sheet(id).map { .stale($0, words) }
    }

    /// A mail in which nothing could be read gets its draft, and waits on.
    private mutating func draft(_ id: ReviewID, _ edit: TransactionEdit) throws -> Answer {
        guard let now = try sheet(id) else { return .gone(id, "it is there no more") }
        guard isWaiting(now), now.item == nil else { return gone(now) }
        let group = Store.newGroup()
        try store.edit(draft: id, edit, by: .terminal, group: group)
        guard let row = try store.reviewItem(id)?.transaction, let made = try sheet(.transaction(row.id)) else {
            return .gone(id, "it is there no more")
        }
        steps.append((.edits(group: group, about: id, settled: false), "the draft \(Self.name(row))"))
        return .drafted(id, made)
    }

    private mutating func correct(_ id: ReviewID, _ edit: FieldEdit) throws -> Answer? {
        try change(id, TransactionEdit([edit]), "\(edit.field.rawValue) \(edit.text)").map { .changed($0, edit) }
    }

    private mutating func change(_ id: ReviewID, _ edit: TransactionEdit, _ words: String) throws -> Sheet? {
        guard let number = try store.reviewItem(id)?.transaction?.id else { return nil }
        let group = Store.newGroup()
        try store.change(transaction: number, edit, expecting: seen[id], by: .terminal, group: group)
        steps.append((.edits(group: group, about: id, settled: false), words))
        return try sheet(id)
    }

    private func choices() throws -> [CategoryPick] {
        try store.categories().flatMap { category in
            [CategoryPick(category: category.name)]
                + category.subcategories.map { CategoryPick(category: category.name, subcategory: $0.name) }
        }
    }

    private mutating func categorize(_ id: ReviewID, _ choice: CategoryPick) throws -> Answer? {
        guard let sheet = try change(id, TransactionEdit([], category: choice), "category \(choice.text)") else {
            return .failed("there is no draft")
        }
        return .categorized(sheet, choice, offer: try offer(sheet))
    }

    /// Rows that are shown of those that a rule would change.
    private static let examples = 5

    private func offer(_ sheet: Sheet) throws -> MappingOffer? {
        guard let id = sheet.item?.id, let offer = try store.offer(for: id) else { return nil }
        let preview = try store.mappingPreview(offer.mapping, limit: Self.examples)
        let lines = preview.changes.map {
            "  \($0.row.date)  \($0.row.amount)  \($0.row.vendor ?? $0.row.vpa ?? "")  \($0.row.category)"
        }
        return MappingOffer(offer: offer, examples: lines)
    }

    private mutating func apply(_ offer: CategoryOffer, _ past: Bool) throws -> Answer {
        let applied = try store.applyMapping(offer.mapping, to: past, by: .terminal)
        let words = "always \(offer.category) for '\(offer.keyword)'"
        if let group = applied.group {
            steps.append((.edits(group: group, about: .transaction(offer.transactionID), settled: false), words))
        }
        return .done(words + (applied.changed > 0 ? ", \(applied.changed) changed" : ""))
    }

    private mutating func undo() throws -> Answer {
        guard let (step, words) = steps.last else {
            return .failed("nothing was done in this sitting; 'parserctl review undo' goes further back")
        }
        switch step {
        case .edits(let group, let id, let settled):
            do { try store.undo(group: group) } catch {
                // What stands in the way stays there: the step before it can still be undone.
                steps.removeLast()
                return .failed("cannot be undone: \(error.message)")
            }
            steps.removeLast()
            return .undone(id, "undone: \(words)", settled: settled)
        case .template(let proposal):
            let result = try workshop.takeBack(proposal)
            steps.removeLast()
            return .undone(proposal.id, result, settled: false)
        }
    }
}

extension Effect {
    /// The item that it is about.
    var id: ReviewID? {
        switch self {
        case .load(let id), .accept(let id), .reject(let id), .release(let id), .correct(let id, _),
            .book(let id, _, _), .draft(let id, _, _), .categories(let id), .categorize(let id, _), .propose(let id, _):
            id
        case .refresh, .applyMapping, .refuseMapping, .undo, .write, .redraw, .quit: nil
        }
    }
}
