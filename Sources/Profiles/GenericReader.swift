import Ledger
import PCRE2
import YAMLSource

/// Reads a bank's mail that no template claims: of all amounts the one that stands by the words of a transaction, with the role of each told
/// by its label. What it reads is a draft for a person, never booked by itself.
struct GenericReader: Sendable {
    static let templateName = "generic"

    /// What an amount in a text is, by the words around it.
    enum Role: String { case amount, balance, limit, fee, tax, reward, due, other }

    struct Labelled {
        var role: Role
        var span: Range<Int>
        var currency: Range<Int>?
    }

    struct Result {
        var spans: FieldSpans
        var extraction: Template.Extraction
        /// The words of something that did not, or not yet, happen stand by the amount.
        var isDoubtful: Bool
    }

    /// More amounts than this do not stand in an alert; statements have hundreds.
    private static let maximumAmounts = 24
    /// Bytes before and after an amount in which its label stands.
    private static let labelReach = 60

    private let money: Pattern
    private let labelBefore: Pattern
    private let labelAfter: Pattern
    private let movement: Pattern
    private let incoming: Pattern
    private let doubtful: Pattern
    private let channels: [(Channel, Pattern)]
    private let fields: [(Field, Pattern)]

    init() throws(SourceError) {
        do throws(PatternError) {
            money = try Pattern(
                #"(?ix) (?<![a-z]) (?: (?<currency> rs|inr|₹|usd|eur|gbp|aed|sgd|\$|€|£ ) \.? \s? :? \s? (?: inr \s? )? (?<amount> (?: \d[\d,]{0,18} )? (?: \.\d{1,3} )? (?<=\d) (?!\d) ) | \b amount \s? (?: \( (?<currency> inr|usd|eur|gbp ) \) )? \s? [:|]? \s? (?<amount> \d[\d,]{0,18} (?:\.\d{1,3})? (?!\d) ) )"#
            )
            let label =
                #"(?<balance> \b(?: bal | balance | avbl | aval ) \b ) | (?<limit> \b(?: limit | lmt | available \s credit ) \b ) | (?<fee> \b(?: fee | fees | charge | charges | markup ) \b ) | (?<tax> \b(?: gst | tax | cess | tds ) \b ) | (?<reward> \b(?: cashback | rewards? | points? | discount | save | upto | up \s to | worth | offer | voucher ) \b ) | (?<due> \b(?: due | outstanding | minimum | overdue | payable ) \b )"#
            labelBefore = try Pattern("(?ix) (?: \(label) ) (?! .* (?: debited | credited | spent | paid | withdrawn | received | transferred ) ) [^.\\n]{0,40} \\z")
            labelAfter = try Pattern("(?ix) \\A \\s? (?: is | as | : )? \\s? (?: the | your )? \\s? (?: available | current | closing | total | minimum )? \\s? (?: \(label) )")
            movement = try Pattern(
                #"(?ix) \b(?: debited | credited | spent | paid | withdrawn | withdrawal | purchase[ds]? | transferred | received | sent | deposited | deposit | refund(?:ed)? | reversed | reversal | charged | deducted | transaction | txn | payment )\b"#)
            incoming = try Pattern(#"(?ix) \b(?: credited | received | deposited | deposit | refund(?:ed)? | reversed | reversal | salary )\b"#)
            doubtful = try Pattern(
                #"(?ix) \b(?: will \s be | shall \s be | would \s be | to \s be | is \s due | declined | failed | unsuccessful | not \s (?: been | be | debited | credited | processed ) | could \s not | requested | requesting | request \s (?: of | for | from ) | otp | one[\s-]time | upcoming | scheduled )\b"#)
            channels = [
                (.upi, try Pattern(#"(?ix) \b(?: upi | vpa )\b | \w@\w"#)), (.neft, try Pattern(#"(?ix) \b neft \b"#)), (.imps, try Pattern(#"(?ix) \b imps \b"#)),
                (.rtgs, try Pattern(#"(?ix) \b rtgs \b"#)), (.atm, try Pattern(#"(?ix) \b(?: atm | cash \s withdrawal )\b"#)),
                (.mandate, try Pattern(#"(?ix) \b(?: mandate | nach | ecs | autopay | standing \s instruction )\b"#)), (.cheque, try Pattern(#"(?ix) \b che?que \b"#)),
                (.card, try Pattern(#"(?ix) \b card \b"#)),
            ]
            fields = [
                (
                    .date,
                    try Pattern(
                        #"(?ix) (?<date> \b\d{4}-\d\d-\d\d\b | \b\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d\d)\b | \b\d{1,2}(?:st|nd|rd|th)?[-\s,]{0,2}(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}[-\s,']{0,2}(?:\d{4}|\d\d)\b | \b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?\s\d{1,2},?\s\d{4}\b )"#)
                ),
                (.time, try Pattern(#"(?ix) (?<![\d:]) (?<time> \d{1,2}:\d\d(?::\d\d)? (?:\s?[ap]\.?m\b)? ) (?![\d:])"#)),
                (
                    .account,
                    try Pattern(
                        #"(?ix) \b(?: a/c | ac | acct | account | card ) \.? (?:\s(?:no|number)\b)? [\s.:]{0,3} (?: (?:ending|ended) \s? (?:in\s|with\s)? )? (?: \d{0,6} [x*•]{1,14} [\s-]? ){0,4} (?<account> \d{3,6} ) \b"#)
                ),
                (
                    .reference,
                    try Pattern(#"(?ix) \b(?: utr | rrn | upi\sref | ref(?:erence)? | transaction\sid | txn\sid ) (?:\s?(?:no|number|id)\b)? [\s.:#-]{0,3} (?:is\s)? (?<reference> (?=[a-z]*\d) [a-z0-9]{6,30} )\b"#)
                ),
                (.vpa, try Pattern(#"(?ix) (?<vpa> \b[a-z0-9][\w.\-]{1,60} @ [a-z][a-z0-9]{1,20} ) \b (?! \. [a-z] )"#)),
                (
                    .merchant,
                    try Pattern(
                        #"(?ix) \b(?: at | to | towards | from | by | info:? )\s (?: vpa \s \S+ \s \(? )? (?<merchant> (?! (?: your | our | a/c | ac | account | the | this | be | card | us | inr | rs )\b | \d ) [^\n.;()]{2,60}? ) (?= \)? \s(?:on|dated|via|using|ref|with|for|from|through|upi|avl|avbl)\b | [.;\n)] | \z )"#)
                ),
            ]
        } catch {
            throw SourceError(file: "generic reader", message: "\(error) at byte \(error.offset)")
        }
    }

    /// The amount and what stands around it; `nil` where the text tells of no movement of money.
    func read(_ text: [UInt8], with matcher: Matcher) throws(MatchError) -> Result? {
        guard try matcher.firstMatch(of: movement, in: text) else { return nil }
        let amounts = try amounts(in: text, with: matcher)
        var best: (amount: Labelled, score: Int, sentence: Range<Int>)?
        for amount in amounts where amount.role == .amount {
            let sentence = Self.sentence(around: amount.span, in: text)
            let score = try matcher.firstMatch(of: movement, in: Array(text[sentence])) ? 1 : 0
            // The first of equals: a footer's amounts come after the alert's.
            if best.map({ score > $0.score }) ?? true { best = (amount, score, sentence) }
        }
        guard let best else { return nil }
        var spans: FieldSpans = [.amount: best.amount.span]
        spans[.currency] = best.amount.currency
        spans[.balance] = amounts.first { $0.role == .balance }?.span
        spans[.limit] = amounts.first { $0.role == .limit }?.span
        let words = Array(text[best.sentence])
        for (field, pattern) in fields {
            if try matcher.firstMatch(of: pattern, in: words), let span = matcher.fields(of: pattern)[field] {
                spans[field] = span.lowerBound + best.sentence.lowerBound..<span.upperBound + best.sentence.lowerBound
            } else if try matcher.firstMatch(of: pattern, in: text) {
                spans[field] = matcher.fields(of: pattern)[field]
            }
        }
        var channel = Channel.other
        for (candidate, pattern) in channels where channel == .other {
            if try matcher.firstMatch(of: pattern, in: words) { channel = candidate }
        }
        let isIncoming = try matcher.firstMatch(of: incoming, in: words)
        let extraction = Template.Extraction(
            bodies: [], fields: [], type: isIncoming ? .income : .expense, channel: channel, currency: nil, dateOrders: [.dayMonthYear],
            isTwelveHourUnmarked: false)
        return Result(spans: spans, extraction: extraction, isDoubtful: try matcher.firstMatch(of: doubtful, in: words))
    }

    /// Every amount with the role that its label gives it.
    ///
    /// - Parameter isKnown: amounts that need no role; they are left out.
    func amounts(in text: [UInt8], with matcher: Matcher, except isKnown: (Range<Int>) -> Bool = { _ in false }) throws(MatchError) -> [Labelled] {
        var found: [Labelled] = []
        var offset = 0
        var count = 0
        while count < Self.maximumAmounts, try matcher.firstMatch(of: money, in: text, from: offset) {
            let spans = matcher.fields(of: money)
            guard let span = spans[.amount], let whole = matcher.range(of: 0) else { break }
            if !isKnown(span) { found.append(Labelled(role: try role(of: whole, in: text, with: matcher), span: span, currency: spans[.currency])) }
            offset = max(span.upperBound, offset + 1)
            count += 1
        }
        return found
    }

    private func role(of amount: Range<Int>, in text: [UInt8], with matcher: Matcher) throws(MatchError) -> Role {
        let before = Array(text[max(0, amount.lowerBound - Self.labelReach)..<amount.lowerBound].drop { $0 & 0xC0 == 0x80 })
        if try matcher.firstMatch(of: labelBefore, in: before) { return Self.role(of: matcher, labelBefore) }
        let after = Array(text[amount.upperBound..<min(text.count, amount.upperBound + Self.labelReach)])
        if try matcher.firstMatch(of: labelAfter, in: Self.whole(after)) { return Self.role(of: matcher, labelAfter) }
        return .amount
    }

    /// The groups of the label patterns are named for their roles.
    private static func role(of match: Matcher, _ pattern: Pattern) -> Role {
        for group in pattern.groups where match.range(of: group) != nil {
            if let role = Role(rawValue: group.name) { return role }
        }
        return .other
    }

    /// Without the character that the cut went through.
    private static func whole(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
        if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
        return bytes
    }

    /// The sentence or row that a span stands in: to a full stop before a blank, or two lines on, 300 bytes at most on either side.
    private static func sentence(around span: Range<Int>, in text: [UInt8]) -> Range<Int> {
        func ends(_ at: Int) -> Bool {
            guard text[at] == UInt8(ascii: "."), at + 1 < text.count, text[at + 1] == 0x20 || text[at + 1] == 0x0A else { return false }
            // "Rs. 500" and "no. 12" end no sentence.
            return at < 2 || !(text[at - 1] | 0x20 == UInt8(ascii: "s") && text[at - 2] | 0x20 == UInt8(ascii: "r")) && !(text[at - 1] | 0x20 == UInt8(ascii: "o") && text[at - 2] | 0x20 == UInt8(ascii: "n"))
        }
        var start = span.lowerBound
        while start > 0, span.lowerBound - start < 300, !ends(start - 1) { start -= 1 }
        while start < span.lowerBound, text[start] & 0xC0 == 0x80 { start += 1 }
        var end = span.upperBound
        while end < text.count, end - span.upperBound < 300, !ends(end) { end += 1 }
        while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
        return start..<end
    }
}
