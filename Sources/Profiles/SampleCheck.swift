public import Ledger
import InternetMessage
import PCRE2

/// What became of one sample: whether its template reads it as it says.
public struct SampleResult: Sendable {
    public struct Difference: Sendable {
        public var field: String
        public var got: String?
        public var expected: String?
    }

    public var template: String
    public var sample: String
    public var path: String
    public var line: Int
    /// Empty: the sample holds.
    public var differences: [Difference]

    public var holds: Bool { differences.isEmpty }
}

extension ProfileSet {
    /// Runs every sample through all templates of its bank, by the code that reads a mailbox.
    public func checkSamples() -> [SampleResult] {
        banks.flatMap { bank in
            bank.templates.flatMap { template in template.samples.map { check($0, of: template, bank) } }
        }
    }

    private func check(_ sample: Sample, of template: Template, _ bank: Bank) -> SampleResult {
        var result = SampleResult(template: template.name, sample: sample.name, path: template.path, line: sample.line, differences: [])
        let message = Message(parsing: sample.message())
        let claim = claim(message)
        let claimants = claim.claimants()
        switch sample.expectation {
        case .none:
            if claimants.contains(template.name) {
                result.differences = [.init(field: "template", got: template.name, expected: claimants.count > 1 ? "not this one" : nil)]
            }
            return result
        case .ignored, .fields:
            guard claimants == [template.name] else {
                let got = claimants.isEmpty ? nil : claimants.joined(separator: ", ")
                result.differences = [.init(field: "template", got: got, expected: template.name)]
                return result
            }
        }
        let decision = claim.decide(trusting: .unverified, receivedAt: nil)
        switch sample.expectation {
        case .none: break
        case .ignored:
            if decision.outcome != .ignored { result.differences = [.init(field: "outcome", got: decision.outcome.rawValue, expected: "ignored")] }
        case .fields(let expected):
            guard let draft = decision.draft else {
                result.differences = [.init(field: "outcome", got: decision.failure ?? decision.reasons.map(\.note).joined(separator: "; "), expected: "a transaction")]
                return result
            }
            for field in Field.allCases where expected[field] != nil || Sample.strictFields.contains(field) {
                let got = draft.spans[field] != nil || !Sample.strictFields.contains(field) ? draft.text(of: field) : nil
                if got != expected[field].map({ draft.canonical($0, field) }) { result.differences.append(.init(field: field.rawValue, got: got, expected: expected[field])) }
            }
        }
        return result
    }
}

extension Claim {
    /// The names of the templates that claim the message; a pattern that hits a limit claims nothing.
    public func claimants() -> [String] {
        guard let bank = sender.bank, let address = message.from.first?.addrSpec, let matcher = Matcher() else { return [] }
        let readings = (try? readings(bank, from: address, with: matcher)) ?? []
        return readings.map(\.template.name)
    }
}

extension TransactionDraft {
    /// What a person wrote for a field, in the form of `text(of:)`: `17` is `17.00`, `18:45` is `18:45:00`.
    func canonical(_ text: String, _ field: Field) -> String {
        switch field {
        case .amount: Money(printed: text.utf8, currency: amount.currency)?.decimal ?? text
        case .balance: Money(printed: text.utf8, currency: balance?.currency ?? amount.currency)?.decimal ?? text
        case .limit: Money(printed: text.utf8, currency: limit?.currency ?? amount.currency)?.decimal ?? text
        case .time: TimeOfDay(iso: text)?.description ?? text
        default: text
        }
    }

    /// A field's value as text, in the form of samples and of JSON: amounts as decimal strings, dates as in ISO 8601.
    public func text(of field: Field) -> String? {
        switch field {
        case .amount: amount.decimal
        case .currency: amount.currency.code
        case .type: type.rawValue
        case .channel: channel.rawValue
        case .date: date.description
        case .time: time?.description
        case .merchant: merchant
        case .account: account
        case .reference: reference
        case .balance: balance?.decimal
        case .limit: limit?.decimal
        case .vpa: vpa
        }
    }
}
