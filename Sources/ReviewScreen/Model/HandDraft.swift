import Ledger
import Store

/// What a person says of a mail in which nothing could be read. It is on the screen only until it is booked.
struct HandDraft: Hashable, Sendable {
    var edits: [Field: FieldEdit] = [:]
    var category: CategoryPick?

    /// What is asked for, in this order; beyond the needed ones it may be left out.
    static let asked = Field.needed + [.merchant, .account]

    var isComplete: Bool { Field.needed.allSatisfy { edits[$0] != nil } }

    var list: [FieldEdit] { Sheet.editable.compactMap { edits[$0] } }

    /// In a line, as it would be booked.
    var summary: String {
        [edits[.amount]?.text, edits[.type]?.text, edits[.merchant]?.text, edits[.date]?.text, edits[.account]?.text]
            .compactMap { $0 }.joined(separator: " ")
    }
}

extension ReviewModel {
    /// Of the item that is shown; `nil` where it has a draft in the ledger.
    var handDraft: HandDraft? {
        guard let sheet = shown, sheet.item == nil else { return nil }
        return handDrafts[sheet.id] ?? HandDraft()
    }

    /// Books what was said, or asks for what is needed.
    mutating func book(_ sheet: Sheet) -> [Effect] {
        guard let draft = handDraft, draft.isComplete else { return askForFields(sheet) }
        return [.book(sheet.id, draft.list, draft.category)]
    }

    mutating func askForFields(_ sheet: Sheet) -> [Effect] {
        let known = handDrafts[sheet.id]?.edits ?? [:]
        asking = HandDraft.asked.filter { known[$0] == nil }
        return askNext()
    }

    /// The next field of those to be asked for; behind the last what may be done with them.
    mutating func askNext() -> [Effect] {
        mode = .browse
        guard let field = asking?.first else {
            asking = nil
            if let draft = handDraft, draft.isComplete { say("a books it: \(draft.summary)") }
            return []
        }
        asking?.removeFirst()
        return begin(field)
    }

    /// Keeps a value, which is booked with the others.
    mutating func note(_ edit: FieldEdit, _ sheet: Sheet) -> [Effect] {
        handDrafts[sheet.id, default: HandDraft()].edits[edit.field] = edit
        if asking != nil { return askNext() }
        mode = .browse
        say("\(edit.field.rawValue) is \(edit.text)" + (handDraft?.isComplete == true ? "; a books it" : ""))
        return []
    }

    /// A draft was made of it: it is another item now.
    mutating func drafted(_ old: ReviewID, _ sheet: Sheet) -> [Effect] {
        if let place = queue.firstIndex(where: { $0.id == old }) { queue[place].id = sheet.id }
        pointed[sheet.id] = pointed[old]
        corrected.insert(sheet.id)
        self.sheet = sheet
        return askForName(sheet)
    }
}
