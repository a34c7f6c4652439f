import Ledger
public import Profiles
import YAMLSource

extension Bank {
    /// A sample of a template other than `name` whose words are most like `text`.
    public func nearestSample(
        to text: [UInt8], except name: String
    ) -> (template: String, sample: Sample, text: [UInt8])? {
        let wanted = Set(BankWords.words(String(decoding: text, as: UTF8.self).lowercased()))
        var best: (template: String, sample: Sample, text: [UInt8], score: Double)?
        for template in allTemplates where template.name != name {
            for sample in template.samples {
                switch sample.expectation {
                case .none, .missing: continue
                case .ignored, .fields, .notice: break
                }
                let words = Set(BankWords.words(String(decoding: sample.canonicalText, as: UTF8.self).lowercased()))
                let score = Double(words.intersection(wanted).count) / Double(max(1, words.union(wanted).count))
                if score > best?.score ?? 0 { best = (template.name, sample, sample.canonicalText, score) }
            }
        }
        return best.map { ($0.template, $0.sample, $0.text) }
    }
}

/// Texts that resemble an alert but are none, which a derived template must not claim.
public enum Counterexample {
    /// Text around a value, from the sentence that reports the event, with "has been" replaced by "could not be"; `nil`
    /// if it has no such words.
    public static func undone(_ text: [UInt8], around span: Range<Int>) -> String? {
        let sentence = Sentences.around(span, in: text)
        let start = PastTenseWords.sentence(before: span, in: text)?.lowerBound ?? sentence.lowerBound
        guard let phrase = PastTenseWords.phrase(in: text, start..<sentence.upperBound) else { return nil }
        let end = start < sentence.lowerBound ? text.count : sentence.upperBound
        return String(
            decoding: Array(text[start..<phrase.lowerBound]) + Array("could not be".utf8)
                + Array(text[phrase.upperBound..<end]), as: UTF8.self)
    }

    /// A one-time password for the same payment.
    public static func password(amount: String) -> String {
        "482913 is the OTP for your transaction of INR \(amount). Do not share it with anyone."
    }

    /// A plain transaction, for templates that ignore.
    public static let transaction = "INR 734.00 has been debited from your account XX4821 on 05-01-2026."
}
