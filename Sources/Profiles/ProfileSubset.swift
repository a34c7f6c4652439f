import Ledger
public import YAMLSource

extension ProfileSet {
    /// The same profiles with one bank only: enough for all that banks do not share.
    public func only(_ key: String) throws(SourceError) -> ProfileSet { try ProfileSet(banks: banks.filter { $0.key == key }) }
}

extension Bank {
    /// A sample of a template other than `name` whose words are most like `text`.
    public func nearestSample(to text: [UInt8], except name: String) -> (template: String, sample: Sample, text: [UInt8])? {
        let wanted = Set(BankWords.words(String(decoding: text, as: UTF8.self).lowercased()))
        var best: (template: String, sample: Sample, text: [UInt8], score: Double)?
        for template in templates where template.name != name {
            for sample in template.samples {
                switch sample.expectation {
                case .none, .missing: continue
                case .ignored, .fields: break
                }
                let words = Set(BankWords.words(String(decoding: sample.canonicalText, as: UTF8.self).lowercased()))
                let score = Double(words.intersection(wanted).count) / Double(max(1, words.union(wanted).count))
                if score > best?.score ?? 0 { best = (template.name, sample, sample.canonicalText, score) }
            }
        }
        return best.map { ($0.template, $0.sample, $0.text) }
    }
}

/// Texts that look like an alert and are none: what a derived template must not claim.
public enum Counterexample {
    private static let participles: Set<String> = ["debited", "credited", "spent", "paid", "made", "done", "sent", "withdrawn", "deposited", "transferred", "received", "charged", "deducted", "used", "processed", "completed"]

    /// The sentence around the first of `spans` with its "has been" turned into "could not be"; `nil` where it says so in no such words.
    public static func undone(_ text: [UInt8], around span: Range<Int>) -> String? {
        let sentence = Sentences.around(span, in: text)
        var words = String(decoding: text[sentence], as: UTF8.self).split(omittingEmptySubsequences: false) { $0 == " " || $0 == "\n" }.map(String.init)
        for index in words.indices where words.index(after: index) < words.endIndex {
            let word = words[index].lowercased()
            var last = index
            if ["has", "have"].contains(word), words[index + 1].lowercased() == "been" { last = index + 1 } else if !["is", "was", "were"].contains(word) { continue }
            if last + 1 < words.count, words[last + 1].lowercased() == "successfully" { last += 1 }
            guard last + 1 < words.count, participles.contains(words[last + 1].lowercased().filter(\.isLetter)) else { continue }
            words.replaceSubrange(index...last, with: ["could", "not", "be"])
            return words.joined(separator: " ")
        }
        return nil
    }

    /// A one-time password for the very payment.
    public static func password(amount: String) -> String { "482913 is the OTP for your transaction of INR \(amount). Do not share it with anyone." }

    /// A plain transaction, for templates that ignore.
    public static let transaction = "INR 734.00 has been debited from your account XX4821 on 05-01-2026."
}
