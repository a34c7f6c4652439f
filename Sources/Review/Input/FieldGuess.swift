import Chronology
public import Ledger
internal import Profiles

/// The probable words of a field in a mail that could not be read. They are only suggested to a person.
public struct FieldGuess {
    public let text: MailText
    /// The words of the amount; the other values of an alert are near it.
    public var amount: ClosedRange<Int>?

    public init(text: MailText, amount: ClosedRange<Int>?) {
        self.text = text
        self.amount = amount
    }

    public func words(of field: Field) -> ClosedRange<Int>? {
        switch field {
        case .amount:
            afterCurrency
                ?? nearest { $0.contains(where: \.isNumber) && ($0.contains(".") || $0.contains(",")) && !isDay($0) }
        case .merchant: name
        case .date: nearest { isDay($0) }
        case .time: nearest { $0.contains(":") && TimeText.read($0.utf8) != nil }
        case .account: nearest { word in word.contains { "xX*".contains($0) } && word.filter(\.isNumber).count >= 3 }
        case .reference: nearest { word in word.filter(\.isNumber).count >= 8 && !isDay(word) }
        default: nil
        }
    }

    /// True if the first word about the direction of the money is one of income.
    public var isIncome: Bool {
        let income: Set<String> = ["credited", "received", "deposited", "refund", "refunded", "credit"]
        let expense: Set<String> = ["debited", "spent", "paid", "withdrawn", "debit", "purchase"]
        for index in text.words.indices {
            let word = word(index).lowercased().filter(\.isLetter)
            if income.contains(word) { return true }
            if expense.contains(word) { return false }
        }
        return false
    }

    /// The first number with its currency before it, in the same word or in the word before.
    private var afterCurrency: ClosedRange<Int>? {
        let signs: Set<String> = ["rs", "inr", "usd", "eur", "gbp", "₹", "$", "€", "£"]
        for index in text.words.indices {
            let letters = word(index).lowercased().prefix { !$0.isNumber }.filter { $0 != "." && $0 != "(" }
            guard signs.contains(letters) else { continue }
            if word(index).contains(where: \.isNumber) { return index...index }
            if index + 1 < text.words.count, word(index + 1).first?.isNumber == true { return index...(index + 1) }
        }
        return nil
    }

    private func word(_ index: Int) -> String { text.string(text.words[index]) }

    private func isDay(_ word: String) -> Bool {
        word.filter(\.isNumber).count >= 4 && word.contains { "-/.".contains($0) }
            && DateText.read(word.utf8, arrival: CalendarDate(daysSince1970: 0)) != nil
    }

    /// The first run of words in capitals after the amount: banks print names so.
    private var name: ClosedRange<Int>? {
        let start = (amount?.upperBound ?? -1) + 1
        guard start < text.words.count, let first = (start..<text.words.count).first(where: { isInCapitals(word($0)) })
        else { return nil }
        var last = first
        while let end = word(last).last, end.isLetter || end == "&", last + 1 < text.words.count,
            isInCapitals(word(last + 1))
        { last += 1 }
        return first...last
    }

    private static let notNames: Set<String> = [
        "INR", "RS", "UPI", "SMS", "VPA", "HDFC", "ICICI", "SBI", "ATM", "POS", "IST", "NEFT", "IMPS", "RTGS", "OTP",
        "AND", "ON", "AT",
    ]

    private func isInCapitals(_ word: String) -> Bool {
        let letters = word.filter(\.isLetter)
        return letters.count >= 2 && letters.allSatisfy(\.isUppercase) && !word.contains(where: \.isNumber)
            && !Self.notNames.contains(letters)
    }

    /// The word after the amount, otherwise the last before it.
    private func nearest(where isOne: (String) -> Bool) -> ClosedRange<Int>? {
        let middle = amount?.upperBound ?? -1
        let others = text.words.indices.filter { !(amount?.contains($0) ?? false) }
        let found = others.first { $0 > middle && isOne(word($0)) } ?? others.last { $0 < middle && isOne(word($0)) }
        return found.map { $0...$0 }
    }
}
