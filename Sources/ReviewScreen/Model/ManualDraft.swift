import Ledger
import Review
import Store

/// The values that a person gives a mail that could not be read. They are on the screen only until they are booked.
struct ManualDraft: Hashable, Sendable {
    var edits: [Field: FieldEdit] = [:]
    var category: CategoryPick?

    var isComplete: Bool { Field.needed.allSatisfy { edits[$0] != nil } }

    var list: [FieldEdit] { ReviewItemContent.editable.compactMap { edits[$0] } }

    /// The values as they would be booked, in one line.
    var summary: String {
        [edits[.amount]?.text, edits[.type]?.text, edits[.merchant]?.text, edits[.date]?.text, edits[.account]?.text]
            .compactMap { $0 }.joined(separator: " ")
    }
}

extension ReviewModel {
    /// The values for the item that is shown; `nil` if it has a draft in the ledger.
    var manualDraft: ManualDraft? {
        guard let content = shown, content.draft == nil else { return nil }
        return manualDrafts[content.id] ?? ManualDraft()
    }

    /// Books the values, or asks for the missing ones.
    mutating func book(_ content: ReviewItemContent) -> [Effect] {
        guard let draft = manualDraft, draft.isComplete else { return askForFields(content) }
        return [.book(content.id, draft.list, draft.category)]
    }

    mutating func askForFields(_ content: ReviewItemContent) -> [Effect] {
        let known = manualDrafts[content.id]?.edits ?? [:]
        asking = FieldAnswers.asked.filter { known[$0] == nil }
        return askNext()
    }

    /// Asks for the next field; after the last one, shows the key that books the values.
    mutating func askNext() -> [Effect] {
        mode = .browse
        guard let field = asking?.first else {
            asking = nil
            if let draft = manualDraft, draft.isComplete { notify("a books it: \(draft.summary)") }
            return []
        }
        asking?.removeFirst()
        return begin(field)
    }

    /// Keeps a value until it is booked with the others.
    mutating func keep(_ edit: FieldEdit, _ content: ReviewItemContent) -> [Effect] {
        manualDrafts[content.id, default: ManualDraft()].edits[edit.field] = edit
        if asking != nil { return askNext() }
        mode = .browse
        notify("\(edit.field.rawValue) is \(edit.text)" + (manualDraft?.isComplete == true ? "; a books it" : ""))
        return []
    }

    /// Replaces an item without a draft by the item of its new draft, which has another id.
    mutating func drafted(_ old: ReviewID, _ content: ReviewItemContent) -> [Effect] {
        if let place = queue.firstIndex(where: { $0.id == old }) { queue[place].id = content.id }
        selected[content.id] = selected[old]
        corrected.insert(content.id)
        self.content = content
        return askForName(content)
    }
}
