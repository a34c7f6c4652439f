import InternetMessage
import Ledger
public import Profiles

extension ProfileSet {
    /// Words of banks, lower case: those of the samples outside of the values. Other words in capitals are names.
    public func bankWords() -> Set<String> {
        var words = BankWords.usual
        /// Words in capitals or with an initial capital, with the first template that has them.
        var capitals: [String: String] = [:]
        var repeated: Set<String> = []
        var names: Set<String> = []
        for bank in banks {
            for template in bank.templates {
                for sample in template.samples {
                    var values: Set<String> = []
                    if case .fields(let fields) = sample.expectation {
                        for field in [Field.merchant, .vpa, .reference] {
                            values.formUnion(BankWords.lowercased(fields[field] ?? ""))
                        }
                    }
                    names.formUnion(values)
                    for line in String(decoding: sample.canonicalText, as: UTF8.self).split(separator: "\n") {
                        let addressee = BankWords.addressee(of: line)
                        names.formUnion(addressee)
                        for word in BankWords.words(String(line)) {
                            let lower = word.lowercased()
                            if values.contains(lower) || addressee.contains(lower) { continue }
                            if word == lower {
                                words.insert(lower)
                            } else if let first = capitals[lower] {
                                if first != template.name { repeated.insert(lower) }
                            } else {
                                capitals[lower] = template.name
                            }
                        }
                    }
                }
            }
        }
        // A word in capitals counts if a second template has it and no sample has it in a name.
        words.formUnion(repeated.subtracting(names))
        return words
    }
}

extension BankWords {
    /// The words between "Dear" and the comma, lower case; empty for a general salutation.
    static func addressee(of line: Substring) -> Set<String> {
        let parts = line.split(maxSplits: 1, omittingEmptySubsequences: true) { $0 == " " }
        guard parts.count == 2, Salutation.openings.contains(parts[0].lowercased()) else { return [] }
        let words = words(String(parts[1].prefix { !",:!.".contains($0) })).map { $0.lowercased() }
        guard words.count <= 5, let first = words.first, !Salutation.anybody.contains(first) else { return [] }
        return Set(words)
    }

    static func words(_ text: String) -> [Substring] { text.split { !$0.isLetter } }

    /// The words in lower case, without repetitions.
    static func lowercased(_ text: String) -> Set<String> { Set(words(text.lowercased()).map(String.init)) }
}

/// The salutations of mails.
enum Salutation {
    static let openings: Set<String> = ["dear", "hi", "hello"]
    /// General salutations.
    static let anybody: Set<String> = [
        "customer", "customers", "cardholder", "cardmember", "card", "sir", "madam", "user", "member", "valued",
        "client", "account", "all", "investor", "patron", "esteemed", "there", "merchant", "partner",
    ]
    static let titles: Set<String> = ["mr", "mrs", "ms", "miss", "shri", "smt", "dr", "kumari"]
}
