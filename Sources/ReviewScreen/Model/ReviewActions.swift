internal import Ledger
internal import Profiles
public import Review
public import Store

/// Performs the effects of the screen on a ledger. Every decision is one commit, and is refused if the item was changed
/// by the daemon or another surface since it was shown.
public struct ReviewActions: EffectHandler {
    private enum Step {
        case changes(group: String, about: ReviewID, decided: Bool)
        case template(Proposal)
    }

    private let service: ReviewService<Store>
    private let editor: TemplateEditor
    private let files: TemplateFiles
    /// The confidence from which drafts of a bank are booked, by the bank's key.
    private let autoConfirmAt: (String?) -> Double
    /// The changes of this session with their descriptions, the last at the end.
    private var steps: [(step: Step, words: String)] = []
    /// The state of each item as it is on the screen.
    private var seen: [ReviewID: SeenDraft] = [:]

    /// Booked rows shown as examples of the effect of a rule.
    private static let examples = 5

    public init(
        _ service: ReviewService<Store>, editor: TemplateEditor, files: TemplateFiles,
        autoConfirmAt: @escaping (String?) -> Double
    ) {
        self.service = service
        self.editor = editor
        self.files = files
        self.autoConfirmAt = autoConfirmAt
    }

    public mutating func perform(_ effect: Effect) -> Answer? {
        do {
            return try answer(effect)
        } catch is ReviewConflict {
            return stale(effect) ?? .failed("it was changed meanwhile")
        } catch let error as StoreError where error.kind == .conflict {
            return stale(effect) ?? .failed(error.message)
        } catch let error as StoreError {
            return .failed(
                error.kind == .busy || error.kind == .diskFull ? "\(error.message); nothing was changed" : error.message
            )
        } catch {
            return .failed("\(error)")
        }
    }

    private mutating func stale(_ effect: Effect) -> Answer? {
        guard let id = effect.id, let content = try? content(id) else { return nil }
        return .stale(content, "it was changed meanwhile: review it again")
    }

    private mutating func answer(_ effect: Effect) throws -> Answer? {
        switch effect {
        case .refresh:
            let (lines, total) = try service.lines()
            return .queue(lines, total: total)
        case .load(let id):
            guard let content = try content(id) else { return Self.missing(id) }
            return content.isWaiting ? .content(content) : Self.gone(content)
        case .accept(let id): return try decide(id, "accepted") { try $0.accept(id, seen: $1) }
        case .reject(let id): return try decide(id, "rejected") { try $0.reject(id, seen: $1) }
        case .release(let id): return try release(id)
        case .correct(let id, let edit): return try correct(id, edit)
        case .book(let id, let edits, let category):
            let edit = TransactionEdit(edits, category: category)
            return try decide(id, "booked") { try $0.accept(id, seen: $1) { _ in edit } }
        case .draft(let id, let edits, let category): return try draft(id, TransactionEdit(edits, category: category))
        case .categories: return .categories(try service.categoryPicks())
        case .categorize(let id, let choice): return try categorize(id, choice)
        case .applyMapping(let offer, let past): return try apply(offer, past)
        case .refuseMapping(let offer):
            try service.refuse(offer)
            return .done("the rule for '\(offer.keyword)' is not offered again")
        case .undo: return try undo()
        case .propose(let id, let purpose): return .proposal(try propose(id, purpose))
        case .write(let proposal):
            let words = try files.write(proposal.template)
            steps.append((.template(proposal), "template \(proposal.template.template)"))
            return .done(words)
        case .redraw, .quit: return nil
        }
    }

    private mutating func content(_ id: ReviewID) throws -> ReviewItemContent? {
        guard let content = try service.content(id) else { return nil }
        seen[id] = content.draft.map { .revision($0.revision) } ?? .noDraft
        return content
    }
}

/// Decisions and corrections.
extension ReviewActions {
    private static func missing(_ id: ReviewID) -> Answer { .gone(id, "the item no longer exists") }

    private static func gone(_ content: ReviewItemContent) -> Answer {
        let what =
            content.draft.map { $0.status == .rejected ? "rejected" : "booked" } ?? content.mail?.outcome.rawValue
            ?? "decided"
        return .gone(content.id, "decided elsewhere: \(name(content)) is \(what)")
    }

    private static func name(_ content: ReviewItemContent) -> String {
        content.draft.map(name) ?? "'\(content.mail?.subject ?? "the mail")'"
    }

    private static func name(_ row: TransactionRow) -> String {
        [row.amount.description, row.vendor ?? row.vpa].compactMap { $0 }.joined(separator: " ")
    }

    private mutating func decide(
        _ id: ReviewID, _ word: String, _ change: (ReviewService<Store>, SeenDraft) throws -> ReviewResult
    ) throws -> Answer {
        let shown = seen[id] ?? .anything
        guard let now = try content(id) else { return Self.missing(id) }
        guard now.isWaiting else { return Self.gone(now) }
        let result = try change(service, shown)
        guard result.changed else { return Self.gone(now) }
        let words =
            result.item?.transaction.map { "\(word): \(Self.name($0))" } ?? "nothing to book: \(Self.name(now))"
        steps.append((.changes(group: result.group, about: id, decided: true), words))
        return .decided(id, words)
    }

    private mutating func release(_ id: ReviewID) throws -> Answer? {
        guard case .transaction = id, let shown = seen[id] else { return .failed("there is no draft") }
        let result = try service.release(id, seen: shown, autoConfirmAt: autoConfirmAt)
        guard let row = result.item?.transaction else { return Self.missing(id) }
        let isDecided = row.status != .needsReview
        let words =
            isDecided
            ? "booked as a separate event: \(row.amount) \(row.vendor ?? "")"
            : "not a duplicate, but its confidence is too low to be booked automatically"
        steps.append((.changes(group: result.group, about: id, decided: isDecided), words))
        if isDecided { return .decided(id, words) }
        return try content(id).map { .stale($0, words) }
    }

    /// Makes the draft of a mail without one.
    private mutating func draft(_ id: ReviewID, _ edit: TransactionEdit) throws -> Answer {
        guard let now = try content(id) else { return Self.missing(id) }
        guard now.isWaiting, now.draft == nil else { return Self.gone(now) }
        let result = try service.correct(id, seen: .noDraft) { _ in edit }
        guard let row = result.item?.transaction, let made = try content(.transaction(row.id)) else {
            return Self.missing(id)
        }
        steps.append((.changes(group: result.group, about: id, decided: false), "the draft \(Self.name(row))"))
        return .drafted(id, made)
    }

    private mutating func correct(_ id: ReviewID, _ edit: FieldEdit) throws -> Answer? {
        try change(id, TransactionEdit([edit]), "\(edit.field.rawValue) \(edit.text)").map { .changed($0, edit) }
    }

    /// - Returns: `nil` if the item has no draft.
    private mutating func change(
        _ id: ReviewID, _ edit: TransactionEdit, _ words: String
    ) throws -> ReviewItemContent? {
        guard try service.item(id)?.transaction != nil else { return nil }
        let result = try service.correct(id, seen: seen[id] ?? .anything) { _ in edit }
        steps.append((.changes(group: result.group, about: id, decided: false), words))
        return try content(id)
    }
}

/// Categories, templates and undo.
extension ReviewActions {
    private mutating func categorize(_ id: ReviewID, _ choice: CategoryPick) throws -> Answer? {
        guard let content = try change(id, TransactionEdit([], category: choice), "category \(choice.text)") else {
            return .failed("there is no draft")
        }
        return .categorized(content, choice, offer: try offer(content))
    }

    private func offer(_ content: ReviewItemContent) throws -> MappingOffer? {
        guard let id = content.draft?.id, let rule = try service.offer(forTransaction: id, examples: Self.examples)
        else { return nil }
        let lines = rule.examples.map { "  \($0.date)  \($0.amount)  \($0.vendor ?? $0.vpa ?? "")  \($0.category)" }
        return MappingOffer(offer: rule.offer, examples: lines)
    }

    private mutating func apply(_ offer: CategoryOffer, _ past: Bool) throws -> Answer {
        let applied = try service.apply(offer, toPast: past)
        let words = "always \(offer.category) for '\(offer.keyword)'"
        if let group = applied.group {
            let about = ReviewID.transaction(offer.transactionID)
            steps.append((.changes(group: group, about: about, decided: false), words))
        }
        return .done(words + (applied.changed > 0 ? ", \(applied.changed) changed" : ""))
    }

    private func propose(_ id: ReviewID, _ purpose: Proposal.Purpose) throws -> Proposal {
        let mail: ReviewedMail
        do {
            mail = try editor.mail(of: id)
            let template =
                switch purpose {
                case .read(let name): try editor.derive(.read(mail.values), from: mail, name: name)
                case .ignore(let reason):
                    try editor.derive(
                        .ignore(IgnoreReason(rawValue: reason) ?? .advert), from: mail, name: nil,
                        withAlike: true)
                }
            return Proposal(id: id, purpose: purpose, template: template)
        } catch let error as TemplateEditorError { throw ProposalError(error: error) }
    }

    private mutating func undo() throws -> Answer {
        guard let (step, words) = steps.last else {
            return .failed("nothing was done in this session; 'parserctl review undo' goes further back")
        }
        switch step {
        case .changes(let group, let id, let decided):
            do { try service.undo(group: group) } catch {
                // The obstacle remains; the step before can still be undone.
                steps.removeLast()
                return .failed("cannot be undone: \(error.message)")
            }
            steps.removeLast()
            return .undone(id, "undone: \(words)", wasDecided: decided)
        case .template(let proposal):
            let result = try files.remove(proposal.template)
            steps.removeLast()
            return .undone(proposal.id, result, wasDecided: false)
        }
    }
}

/// An item from which no template can be derived, in the words of the screen.
fileprivate struct ProposalError: Error, CustomStringConvertible {
    let error: TemplateEditorError

    var description: String {
        switch error {
        case .noMail: "the item has no mail"
        case .notRetained: "a template is derived from the mail, and the mail is not retained"
        case .noBank: "no profile knows this sender: 'parserctl new' makes a bank"
        case .invalidName(let name): "'\(name)': \(TemplateKey.rule)"
        case .noProfileFolder: "no profile folder is known: use --parsers FOLDER"
        }
    }
}
