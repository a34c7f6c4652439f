public import Ledger
public import Store

/// Values that a person types for a mail in which nothing could be read, where there is no screen to point on.
public struct FieldAnswers {
    /// In the order in which they are asked for; the first ones are needed.
    public static let asked = HandDraft.asked

    public static func isNeeded(_ field: Field) -> Bool { Field.needed.contains(field) }

    private let guess: FieldGuess?
    private let reading: FieldReading

    /// - Parameters:
    ///   - text: the mail's canonical text, where it is kept.
    ///   - arrival: ISO 8601.
    public init(text: [UInt8]?, arrival: String?) {
        guess = text.map(MailText.init).map { text in
            let amount = FieldGuess(text: text, amount: nil).words(of: .amount)
            return FieldGuess(text: text, amount: amount)
        }
        reading = FieldReading(currency: .inr, arrival: arrival.flatMap { CalendarDate(iso: $0.prefix(10)) })
    }

    /// What the mail probably says, in words that can be read; only a person takes it.
    public func suggestion(for field: Field) -> String? {
        if field == .type { return (guess?.isIncome ?? false ? TransactionType.income : .expense).rawValue }
        if let guess, let words = guess.words(of: field), let span = guess.text.range(of: words),
            let edit = try? reading.read(guess.text.string(span), as: field, isPointed: true)
        {
            return edit.text
        }
        return field == .date ? reading.arrival?.description : nil
    }

    /// - Throws: in words what is wrong with it.
    public func read(_ text: String, as field: Field) throws -> FieldEdit {
        do throws(FieldReading.Refusal) { return try reading.read(text, as: field, isPointed: false) } catch {
            throw Refused(description: error.words)
        }
    }

    public struct Refused: Error, CustomStringConvertible {
        public let description: String
    }
}

extension TransactionEdit {
    /// The same in the ledger's terms.
    public init(_ edits: [FieldEdit], category: CategoryPick? = nil) {
        self.init()
        for edit in edits {
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
        self.category = category?.category
        if let category { subcategory = category.subcategory.map { .set($0) } ?? .clear }
    }
}
