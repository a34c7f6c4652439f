import Ledger
import Review

/// Texts about faults of typed values. Lower targets give the case with its values, and an English sentence for the
/// API.
extension FieldFault {
    /// After the label of the field.
    var sentence: String {
        switch self {
        case .empty: PageText.of("fault.empty")
        case .required: PageText.of("fault.required")
        case .tooLong(let limit): PageText.of("fault.too-long", count: limit)
        case .tooMany(let limit): PageText.of("fault.too-many", count: limit)
        case .controlCharacters: PageText.of("fault.control-characters")
        case .currency: PageText.of("fault.currency")
        case .century: PageText.of("fault.century")
        case .amountRange: PageText.of("fault.amount-range")
        case .notPositive: PageText.of("fault.not-positive")
        case .negative: PageText.of("fault.negative")
        case .largerThan(let limit): PageText.of("fault.larger-than", ["amount": MoneyText.text(limit)])
        case .yearAhead: PageText.of("fault.year-ahead")
        case .accountDigits: PageText.of("fault.account-digits")
        case .percent: PageText.of("fault.percent")
        case .years(let years): PageText.of("fault.years", count: years)
        case .noDay: PageText.of("fault.no-day")
        case .tagForm: PageText.of("fault.tag-form")
        case .tooFewParts: PageText.of("fault.too-few-parts")
        case .tooManyParts(let limit): PageText.of("fault.too-many-parts", count: limit)
        case .sumOfParts(let sum, let amount):
            PageText.of("fault.sum-of-parts", ["sum": "\(sum)", "amount": "\(amount)"])
        case .needsCategory: PageText.of("fault.needs-category")
        case .upiAddress: PageText.of("fault.upi-address")
        case .alias(let words): PageText.of("fault.alias", count: words)
        case .amountForm: PageText.of("fault.amount-form")
        case .currencyForm: PageText.of("fault.currency-form")
        case .dateForm: PageText.of("fault.date-form")
        case .timeForm: PageText.of("fault.time-form")
        case .oneOf(let words): PageText.of("fault.one-of", ["words": words.joined(separator: ", ")])
        }
    }
}

extension FieldProblem {
    /// The fault, after the label of the field.
    var words: String { fault?.sentence ?? detail }
}

extension FieldInputError {
    /// The fault without a label.
    var sentence: String {
        guard let fault, let value else { return description }
        return PageText.of("fault.typed", ["value": value, "problem": fault.sentence])
    }
}

extension SearchFault {
    var sentence: String {
        switch self {
        case .tooManyWords(let limit): PageText.of("fault.search-words", count: limit)
        case .unknownKey(let word, let known):
            PageText.of("fault.search-key", ["word": word, "known": known.joined(separator: ", ")])
        case .noName(let word): PageText.of("fault.search-name", ["word": word])
        case .unknownState(let known): PageText.of("fault.search-state", ["known": known.joined(separator: ", ")])
        case .noDay(let word): PageText.of("fault.search-day", ["word": word])
        case .noAmount(let sign):
            PageText.of("fault.search-amount", ["sign": sign, "form": FieldFault.amountForm.sentence])
        case .amountOrder: PageText.of("fault.search-order")
        }
    }
}
