public import Ledger
import Profiles
import YAMLSource

extension TemplateDraft {
    /// A sample in the form in which it is written.
    public struct WrittenSample: Sendable {
        public var name: String
        public var from: String
        /// RFC 5322 date-time of arrival; `nil` means the expected day.
        public var date: String?
        public var subject: String
        /// Canonical text.
        public var text: [UInt8]
        public var expect: Expectation

        public enum Expectation: Sendable {
            case none, ignored
            case fields([Field: String])
        }

        public init(name: String, from: String, date: String?, subject: String, text: [UInt8], expect: Expectation) {
            self.name = name
            self.from = from
            self.date = date
            self.subject = subject
            self.text = text
            self.expect = expect
        }
    }

    /// The template as a profile file.
    public func yaml(named name: String, samples: [WrittenSample]) -> String {
        var text = "template: \(name)\n"
        var match = ""
        if let subjectPattern { match += "  subject_pattern: |-\n\(Self.indented(subjectPattern, 4))\n" }
        switch kind {
        case .transaction:
            text += "kind: transaction\n"
        case .ignore(let reason):
            text += "kind: ignore\nreason: \(reason.rawValue)\n"
            if let pattern = patterns.first { match += "  body_pattern: |-\n\(Self.indented(pattern, 4))\n" }
        }
        if let unlessPattern { match += "  unless_pattern: |-\n\(Self.indented(unlessPattern, 4))\n" }
        if !match.isEmpty { text += "match:\n" + match }
        if case .transaction(let type, let channel) = kind {
            text += "extract:\n"
            if patterns.count == 1, let pattern = patterns.first {
                text += "  body_pattern: |-\n\(Self.indented(pattern, 4))\n"
            } else {
                text += "  body_pattern:\n"
                for pattern in patterns { text += "    - |-\n\(Self.indented(pattern, 6))\n" }
            }
            text += "  type: \(type.rawValue)\n  channel: \(channel.rawValue)\n"
            if let dateFormat { text += "  date_format: \(dateFormat)\n" }
            if let timeFormat { text += "  time_format: '\(timeFormat)'\n" }
        }
        if !samples.isEmpty { text += "samples:\n" }
        for sample in samples { text += sample.yaml }
        return text
    }

    private static func indented(_ text: String, _ count: Int) -> String {
        let blanks = String(repeating: " ", count: count)
        return text.split(separator: "\n").map { blanks + $0 }.joined(separator: "\n")
    }

    /// A profile for a bank that has none: `_bank.yaml`.
    public static func bankYAML(
        name: String, domains: [String], addresses: [String], timeZone: String = "Asia/Kolkata",
        currency: String = "INR"
    ) -> String {
        var text = "name: \(YAMLValue.text(name).flow)\ndomains:\n"
        for domain in domains { text += "  - \(YAMLValue.text(domain).flow)\n" }
        text += "addresses:\n"
        for address in addresses { text += "  - \(YAMLValue.text(address).flow)\n" }
        return text + "timezone: \(timeZone)\ncurrency: \(currency)\n"
    }
}

extension TemplateDraft.WrittenSample {
    /// The order in which fields are listed.
    private static let order: [Field] = [
        .amount, .currency, .account, .merchant, .vpa, .date, .time, .reference, .balance, .limit,
    ]

    var yaml: String {
        var yaml = "  - name: \(YAMLValue.text(name).flow)\n    from: \(YAMLValue.text(from).flow)\n"
        if let date { yaml += "    date: \(YAMLValue.text(date).flow)\n" }
        if !subject.isEmpty { yaml += "    subject: \(YAMLValue.text(subject).flow)\n" }
        yaml += "    text: \(block)\n"
        switch expect {
        case .none: yaml += "    expect: none\n"
        case .ignored: yaml += "    expect: ignored\n"
        case .fields(let fields):
            let pairs = Self.order.compactMap { field in fields[field].map { YAMLValue.Pair(field.rawValue, .text($0)) }
            }
            yaml += "    expect: \(YAMLValue.fields(pairs).flow)\n"
        }
        return yaml
    }

    /// A block scalar if possible, otherwise quoted.
    private var block: String {
        let content = String(decoding: text, as: UTF8.self)
        let quoted = YAMLValue.text(content).flow
        let lines = content.split(separator: "\n", omittingEmptySubsequences: false)
        let isPlain =
            !lines.isEmpty
            && lines.allSatisfy { line in
                !line.isEmpty && !line.hasPrefix(" ") && !line.hasPrefix("\t")
                    && YAMLValue.text(String(line)).flow.first != "\"" && !line.hasSuffix(" ")
            }
        return isPlain ? "|-\n" + lines.map { "      " + $0 }.joined(separator: "\n") : quoted
    }
}
