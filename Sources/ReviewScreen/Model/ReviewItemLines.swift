import Chronology
import Ledger
import Review
import Store

/// One review item as lines of the screen.
extension ReviewItemContent {
    /// The fields that a person may correct, most important first.
    static let editable: [Field] = [.amount, .merchant, .date, .account, .type, .channel, .reference, .time]

    struct Line: Hashable {
        var label: String
        var value: String
        var field: Field?
    }

    /// The draft's fields.
    /// - Parameters:
    ///   - withEmpty: includes empty fields that may be filled in.
    ///   - manual: the values that a person gave an item without a draft.
    func lines(withEmpty: Bool, manual: ManualDraft? = nil) -> [Line] {
        guard let draft else {
            guard let manual, withEmpty || manual != ManualDraft() else { return [] }
            let lines = Self.editable.compactMap { field -> Line? in
                let value = manual.edits[field]?.text
                let isNeeded = Field.needed.contains(field)
                return value == nil && !withEmpty && !isNeeded
                    ? nil : Line(label: field.rawValue, value: value ?? (isNeeded ? "- needed" : "-"), field: field)
            }
            return lines + (manual.category.map { [Line(label: "category", value: $0.text, field: nil)] } ?? [])
        }
        var lines: [Line] = []
        func add(_ field: Field, _ value: String?) {
            if let value, !value.isEmpty {
                lines.append(Line(label: field.rawValue, value: value, field: field))
            } else if withEmpty, Self.editable.contains(field) {
                lines.append(Line(label: field.rawValue, value: "-", field: field))
            }
        }
        add(.amount, draft.amount.description)
        add(.merchant, draft.vendor)
        add(.date, draft.date.description)
        add(
            .account,
            draft.accountDigits.map { digits in digits + (draft.accountName.map { " (\($0))" } ?? "") }
                ?? draft.accountName.map { "(\($0))" })
        if !withEmpty {
            let category = draft.category + (draft.subcategory.map { " / \($0)" } ?? "")
            lines.append(Line(label: "category", value: category, field: nil))
        }
        add(.type, lacksDirection ? "- needed" : draft.type.rawValue)
        add(.channel, draft.channel?.rawValue)
        add(.reference, draft.reference)
        add(.time, draft.time?.description)
        add(.vpa, draft.vpa)
        add(.balance, draft.balance?.description)
        add(.limit, draft.limit?.description)
        if let notes = draft.notes, !notes.isEmpty { lines.append(Line(label: "notes", value: notes, field: nil)) }
        return lines
    }

    /// The value of a field in the form in which a person types it.
    func value(of field: Field) -> String {
        guard let draft else { return "" }
        switch field {
        case .amount: return draft.amount.currency == .inr ? draft.amount.decimal : draft.amount.description
        case .merchant: return draft.vendor ?? ""
        case .date: return draft.date.description
        case .time: return draft.time?.description ?? ""
        case .account: return draft.accountDigits ?? ""
        case .reference: return draft.reference ?? ""
        case .type: return lacksDirection ? "" : draft.type.rawValue
        case .channel: return draft.channel?.rawValue ?? ""
        default: return ""
        }
    }

    /// Reads corrections of this item.
    var input: FieldInput {
        let arrival =
            (mail?.receivedAt ?? mail?.sentAt)?.day()
            ?? draft?.date
        return FieldInput(currency: currency, arrival: arrival)
    }

    /// The reasons that lower the confidence, and other remarks, each in a sentence.
    var remarks: [(text: String, role: Style.Role)] {
        var found: [(String, Style.Role)] = []
        if draft == nil {
            found.append(
                (
                    "No draft: nothing could be read. 'a' asks for the fields and books it; 'r' if there is nothing to book.",
                    .bold
                ))
        }
        for reason in reasons where reason.weight < 1 && !(reason.isAboutDuplicates && possibleDuplicate == nil) {
            found.append(("x\(reason.weight) \(reason.note)", .plain))
        }
        if draft == nil, reasons.isEmpty, let reason = mail?.reason { found.append((reason, .plain)) }
        if let other = possibleDuplicate {
            let when = other.date.description + (other.time.map { " \($0)" } ?? "")
            found.append(
                (
                    "Beside it: #\(other.id) \(when) \(other.amount) \(other.vendor ?? other.vpa ?? "") [\(other.status.rawValue)]"
                        + (other.reference.map { " ref \($0)" } ?? ""), .error
                ))
        }
        if let categoryReason { found.append(("category: \(categoryReason)", .dim)) }
        if alike > 1 {
            found.append(
                (
                    "\(alike) mails of this form wait, and no template reads them: 'i' ignores them, 'p' makes a template.",
                    .dim
                ))
        }
        return found
    }
}
