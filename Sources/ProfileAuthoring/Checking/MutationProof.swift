import Dispatch
import InternetMessage
import Ledger
import PCRE2
public import Profiles
import Synchronization

/// The proof that templates book nothing that did not happen. Samples are changed in one place to report that nothing
/// happened, and no changed sample may be booked.
public struct MutationProof: Sendable {
    /// A changed sample that is booked.
    public struct Booking: Sendable {
        public var template: String
        public var sample: String
        public var path: String
        public var line: Int
        /// Place and text of the change.
        public var change: String
    }

    public private(set) var tried = 0
    public private(set) var booked: [Booking] = []

    /// Changes each sample of these templates that is booked when unchanged. Uses all cores.
    ///
    /// - Parameter perTemplate: the maximum number of samples of each template; `nil` for all.
    public init(of templates: [Template], in profiles: ProfileSet, perTemplate: Int? = nil) {
        guard let negatives = profiles.negatives else { return }
        let found = Mutex<(tried: Int, booked: [Booking])>((0, []))
        DispatchQueue.concurrentPerform(iterations: templates.count) { index in
            let template = templates[index]
            guard case .transaction(let extraction) = template.kind else { return }
            let samples = template.samples.filter { if case .fields = $0.expectation { true } else { false } }
            for sample in samples.prefix(perTemplate ?? samples.count) {
                let result = Self.check(sample, of: template, extraction.type, in: profiles, negatives)
                found.withLock {
                    $0.tried += result.tried
                    $0.booked += result.booked
                }
            }
        }
        (tried, booked) = found.withLock { $0 }
        booked.sort { ($0.template, $0.line, $0.change) < ($1.template, $1.line, $1.change) }
    }

    private static func check(
        _ sample: Sample, of template: Template, _ type: TransactionType, in profiles: ProfileSet,
        _ negatives: NegativeForms
    ) -> (tried: Int, booked: [Booking]) {
        let text = sample.canonicalText
        func decision(_ text: [UInt8], _ subject: String) -> Decision {
            profiles.claim(Message(parsing: sample.message(text: text, subject: subject))).decide(
                trusting: .unverified, receivedAt: nil)
        }
        let plain = decision(text, sample.subject)
        guard plain.outcome == .recorded, let draft = plain.draft else { return (0, []) }
        var (tried, booked) = (0, [Booking]())
        let places = MutatedText(text, spans: Array(draft.spans.values), amount: draft.spans[.amount], negatives)
        for form in negatives.forms where form.contradicts(draft.type ?? type) {
            // An SMS has no subject.
            if form.part == .subjects, sample.smsHeader != nil { continue }
            for change in places.changes(by: form) {
                tried += 1
                let after = decision(change.text, change.subject ?? sample.subject)
                // Another template may rightly book the changed sample as a refund.
                guard after.outcome == .recorded, let got = after.draft, form.contradicts(got.type) else { continue }
                booked.append(
                    Booking(
                        template: template.name, sample: sample.name, path: template.path, line: sample.line,
                        change: change.name))
            }
        }
        return (tried, booked)
    }

    /// The findings about templates that book a changed sample.
    var findings: [LintFinding] {
        booked.map { booking in
            LintFinding(
                template: booking.template, path: booking.path, line: booking.line,
                message: "the sample '\(booking.sample)' is booked although it says otherwise: \(booking.change)",
                remedy:
                    "Make the bank's own words there part of the pattern, except them with unless_pattern, or add a rule to _doubts.yaml."
            )
        }
    }
}

/// Variants of a text that report that its transaction did not happen.
fileprivate struct MutatedText {
    struct Change {
        var text: [UInt8]
        var subject: String?
        /// The place and the new text, for display.
        var name: String
    }

    private let text: [UInt8]
    private let cells: [Range<Int>]
    private let phrase: Range<Int>?
    /// Start of the sentence that reports the event; `nil` for a table without one.
    private let lead: Int?
    /// The end of the sentence of the last value.
    private let end: Int

    init(_ text: [UInt8], spans: [Range<Int>], amount: Range<Int>?, _ negatives: NegativeForms) {
        self.text = text
        cells = StatusRows(in: text, by: negatives.row.pattern).all.map(\.cell).filter { cell in
            !spans.contains { $0.overlaps(cell) }
        }
        let amount = amount ?? 0..<0
        let own = Sentences.around(amount, in: text)
        let said = PastTenseWords.sentence(before: amount, in: text) ?? own
        phrase = PastTenseWords.phrase(in: text, said)
        lead = phrase.map { _ in Self.start(of: said, in: text) }
        let last = spans.map(\.upperBound).max() ?? 0
        end = Sentences.all(in: text).first { $0.upperBound >= last }?.upperBound ?? text.count
    }

    /// The start of a sentence after its salutation, such as "Dear Customer,".
    private static func start(of sentence: Range<Int>, in text: [UInt8]) -> Int {
        let first = text[sentence].prefix(while: PrintedForms.isLetter)
        guard Salutation.openings.contains(String(decoding: first, as: UTF8.self).lowercased()),
            let comma = text[sentence].prefix(60).firstIndex(of: UInt8(ascii: ","))
        else { return sentence.lowerBound }
        // Some banks print no blank after the comma.
        let start = text[..<sentence.upperBound][(comma + 1)...].firstIndex { $0 != 0x20 }
        return start ?? sentence.lowerBound
    }

    func changes(by form: NegativeForms.Form) -> [Change] {
        let new = Array(form.text.utf8)
        func replacing(_ range: Range<Int>, _ bytes: [UInt8], _ what: String) -> Change {
            Change(
                text: Array(text[..<range.lowerBound]) + bytes + Array(text[range.upperBound...]), subject: nil,
                name: "\(what) '\(form.text)'")
        }
        switch form.part {
        case .cells:
            return cells.map { cell in
                let old = String(decoding: text[cell], as: UTF8.self)
                return replacing(cell, new, "the cell '\(old)' changed to")
            }
        case .phrases:
            return phrase.map { [replacing($0, new, "the verb changed to")] } ?? []
        case .headings:
            return [replacing(0..<0, new + [0x0A], "headed by")]
        case .leads:
            return lead.map { [replacing($0..<$0, new + [0x20], "the sentence begun with")] } ?? []
        case .sentences:
            return [replacing(end..<end, [0x0A] + new, "followed by")]
        case .subjects:
            return [Change(text: text, subject: form.text, name: "the subject changed to '\(form.text)'")]
        }
    }
}
