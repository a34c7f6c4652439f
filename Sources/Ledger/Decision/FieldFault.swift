/// A fault of one value, with what a sentence about it needs. Surfaces in other languages than English choose their own
/// sentence by the case.
public enum FieldFault: Hashable, Sendable {
    /// Nothing that can be seen.
    case empty
    case required
    /// Limit in characters.
    case tooLong(Int)
    /// Limit of the items of a list.
    case tooMany(Int)
    case controlCharacters
    /// Not of ISO 4217.
    case currency
    /// Not within 2000 to 2099.
    case century
    /// Not above zero, or above every payment.
    case amountRange
    case notPositive
    /// An amount has no sign.
    case negative
    case largerThan(Money)
    /// More than a year from today.
    case yearAhead
    case accountDigits
    case percent
    /// Too far from today.
    case years(Int)
    /// A rule that never occurs.
    case noDay
    case tagForm
    case tooFewParts
    case tooManyParts(Int)
    case sumOfParts(Money, of: Money)
    case needsCategory
    case upiAddress
    /// An alias without letters and digits, or with more words than the limit.
    case alias(words: Int)
    /// Forms in which a value is written.
    case amountForm, currencyForm, dateForm, timeForm
    /// The words of which one is written.
    case oneOf([String])

    /// In English, after the name of the field.
    public var detail: String {
        switch self {
        case .empty: "must not be empty"
        case .required: "is required"
        case .tooLong(let limit): "must have at most \(limit) characters"
        case .tooMany(let limit): "must be at most \(limit)"
        case .controlCharacters: "must not contain control characters"
        case .currency: "must be a code of ISO 4217, such as INR"
        case .century: "must be in the years 2000 to 2099"
        case .amountRange: "must be more than zero and less than 10 trillion"
        case .notPositive: "must be more than zero"
        case .negative: "must not be negative: transaction_type gives the direction"
        case .largerThan(let limit): "must be at most \(limit.decimal)"
        case .yearAhead: "must not be more than a year ahead"
        case .accountDigits: "must be the last digits of the account or card, at most 20"
        case .percent: "must be from 0 to 100"
        case .years(let years): "must be within \(years) years of today"
        case .noDay: "has no day on or after the first one"
        case .tagForm: "must be words without blanks and commas"
        case .tooFewParts: "must be at least two parts, or none"
        case .tooManyParts(let limit): "must be at most \(limit) parts"
        case .sumOfParts(let sum, let amount): "must make up the amount, \(amount); their sum is \(sum)"
        case .needsCategory: "needs category_name"
        case .upiAddress: "must be a UPI address, name@provider, with * for any characters"
        case .alias(let words): "must hold a letter or a digit, and at most \(words) words"
        case .amountForm: Money.typedForm
        case .currencyForm: "write three letters, such as INR"
        case .dateForm: "write it as yyyy-mm-dd"
        case .timeForm: "write it as hh:mm or hh:mm:ss"
        case .oneOf(let words): "use one of \(words.joined(separator: ", "))"
        }
    }
}
