public import Chronology
public import Ledger
internal import Profiles

/// Text that cannot be read as the value of a field.
public struct FieldInputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text with its fault: `'x' is not a date`.
    public let problem: String
    /// The accepted form: `write it as 2026-01-31`; `nil` if `problem` includes it.
    public let form: String?

    /// The accepted form for surfaces in other languages; `nil` if there is English only.
    public private(set) var fault: FieldFault?

    init(_ problem: String, form: String? = nil) {
        self.problem = problem
        self.form = form
    }

    /// What was typed; `nil` without ``fault``.
    public private(set) var value: String?

    init(_ problem: String, form: FieldFault, of value: String) {
        self.init(problem, form: form.detail)
        (fault, self.value) = (form, value)
    }

    public var description: String { problem + (form.map { ": \($0)" } ?? "") }
}

/// Reads the values of a transaction's fields from what a person types or selects.
///
/// The static functions read one exact form, as forms and command options ask for it. ``read(_:as:isSelected:)`` also
/// reads every form that mails print.
public struct FieldInput: Sendable {
    /// The currency of an amount that names none.
    public var currency: Currency
    /// Gives dates without a year their year.
    public var arrival: CalendarDate?

    public init(currency: Currency, arrival: CalendarDate?) {
        self.currency = currency
        self.arrival = arrival
    }

    /// Longer names and references are a selection made by mistake.
    static let maximumText = 200

    public static func currency(_ code: String) throws(FieldInputError) -> Currency {
        guard let currency = Currency(code: code.uppercased()) else {
            throw FieldInputError("'\(code)' is not a currency", form: .currencyForm, of: code)
        }
        return currency
    }

    public static func amount(_ text: String, _ currency: Currency) throws(FieldInputError) -> Money {
        guard let money = Money(typed: text, currency: currency) else {
            throw FieldInputError("'\(text)' is not an unambiguous amount", form: .amountForm, of: text)
        }
        return money
    }

    /// An amount that may be a debt: `-1234.50`.
    public static func signedAmount(_ text: String, _ currency: Currency) throws(FieldInputError) -> Money {
        guard let sign = text.first, sign == "-" || sign == "\u{2212}" else { return try amount(text, currency) }
        return Money(minorUnits: -(try amount(String(text.dropFirst()), currency).minorUnits), currency: currency)
    }

    /// - Parameter text: `yyyy-mm-dd`.
    public static func date(_ text: String) throws(FieldInputError) -> CalendarDate {
        guard let date = CalendarDate(iso: text) else {
            throw FieldInputError("'\(text)' is not a date", form: .dateForm, of: text)
        }
        return date
    }

    /// - Parameter text: `hh:mm` or `hh:mm:ss`.
    public static func time(_ text: String) throws(FieldInputError) -> TimeOfDay {
        guard let time = TimeOfDay(iso: text) else {
            throw FieldInputError("'\(text)' is not a time", form: .timeForm, of: text)
        }
        return time
    }

    /// One of an enumeration's raw values, in any case of letters.
    /// - Parameter what: the enumeration with its article, for the error: `a type`.
    public static func choice<Value: CaseIterable & RawRepresentable>(
        _ text: String, _ what: String, of _: Value.Type = Value.self
    ) throws(FieldInputError) -> Value where Value.RawValue == String {
        guard let value = Value(rawValue: text.lowercased()) else {
            throw FieldInputError(
                "'\(text)' is not \(what)", form: .oneOf(Value.allCases.map(\.rawValue)), of: text)
        }
        return value
    }

    /// Reads one field.
    /// - Parameter isSelected: the text is part of a sentence, whose punctuation does not belong to the value.
    public func read(_ text: String, as field: Field, isSelected: Bool) throws(FieldInputError) -> FieldEdit {
        let text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !text.isEmpty else { throw FieldInputError("no value is given") }
        switch field {
        case .amount: return .amount(try money(text, isSelected: isSelected))
        case .date: return .date(try printedDate(text))
        case .time:
            guard let time = TimeText.read(text.utf8)?.time else {
                throw FieldInputError("'\(text)' is not a time", form: "write it as 16:03 or 4:03 PM")
            }
            return .time(time)
        case .account:
            let digits = text.filter { ("0"..."9").contains($0) }
            guard (2...18).contains(digits.count) else {
                throw FieldInputError("'\(text)' has no digits of an account")
            }
            return .account(digits)
        case .type: return .type(try Self.choice(text, "a type"))
        case .channel: return .channel(try Self.choice(text, "a channel"))
        case .merchant: return .merchant(try name(text, isSelected: isSelected))
        case .reference: return .reference(try name(text, isSelected: isSelected))
        case .currency, .balance, .limit, .vpa, .mcc, .foreign:
            throw FieldInputError("the \(field.rawValue) cannot be edited here")
        }
    }

    private func printedDate(_ text: String) throws(FieldInputError) -> CalendarDate {
        let arrival = arrival ?? CalendarDate(daysSince1970: 0)
        guard let date = CalendarDate(iso: text) ?? DateText.read(text.utf8, arrival: arrival),
            self.arrival != nil || text.contains(where: \.isNumber)
        else {
            throw FieldInputError("'\(text)' is not a date", form: "write it as 2026-01-31 or as it is printed")
        }
        return date
    }

    /// `1,234.50`, `USD 12.50`, `Rs.500/-`, `12.50 EUR`.
    private func money(_ text: String, isSelected: Bool) throws(FieldInputError) -> Money {
        let bytes = Array(text.utf8)
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        guard var first = bytes.firstIndex(where: isDigit), let last = bytes.lastIndex(where: isDigit) else {
            throw FieldInputError("'\(text)' is not an amount", form: "write it as 1234.56")
        }
        // ".50", but not the point of "Rs.50".
        if first > 0, bytes[first - 1] == UInt8(ascii: "."), first == 1 || bytes[first - 2] == 0x20 { first -= 1 }
        if bytes[..<first].contains(UInt8(ascii: "-")) {
            throw FieldInputError("an amount has no sign: the type gives the direction")
        }
        var unit = currency
        let punctuation = Set(" .,:;()[]*/-'\"")
        for around in [bytes[..<first], bytes[(last + 1)...]] {
            let word = String(decoding: around, as: UTF8.self).filter { !punctuation.contains($0) }
            if word.isEmpty { continue }
            guard let named = Currency.named(word) else {
                throw FieldInputError("'\(word)' is not a currency", form: .currencyForm, of: word)
            }
            unit = named
        }
        let number = String(decoding: bytes[first...last], as: UTF8.self)
        if !isSelected { return try Self.amount(number, unit) }
        guard let money = Money(printed: number.utf8, currency: unit) else {
            throw FieldInputError("'\(text)' is not an unambiguous amount", form: .amountForm, of: text)
        }
        return money
    }

    /// The words without the punctuation of the sentence around them.
    private func name(_ text: String, isSelected: Bool) throws(FieldInputError) -> String {
        var words = text[...]
        if isSelected {
            let loose = Set(" ,;:")
            func contains(_ sign: Character) -> Bool { words.contains(sign) }
            while let last = words.last,
                loose.contains(last) || last == "." || (last == ")" && !contains("("))
                    || (last == "]" && !contains("["))
            { words.removeLast() }
            while let first = words.first,
                loose.contains(first) || (first == "(" && !contains(")")) || (first == "[" && !contains("]"))
            { words.removeFirst() }
            if words.first == "(", words.last == ")" { words = words.dropFirst().dropLast() }
        }
        guard !words.isEmpty else { throw FieldInputError("no word is selected") }
        guard words.count <= Self.maximumText else {
            throw FieldInputError("that is longer than \(Self.maximumText) characters")
        }
        return String(words)
    }
}
