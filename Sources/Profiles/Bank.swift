public import Ledger
import PCRE2

/// A sender of alerts: `parsers/<key>/_bank.yaml`.
public struct Bank: Sendable {
    /// The folder's name, such as `hdfc`.
    public let key: String
    /// For people, such as `HDFC Bank`.
    public let name: String
    /// Exact domains of its From addresses, lower case.
    public let domains: [String]
    /// Known alert senders, lower case; empty: every address of the domains is one.
    public let addresses: Set<String>
    /// The zone of printed dates and times.
    public let timeZone: BankTimeZone
    /// What `Rs`-less amounts are in.
    public let currency: Currency
    /// In place of the general `auto_confirm_at`.
    public let autoConfirmAt: Double?
    /// A digest of the bank's files, in hexadecimal.
    public internal(set) var version = ""
    public private(set) var templates: [Template] = []
    /// Which of the templates' patterns a text can match at all.
    private(set) var prefilter = Prefilter([])

    /// Takes the templates in and numbers their patterns for the prefilter.
    mutating func take(_ list: [Template]) {
        var literals: [RequiredLiterals] = []
        func number(_ pattern: TextPattern) -> TextPattern {
            literals.append(pattern.literals)
            return TextPattern(pattern: pattern.pattern, literals: pattern.literals, number: literals.count - 1)
        }
        templates = list.map { template in
            var template = template
            template.match.body = template.match.body.map(number)
            if case .transaction(var extraction) = template.kind {
                extraction.bodies = extraction.bodies.map(number)
                template.kind = .transaction(extraction)
            }
            return template
        }
        prefilter = Prefilter(literals)
    }
}
