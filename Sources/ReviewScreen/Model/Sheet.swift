public import Ledger
public import Store

/// One item of the queue as it is shown.
public struct Sheet: Sendable, Hashable {
    public var id: ReviewID
    public var item: TransactionRow?
    public var mail: MailRow?
    public var reasons: [Reason]
    public var confidence: Double
    public var possibleDuplicate: TransactionRow?
    public var alike: Int
    public var categoryReason: String?
    /// `nil`: the mail's bytes are not kept.
    var text: MailText?
    public var spans: [Field: Range<Int>]

    /// - Parameter text: the mail's canonical text.
    public init(_ item: ReviewItem, id: ReviewID, text: [UInt8]?, spans: [Field: Range<Int>], categoryReason: String?) {
        self.id = id
        self.item = item.transaction
        mail = item.mail
        reasons = item.reasons
        confidence = item.confidence
        possibleDuplicate = item.possibleDuplicate
        alike = item.alike
        self.text = text.map(MailText.init)
        self.spans = spans
        self.categoryReason = categoryReason
    }

    public static func == (a: Sheet, b: Sheet) -> Bool {
        a.id == b.id && a.item == b.item && a.mail == b.mail && a.text == b.text && a.spans == b.spans
    }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// What a person may put right, in the order in which it matters.
    static let editable: [Field] = [.amount, .merchant, .date, .account, .type, .channel, .reference, .time]

    struct Line: Hashable {
        var label: String
        var value: String
        var field: Field?
    }

    /// The draft's fields; empty ones only where they may be filled in now.
    /// - Parameter hand: what a person said where there is no draft.
    func lines(withEmpty: Bool, hand: HandDraft? = nil) -> [Line] {
        guard let item else {
            guard let hand, withEmpty || hand != HandDraft() else { return [] }
            let lines = Self.editable.compactMap { field -> Line? in
                let value = hand.edits[field]?.text
                let isNeeded = Field.needed.contains(field)
                return value == nil && !withEmpty && !isNeeded
                    ? nil : Line(label: field.rawValue, value: value ?? (isNeeded ? "- needed" : "-"), field: field)
            }
            return lines + (hand.category.map { [Line(label: "category", value: $0.text, field: nil)] } ?? [])
        }
        var lines: [Line] = []
        func add(_ field: Field, _ value: String?) {
            if let value, !value.isEmpty {
                lines.append(Line(label: field.rawValue, value: value, field: field))
            } else if withEmpty, Self.editable.contains(field) {
                lines.append(Line(label: field.rawValue, value: "-", field: field))
            }
        }
        add(.amount, item.amount.description)
        add(.merchant, item.vendor)
        add(.date, item.date)
        add(
            .account,
            item.accountDigits.map { digits in digits + (item.accountName.map { " (\($0))" } ?? "") }
                ?? item.accountName.map { "(\($0))" })
        if !withEmpty {
            let category = item.category + (item.subcategory.map { " / \($0)" } ?? "")
            lines.append(Line(label: "category", value: category, field: nil))
        }
        add(.type, item.type.rawValue)
        add(.channel, item.channel?.rawValue)
        add(.reference, item.reference)
        add(.time, item.time)
        add(.vpa, item.vpa)
        add(.balance, item.balance?.description)
        add(.limit, item.limit?.description)
        if let notes = item.notes, !notes.isEmpty { lines.append(Line(label: "notes", value: notes, field: nil)) }
        return lines
    }

    /// What stands in a field now, as a person would type it.
    func value(of field: Field) -> String {
        guard let item else { return "" }
        switch field {
        case .amount: return item.amount.currency == .inr ? item.amount.decimal : item.amount.description
        case .merchant: return item.vendor ?? ""
        case .date: return item.date
        case .time: return item.time ?? ""
        case .account: return item.accountDigits ?? ""
        case .reference: return item.reference ?? ""
        case .type: return item.type.rawValue
        case .channel: return item.channel?.rawValue ?? ""
        default: return ""
        }
    }

    var reading: FieldReading {
        let arrival =
            (mail?.receivedAt ?? mail?.sentAt).flatMap { CalendarDate(iso: $0.prefix(10)) }
            ?? item.flatMap { CalendarDate(iso: $0.date) }
        return FieldReading(currency: item?.amount.currency ?? .inr, arrival: arrival)
    }

    /// What lowers the confidence, and what else a person should know, each in a sentence.
    var remarks: [(text: String, role: Style.Role)] {
        var found: [(String, Style.Role)] = []
        if item == nil {
            found.append(
                (
                    "No draft: nothing could be read. 'a' asks for the fields and books it; 'r' says that there is nothing to book.",
                    .bold
                ))
        }
        for reason in reasons where reason.weight < 1 && !(reason.isAboutDuplicates && possibleDuplicate == nil) {
            found.append(("x\(reason.weight) \(reason.note)", .plain))
        }
        if item == nil, reasons.isEmpty, let reason = mail?.reason { found.append((reason, .plain)) }
        if let other = possibleDuplicate {
            let when = other.date + (other.time.map { " " + $0 } ?? "")
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
