import Chronology
import InternetMessage
import Ledger
import PCRE2
public import Profiles
public import YAMLSource

/// The result of one sample.
public struct SampleResult: Sendable {
    public struct Difference: Sendable {
        public var field: String
        public var got: String?
        public var expected: String?

        public init(field: String, got: String?, expected: String?) {
            (self.field, self.got, self.expected) = (field, got, expected)
        }
    }

    public var bank: String
    public var template: String
    public var sample: String
    public var path: String
    public var line: Int
    /// Index in the file's list, from 0.
    public var index: Int
    public var expected: Sample.Expectation
    /// The correct expectation; `nil` if there is none: the mail is claimed by several templates, or its amount cannot
    /// be read.
    public var got: Sample.Expectation?
    /// Empty if the sample is correct or has no expectation yet.
    public var differences: [Difference] = []
    public var time: Duration = .zero

    public var holds: Bool { differences.isEmpty && !isUnwritten }

    /// The sample has no `expect:` yet.
    public var isUnwritten: Bool { if case .missing = expected { true } else { false } }
}

extension SampleResult {
    /// The result of a sample that another target has checked.
    public init(
        bank: String, profile: String, sample: String, at place: (path: String, line: Int, index: Int),
        differences: [Difference]
    ) {
        self.init(
            bank: bank, template: profile, sample: sample, path: place.path, line: place.line, index: place.index,
            expected: .none, differences: differences)
    }
}

extension ProfileSet {
    /// Runs every sample through all templates of its bank, by the code that reads a mailbox, and the samples of the
    /// common wording through their patterns.
    public func checkSamples() -> [SampleResult] {
        let set = proving()
        return wordingPatterns.flatMap { $0.check() }
            + set.banks.flatMap { bank in
                bank.templates.flatMap { template in
                    template.samples.enumerated().map {
                        set.check($1, at: $0, of: template.name, in: template.path, bank)
                    }
                }
                    + bank.samples.enumerated().map { set.check($1.sample, at: $0, of: $1.template, in: $1.path, bank) }
            }
    }

    private func check(
        _ sample: Sample, at index: Int, of template: String, in path: String, _ bank: Bank
    ) -> SampleResult {
        var result = SampleResult(
            bank: bank.key, template: template, sample: sample.name, path: path, line: sample.line, index: index,
            expected: sample.expectation)
        let clock = ContinuousClock()
        result.time = clock.measure {
            let message = Message(parsing: sample.message())
            compare(claim(message), sample, template, bank, &result)
        }
        return result
    }

    private func compare(
        _ claim: Claim, _ sample: Sample, _ template: String, _ bank: Bank, _ result: inout SampleResult
    ) {
        guard checkClaimants(claim, sample, template, &result) else { return }
        var decision = claim.decide(trusting: .unverified, receivedAt: nil)
        if case .missing = sample.expectation, let day = decision.draft?.date, let dated = sample.arriving(on: day) {
            // With an expectation, the expected day is the day of arrival, which may change the reading of a two-digit
            // year or a 12-hour time.
            decision = self.claim(Message(parsing: dated.message())).decide(trusting: .unverified, receivedAt: nil)
        }
        if decision.outcome == .ignored { return compare(decision.notice, sample, bank, &result) }
        guard let draft = decision.draft else {
            return result.differ(
                "outcome", got: decision.failure?.description ?? decision.reasons.map(\.note).joined(separator: "; "),
                expected: "a transaction")
        }
        compare(draft, of: decision.outcome, sample, bank, &result)
    }

    /// False if the templates that claim the sample decide its result.
    private func checkClaimants(
        _ claim: Claim, _ sample: Sample, _ template: String, _ result: inout SampleResult
    ) -> Bool {
        let claimants = claim.claimants()
        guard claimants.contains(template) else {
            result.got = Sample.Expectation.none
            switch sample.expectation {
            case .none: break
            case .missing: result.differ("expect", got: "none", expected: nil)
            case .ignored, .fields, .notice:
                result.differ(
                    "template", got: claimants.isEmpty ? nil : claimants.joined(separator: ", "), expected: template)
            }
            return false
        }
        if case .none = sample.expectation {
            result.differ("template", got: template, expected: claimants.count > 1 ? "not this one" : nil)
            return false
        }
        if claimants.count > 1 {
            result.differ("template", got: claimants.joined(separator: ", "), expected: template)
            return false
        }
        return true
    }

    /// Compares an ignored mail, with or without a notice.
    private func compare(_ notice: BankNotice?, _ sample: Sample, _ bank: Bank, _ result: inout SampleResult) {
        result.got = .ignored
        var expected: [BankNotice.Field: String] = [:]
        switch sample.expectation {
        case .none, .fields: return result.differ("outcome", got: "ignored", expected: "a transaction")
        case .ignored, .missing: break
        case .notice(let kind, let fields):
            expected = fields
            if kind != notice?.kind { result.differ("notice", got: notice?.kind.rawValue, expected: kind.rawValue) }
        }
        guard let notice else {
            if result.isUnwritten { result.differ("expect", got: "ignored", expected: nil) }
            return
        }
        var read: [BankNotice.Field: String] = [:]
        for field in BankNotice.Field.allCases {
            let isHome = field == .currency && expected[field] == nil && notice.amount?.currency == bank.currency
            guard !isHome, let got = notice.text(of: field) else { continue }
            read[field] = got
        }
        result.got = .notice(notice.kind, read)
        switch sample.expectation {
        case .ignored: result.differ("notice", got: result.got?.yaml.flow, expected: "ignored")
        case .missing: result.differ("expect", got: result.got?.yaml.flow, expected: nil)
        case .none, .fields, .notice:
            for field in BankNotice.Field.allCases where read[field] != expected[field] {
                result.differ(field.rawValue, got: read[field], expected: expected[field])
            }
        }
    }

    private func compare(
        _ draft: TransactionDraft, of outcome: Outcome, _ sample: Sample, _ bank: Bank, _ result: inout SampleResult
    ) {
        var expected: [Field: String] = [:]
        switch sample.expectation {
        case .fields(let fields): expected = fields
        case .ignored, .notice: return result.differ("outcome", got: outcome.rawValue, expected: "ignored")
        case .none, .missing:
            if draft.amount.currency != bank.currency { expected[.currency] = draft.amount.currency.code }
        }
        var read: [Field: String] = [:]
        for field in Field.allCases where expected[field] != nil || Sample.strictFields.contains(field) {
            let got = draft.isRead(field) || !Sample.strictFields.contains(field) ? draft.text(of: field) : nil
            let isSame = got == expected[field].map { draft.canonical($0, field) }
            // An existing value keeps its spelling.
            read[field] = isSame ? expected[field] : got
            if !isSame, !result.isUnwritten { result.differ(field.rawValue, got: got, expected: expected[field]) }
        }
        result.got = .fields(read)
        if result.isUnwritten { result.differ("expect", got: Sample.Expectation.fields(read).yaml.flow, expected: nil) }
    }
}

extension SampleResult {
    fileprivate mutating func differ(_ field: String, got: String?, expected: String?) {
        differences.append(Difference(field: field, got: got, expected: expected))
    }
}

extension Sample {
    /// Sample that arrives on its expected day; `nil` if it has its own `date`.
    fileprivate func arriving(on day: CalendarDate) -> Sample? {
        guard date == Sample.arrival(on: nil) else { return nil }
        var sample = self
        sample.date = Sample.arrival(on: day)
        return sample
    }
}

extension Sample.Expectation {
    /// Form in a profile, with the fields in the usual order.
    public var yaml: YAMLValue {
        switch self {
        case .none: .text("none")
        case .ignored: .text("ignored")
        case .missing: .text("")
        case .fields(let fields):
            .fields(Self.order.compactMap { field in fields[field].map { YAMLValue.Pair(field.rawValue, .text($0)) } })
        case .notice(let kind, let fields):
            .fields(
                [YAMLValue.Pair("notice", .text(kind.rawValue))]
                    + BankNotice.Field.allCases.compactMap { field in
                        fields[field].map { YAMLValue.Pair(field.rawValue, .text($0)) }
                    })
        }
    }

    private static let order: [Field] = [
        .amount, .currency, .foreign, .account, .merchant, .vpa, .mcc, .date, .time, .reference, .balance, .limit,
        .type, .channel,
    ]
}

extension Claim {
    /// The names of the templates that claim the message; a pattern that hits a limit claims nothing.
    public func claimants() -> [String] {
        guard let bank = sender.bank, let matcher = Matcher() else { return [] }
        let claims = (try? templateClaims(bank, in: searched(), with: matcher)) ?? []
        return claims.map(\.template.name)
    }
}

extension TransactionDraft {
    /// A typed value in the form of `text(of:)`: `17` is `17.00`, `18:45` is `18:45:00`.
    func canonical(_ text: String, _ field: Field) -> String {
        switch field {
        case .amount: Money(printed: text.utf8, currency: amount.currency)?.decimal ?? text
        case .balance: Money(printed: text.utf8, currency: balance?.currency ?? amount.currency)?.decimal ?? text
        case .limit: Money(printed: text.utf8, currency: limit?.currency ?? amount.currency)?.decimal ?? text
        case .time: TimeOfDay(iso: text)?.description ?? text
        default: text
        }
    }
}
