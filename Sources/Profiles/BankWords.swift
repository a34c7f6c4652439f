import InternetMessage
import Ledger

extension ProfileSet {
    /// The words of banks, lower case: those that stand in the samples of the profiles outside of the values. What is in capitals and not among them is a name.
    public func bankWords() -> Set<String> {
        var words = BankWords.usual
        var inTemplates: [String: String] = [:]
        for bank in banks {
            for template in bank.templates {
                for sample in template.samples {
                    var values: Set<String> = []
                    if case .fields(let fields) = sample.expectation {
                        for field in [Field.merchant, .vpa, .reference] { values.formUnion(BankWords.words(fields[field] ?? "").map { $0.lowercased() }) }
                    }
                    for word in BankWords.words(String(decoding: sample.canonicalText, as: UTF8.self)) {
                        let lower = word.lowercased()
                        if values.contains(lower) { continue }
                        // A word in capitals counts once a second template has it: names in samples are invented, and rarely twice the same.
                        if word == lower { words.insert(lower) } else if let first = inTemplates[lower] {
                            if first != template.name { words.insert(lower) }
                        } else {
                            inTemplates[lower] = template.name
                        }
                    }
                }
            }
        }
        return words
    }
}

enum BankWords {
    /// Known without any profile.
    static let usual: Set<String> = [
        "upi", "neft", "imps", "rtgs", "atm", "pos", "otp", "pin", "cvv", "emi", "inr", "rs", "usd", "eur", "gbp", "ist", "utr", "rrn", "vpa", "sms", "kyc", "pan", "nach", "ecs", "ach", "gst", "ifsc", "ref",
        "no", "txn", "ac", "acct", "cr", "dr", "am", "pm", "bank", "card", "debit", "credit", "account", "alert", "customer", "dear", "sir", "madam", "bal", "avl", "id", "xx", "xxxx", "to", "from", "at", "on",
        "by", "for", "of", "the", "your", "you", "is", "was", "has", "been", "and", "transaction", "amount", "date", "time", "limited", "ltd", "india", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep",
        "sept", "oct", "nov", "dec", "www", "http", "https", "regards", "team",
    ]

    static func words(_ text: String) -> [Substring] { text.split { !$0.isLetter } }
}
