import Ledger
import Profiles

/// Where the words of a field probably stand in a mail in which they were not found: the cursor begins there. Only a person takes them.
struct FieldGuess {
    let text: MailText
    /// The words of the amount, near which the rest of an alert stands.
    var amount: ClosedRange<Int>?

    func words(of field: Field) -> ClosedRange<Int>? {
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

    /// Whether the words are those of money that came in.
    var isIncome: Bool {
        let came: Set<String> = ["credited", "received", "deposited", "refund", "refunded", "credit"]
        let went: Set<String> = ["debited", "spent", "paid", "withdrawn", "debit", "purchase"]
        for index in text.words.indices {
            let word = word(index).lowercased().filter(\.isLetter)
            if came.contains(word) { return true }
            if went.contains(word) { return false }
        }
        return false
    }

    /// The first number with its currency's sign before it, within the word or as the word before.
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

    /// Words in capitals after the amount, as far as they stand together: so banks print names.
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
