import Chronology
public import Ledger
import PCRE2

/// The patterns of a notice template. They run only if the template claims the mail, and a mail that prints none of the
/// values is still claimed.
public final class NoticeExtraction: Sendable {
    public let kind: BankNotice.Kind
    /// Tried in order; the first that matches sets its named groups.
    let bodies: [TextPattern]
    /// Each sets one field that no body pattern set.
    let fields: [(field: BankNotice.Field, pattern: TextPattern)]
    /// Tried in order.
    let dateOrders: [DateOrder]

    init(
        _ kind: BankNotice.Kind, bodies: [TextPattern], fields: [(field: BankNotice.Field, pattern: TextPattern)],
        dateOrders: [DateOrder]
    ) {
        self.kind = kind
        self.bodies = bodies
        self.fields = fields
        self.dateOrders = dateOrders
    }

    /// Spans of the printed fields in the text.
    func read(_ text: SearchedText, with matcher: Matcher) throws(MatchError) -> [BankNotice.Field: Range<Int>] {
        var spans: [BankNotice.Field: Range<Int>] = [:]
        for body in bodies where try text.match(body, with: matcher) {
            spans = try matcher.noticeFields(of: body)
            break
        }
        for (field, pattern) in fields where spans[field] == nil {
            guard try text.match(pattern, with: matcher) else { continue }
            let named = try matcher.noticeFields(of: pattern)
            spans[field] = named[field]
            spans.merge(named) { first, _ in first }
        }
        return spans
    }
}

extension Matcher {
    fileprivate func noticeFields(of pattern: TextPattern) throws(MatchError) -> [BankNotice.Field: Range<Int>] {
        var spans: [BankNotice.Field: Range<Int>] = [:]
        for group in try pattern.ready().groups {
            guard let field = BankNotice.Field(rawValue: group.name), let range = range(of: group), !range.isEmpty
            else { continue }
            spans[field] = range
        }
        return spans
    }
}

extension ReadingContext {
    /// Maximum number of days between arrival and a printed day: a day beyond it is misread. A deposit matures years
    /// later.
    private static func maximumDistance(_ kind: BankNotice.Kind) -> Int { kind == .depositMaturity ? 36_600 : 400 }

    /// The notice of a claimed mail; `nil` if the mail does not print what the notice needs, or a printed value cannot
    /// be read for certain.
    func notice(
        by extraction: NoticeExtraction, in text: SearchedText, with matcher: Matcher
    ) throws(MatchError) -> BankNotice? {
        let spans = try extraction.read(text, with: matcher)
        var notice = BankNotice(extraction.kind)
        var currency = currency
        if let span = spans[.currency] {
            guard let named = Currency.named(string(span)) else { return nil }
            currency = named
        }
        notice.amount = spans[.amount].flatMap { money($0, currency) }
        notice.minimum = spans[.minimum].flatMap { money($0, currency) }
        notice.account = spans[.account].map { span in
            String(decoding: self.text[span].filter { (0x30...0x39).contains($0) }, as: UTF8.self)
        }
        notice.merchant = spans[.merchant].map { name($0) }
        notice.date = spans[.date].flatMap { day($0, extraction) }
        notice.from = spans[.from].flatMap { day($0, extraction) }
        notice.to = spans[.to].flatMap { day($0, extraction) }
        notice.time = spans[.time].flatMap { TimeText.read(self.text[$0])?.time }
        notice.reference = spans[.reference].map { string($0) }
        let isReadable = spans.keys.allSatisfy { notice.text(of: $0)?.isEmpty == false || $0 == .currency }
        return isReadable && notice.isComplete ? notice : nil
    }

    private func day(_ span: Range<Int>, _ extraction: NoticeExtraction) -> CalendarDate? {
        let days = extraction.dateOrders.lazy.compactMap {
            DateText.read(text[span], order: $0, arrival: arrivalDay)
        }
        guard let day = days.first,
            arrival == nil
                || abs(day.daysSince1970 - arrivalDay.daysSince1970) <= Self.maximumDistance(extraction.kind)
        else { return nil }
        return day
    }
}
