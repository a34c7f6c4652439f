public import Chronology
public import Ledger

/// Suggests and reads the fields of a mail that could not be read, for a surface that asks one question after the
/// other.
public struct FieldAnswers {
    /// The fields to ask for, in this order. ``isNeeded(_:)`` shows which of them are required.
    public static let asked = Field.needed + [.merchant, .account]

    public static func isNeeded(_ field: Field) -> Bool { Field.needed.contains(field) }

    private let guess: FieldGuess?
    private let input: FieldInput

    /// - Parameters:
    ///   - text: the mail's canonical text, if it is retained.
    ///   - currency: the currency of an amount that names none.
    public init(text: [UInt8]?, arrival: UnixTime?, currency: Currency) {
        guess = text.map(MailText.init).map { text in
            let amount = FieldGuess(text: text, amount: nil).words(of: .amount)
            return FieldGuess(text: text, amount: amount)
        }
        input = FieldInput(currency: currency, arrival: arrival?.day())
    }

    /// The probable value, in a form that ``read(_:as:)`` accepts.
    public func suggestion(for field: Field) -> String? {
        if field == .type { return (guess?.isIncome ?? false ? TransactionType.income : .expense).rawValue }
        if let guess, let words = guess.words(of: field), let span = guess.text.range(of: words),
            let edit = try? input.read(guess.text.string(span), as: field, isSelected: true)
        {
            return edit.text
        }
        return field == .date ? input.arrival?.description : nil
    }

    public func read(_ text: String, as field: Field) throws(FieldInputError) -> FieldEdit {
        try input.read(text, as: field, isSelected: false)
    }
}
