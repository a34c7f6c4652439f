import Ledger
import PCRE2
import YAMLSource

/// Reads a bank's mail that no template claims: the first amount that is no balance, limit, fee or due, beside the words of a transaction.
/// What it reads is a draft for a person, never booked by itself.
struct GenericReader: Sendable {
    static let templateName = "generic"

    private let money: Pattern
    private let notTheAmount: Pattern
    private let movement: Pattern
    private let incoming: Pattern
    private let fields: [(Field, Pattern)]

    init() throws(SourceError) {
        do throws(PatternError) {
            money = try Pattern(#"(?ix) (?<![a-z]) (?<currency> rs|inr|₹|usd|eur|gbp|aed|sgd|\$|€|£ ) \.? \s? :? \s? (?<amount> \d[\d,]{0,18} (?:\.\d{1,3})? (?!\d) )"#)
            notTheAmount = try Pattern(
                #"(?ix) \b(?: bal(?:ance)? | avl | avail(?:able)? | limit | outstanding | due | minimum | charges? | fees? | gst | tax | cashback | rewards? | points? | upto | up\sto | worth | min )\b [^.\n]{0,40} \z"#)
            movement = try Pattern(
                #"(?ix) \b(?: debited | credited | spent | paid | withdrawn | withdrawal | purchase[ds]? | transferred | received | sent | deposited | deposit | refund(?:ed)? | reversed | reversal | transaction | txn | payment )\b"#)
            incoming = try Pattern(#"(?ix) \b(?: credited | received | deposited | deposit | refund(?:ed)? | reversed | reversal | salary )\b"#)
            fields = [
                (.date, try Pattern(#"(?ix) (?<date> \d{4}-\d\d-\d\d | \b\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d\d)\b | \b\d{1,2}(?:st|nd|rd|th)?[-\s,]{0,2}(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}[-\s,]{1,2}(?:\d{4}|\d\d)\b )"#)),
                (.time, try Pattern(#"(?ix) \b (?<time> \d{1,2}:\d\d(?::\d\d)? (?:\s?[ap]\.?m\b)? )"#)),
                (.account, try Pattern(#"(?ix) (?: a/c | acct | account | card ) (?:\s(?:no|number))? [\s.:]* (?:ending\s(?:in\s|with\s)?)? [x*]* (?<account> \d{3,6} )\b"#)),
                (.reference, try Pattern(#"(?ix) \b(?: utr | rrn | upi\sref | ref(?:erence)? | txn\sid ) (?:\s?(?:no|number|id))? [\s.:#]* (?<reference> [a-z0-9]*\d[a-z0-9]{5,25} )\b"#)),
                (.merchant, try Pattern(#"(?ix) \b(?: at | to | towards | from | by )\s (?<merchant> (?! your\b | a/c | account | the\b | \d ) [^\n.;]{2,60}? ) (?= \s(?:on|dated|via|using|ref|with|for)\b | [.;\n] | \z )"#)),
            ]
        } catch {
            throw SourceError(file: "generic reader", message: "\(error) at byte \(error.offset)")
        }
    }

    /// The amount and what stands around it; `nil` where the text tells of no movement of money.
    func read(_ text: [UInt8], with matcher: Matcher) throws(MatchError) -> (FieldSpans, Template.Extraction)? {
        guard try matcher.firstMatch(of: movement, in: text) else { return nil }
        var offset = 0
        // More amounts than this do not stand in an alert; statements have hundreds.
        for _ in 0..<20 {
            guard try matcher.firstMatch(of: money, in: text, from: offset) else { return nil }
            var spans = matcher.fields(of: money)
            guard let amount = spans[.amount], let start = matcher.range(of: 0)?.lowerBound else { return nil }
            if try !matcher.firstMatch(of: notTheAmount, in: Array(text[max(0, start - 60)..<start].drop { $0 & 0xC0 == 0x80 })) {
                for (field, pattern) in fields where try matcher.firstMatch(of: pattern, in: text) {
                    spans[field] = matcher.fields(of: pattern)[field]
                }
                let isIncoming = try matcher.firstMatch(of: incoming, in: text)
                let extraction = Template.Extraction(
                    bodies: [], fields: [], type: isIncoming ? .income : .expense, channel: .other, currency: nil, dateOrders: [.dayMonthYear],
                    isTwelveHourUnmarked: false)
                return (spans, extraction)
            }
            offset = amount.upperBound
        }
        return nil
    }
}
