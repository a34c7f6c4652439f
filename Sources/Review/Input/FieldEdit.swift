public import Chronology
public import Ledger
public import Store

/// A value that a person gives a field.
public enum FieldEdit: Hashable, Sendable {
    case amount(Money)
    case type(TransactionType)
    case channel(Channel)
    case date(CalendarDate)
    case time(TimeOfDay)
    case merchant(String)
    case account(String)
    case reference(String)

    public var field: Field {
        switch self {
        case .amount: .amount
        case .type: .type
        case .channel: .channel
        case .date: .date
        case .time: .time
        case .merchant: .merchant
        case .account: .account
        case .reference: .reference
        }
    }

    public var text: String {
        switch self {
        case .amount(let money): money.description
        case .type(let type): type.rawValue
        case .channel(let channel): channel.rawValue
        case .date(let date): date.description
        case .time(let time): time.description
        case .merchant(let text), .account(let text), .reference(let text): text
        }
    }
}

extension TransactionEdit {
    public init(_ edits: [FieldEdit], category: CategoryPick? = nil) {
        self.init()
        for edit in edits { set(edit) }
        self.category = category?.category
        if let category { subcategory = category.subcategory.map { .set($0) } ?? .clear }
    }

    public mutating func set(_ edit: FieldEdit) {
        switch edit {
        case .amount(let money): amount = money
        case .type(let type): self.type = type
        case .channel(let channel): self.channel = .set(channel)
        case .date(let date): self.date = date
        case .time(let time): self.time = .set(time)
        case .merchant(let name): merchant = .set(name)
        case .account(let digits): accountDigits = .set(digits)
        case .reference(let text): reference = .set(text)
        }
    }
}
