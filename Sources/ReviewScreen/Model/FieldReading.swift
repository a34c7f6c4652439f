public import Ledger
import Profiles

/// What a person puts in place of what was read.
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

/// Reads what a person typed or pointed at, by the rules by which mails are read.
struct FieldReading {
    /// What an amount without a word is in.
    var currency: Currency
    /// For days printed without a year.
    var arrival: CalendarDate?

    /// Longer names and references are a selection gone wrong.
    static let maximumText = 200

    struct Refusal: Error, Hashable {
        let words: String
    }

    /// - Parameter isPointed: the words stand in a sentence, whose signs are not theirs.
    func read(_ text: String, as field: Field, isPointed: Bool) throws(Refusal) -> FieldEdit {
        let text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !text.isEmpty else { throw Refusal(words: "nothing is given") }
        switch field {
        case .amount: return .amount(try money(text, isPointed: isPointed))
        case .date:
            guard
                let day = CalendarDate(iso: text)
                    ?? DateText.read(text.utf8, arrival: arrival ?? CalendarDate(daysSince1970: 0)),
                arrival != nil || text.contains(where: \.isNumber)
            else {
                throw Refusal(words: "'\(text)' is not a day: write it as 2026-01-31 or as it is printed")
            }
            return .date(day)
        case .time:
            guard let time = TimeText.read(text.utf8)?.time else {
                throw Refusal(words: "'\(text)' is not a time: write it as 16:03 or 4:03 PM")
            }
            return .time(time)
        case .account:
            let digits = text.filter { ("0"..."9").contains($0) }
            guard (2...18).contains(digits.count) else { throw Refusal(words: "'\(text)' has no digits of an account") }
            return .account(digits)
        case .type:
            guard let type = TransactionType.allCases.first(where: { $0.rawValue == text.lowercased() }) else {
                throw Refusal(words: "'\(text)' is not expense, income or transfer")
            }
            return .type(type)
        case .channel:
            guard let channel = Channel.allCases.first(where: { $0.rawValue == text.lowercased() }) else {
                throw Refusal(words: "'\(text)' is no channel")
            }
            return .channel(channel)
        case .merchant: return .merchant(try name(text, isPointed))
        case .reference: return .reference(try name(text, isPointed))
        case .currency, .balance, .limit, .vpa, .mcc: throw Refusal(words: "the \(field.rawValue) is not edited here")
        }
    }

    /// `1,234.50`, `USD 12.50`, `Rs.500/-`, `12.50 EUR`.
    private func money(_ text: String, isPointed: Bool) throws(Refusal) -> Money {
        let bytes = Array(text.utf8)
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        guard var first = bytes.firstIndex(where: isDigit), let last = bytes.lastIndex(where: isDigit) else {
            throw Refusal(words: "'\(text)' is not an amount: write it as 1234.56")
        }
        // ".50", but not the point of "Rs.50".
        if first > 0, bytes[first - 1] == UInt8(ascii: "."), first == 1 || bytes[first - 2] == 0x20 { first -= 1 }
        if bytes[..<first].contains(UInt8(ascii: "-")) {
            throw Refusal(words: "an amount has no sign: the type says whether it came or went")
        }
        var unit = currency
        let signs = Set(" .,:;()[]*/-'\"")
        for around in [bytes[..<first], bytes[(last + 1)...]] {
            let word = String(decoding: around, as: UTF8.self).filter { !signs.contains($0) }
            if word.isEmpty { continue }
            guard let named = Currency.named(word) else {
                throw Refusal(words: "'\(word)' is not a currency: write three letters, such as INR")
            }
            unit = named
        }
        let number = String(decoding: bytes[first...last], as: UTF8.self)
        guard let money = isPointed ? Money(printed: number.utf8, currency: unit) : Money(typed: number, currency: unit)
        else {
            throw Refusal(words: "'\(text)' is not an amount for certain: \(Money.typedForm)")
        }
        return money
    }

    /// Words without the signs that the sentence puts around them.
    private func name(_ text: String, _ isPointed: Bool) throws(Refusal) -> String {
        var words = text[...]
        if isPointed {
            let loose = Set(" ,;:")
            func opens(_ sign: Character) -> Bool { words.contains(sign) }
            while let last = words.last,
                loose.contains(last) || last == "." || (last == ")" && !opens("(")) || (last == "]" && !opens("["))
            { words.removeLast() }
            while let first = words.first,
                loose.contains(first) || (first == "(" && !words.contains(")"))
                    || (first == "[" && !words.contains("]"))
            { words.removeFirst() }
            if words.first == "(", words.last == ")" { words = words.dropFirst().dropLast() }
        }
        guard !words.isEmpty else { throw Refusal(words: "no word is chosen") }
        guard words.count <= Self.maximumText else {
            throw Refusal(words: "that is longer than \(Self.maximumText) characters")
        }
        return String(words)
    }
}
