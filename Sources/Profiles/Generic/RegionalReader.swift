import Chronology
import Ledger
import PCRE2

/// Reads a mail of a bank of any country that no template claims: amounts by their currency marks and labels, and the
/// other fields by the words of the mail's languages. The result is a draft for a person, never booked automatically.
struct RegionalReader {
    /// Meaning of the read values, which depends on the bank's country.
    struct Values {
        var amount: Money
        /// `nil` if no word gives the direction.
        var type: TransactionType?
        var balance: Money?
        var limit: Money?
        var date: CalendarDate?
        /// The day in the other order of day and month, if nothing in the mail decides between them.
        var otherDay: (order: DateOrder, day: CalendarDate)?
        /// True if neither the configuration nor the bank's country gives the order of `date`.
        var isOrderGuessed = false
    }

    enum Result {
        case read(GenericReader.Result, Values)
        /// The mail has amounts, but none that may have moved.
        case amountsOnly
        case nothing
    }

    /// An amount with the role that the words around it give.
    struct Candidate {
        var amount: PrintedAmount
        /// `nil` if no word gives one.
        var role: GenericReader.Role?
        var money: Money
    }

    let generic: GenericReader
    let region: BankRegion
    let languages: [LanguageWords]
    let text: [UInt8]
    let subject: [UInt8]
    let arrival: CalendarDate
    /// True if every mail with an amount waits for a person.
    let waitsAlways: Bool
    let matcher: Matcher

    func read() throws(MatchError) -> Result {
        var hasMovement = try moves(text)
        if !hasMovement { hasMovement = try moves(subject) }
        guard hasMovement || waitsAlways else { return .nothing }
        let dates = printedDates()
        let candidates = try candidates(besides: dates)
        guard let best = try best(of: candidates, hasMovement: hasMovement) else {
            let hasAmount = candidates.contains { $0.amount.mark != nil } || hasAmountInSubject
            return waitsAlways && hasAmount ? .amountsOnly : .nothing
        }
        let sentence = sentence(of: best.amount)
        var spans: FieldSpans = [.amount: best.amount.span]
        spans[.currency] = best.amount.mark
        var values = Values(amount: best.money)
        for candidate in candidates
        where candidate.money.currency == best.money.currency || candidate.amount.mark == nil {
            switch candidate.role {
            case .balance where spans[.balance] == nil:
                (spans[.balance], values.balance) = (candidate.amount.span, candidate.money)
            case .limit where spans[.limit] == nil:
                (spans[.limit], values.limit) = (candidate.amount.span, candidate.money)
            default: break
            }
        }
        readDate(dates, into: &spans, &values)
        try addFields(to: &spans, sentence: sentence)
        if let payee = try payee(best.amount, sentence: sentence, taken: spans) { spans[.merchant] = payee }
        values.type = try direction(best.amount, sentence: sentence)
        let channel = try channel(Array(text[sentence]))
        var notation = Template.Extraction.Notation()
        notation.timeZone = region.timeZone
        return .read(
            GenericReader.Result(
                spans: spans,
                extraction: Template.Extraction(
                    bodies: [], fields: [], type: values.type ?? .expense, channel: channel, notation: notation),
                isDoubtful: try isDoubtful(best, sentence: sentence)), values)
    }

    // MARK: Amounts

    private var hasAmountInSubject: Bool {
        PrintedAmount.all(in: subject, home: region.home).contains { $0.mark != nil }
    }

    private func candidates(besides dates: [ReadDate]) throws(MatchError) -> [Candidate] {
        var found: [Candidate] = []
        var previous = 0
        let amounts = PrintedAmount.all(in: text, home: region.home)
        for (index, amount) in amounts.enumerated() {
            // "12 ก.พ. 69 คงเหลือ 3,000.00": the label is not the year's.
            if amount.mark == nil,
                dates.contains(where: { $0.printed.year != nil && $0.printed.span.overlaps(amount.span) })
            {
                previous = amount.whole.upperBound
                continue
            }
            let next = index + 1 < amounts.count ? amounts[index + 1].whole.lowerBound : text.count
            let role = try role(of: amount, after: previous, before: next)
            previous = amount.whole.upperBound
            guard let currency = amount.currency ?? region.home,
                let money = Money(localized: text[amount.span], currency: currency, decimal: region.usualDecimal)
            else { continue }
            found.append(Candidate(amount: amount, role: role, money: money))
            if found.count == Self.maximumCandidates { break }
        }
        // "SD TK 0071 -37,000VND. SD 1,234,567VND": of several amounts labelled as balance, a signed one is the amount
        // of the movement.
        if found.filter({ $0.role == .balance }).count > 1,
            let index = found.firstIndex(where: { $0.role == .balance && $0.amount.sign != nil })
        {
            found[index].role = nil
        }
        return found
    }

    /// An alert has fewer numbers that may be amounts.
    private static let maximumCandidates = 40
    /// Bytes before and after an amount that are searched for its label.
    private static let reachBefore = 90
    private static let reachAfter = 36

    /// The role of an amount by the last label before it in its row or sentence, otherwise by the first after it that
    /// is not directly before the next amount.
    private func role(
        of amount: PrintedAmount, after previous: Int, before next: Int
    ) throws(MatchError) -> GenericReader.Role? {
        let before = labelText(before: amount.whole.lowerBound, after: previous)
        var last: (end: Int, role: GenericReader.Role?)?
        for words in languages {
            var offset = 0
            while offset < before.count, try matcher.firstMatch(of: words.labels, in: before, from: offset) {
                guard let whole = matcher.range(of: 0) else { break }
                if last.map({ whole.upperBound > $0.end }) ?? true {
                    last = (whole.upperBound, matchedRole(words.labels))
                }
                offset = max(whole.upperBound, offset + 1)
            }
        }
        if let last { return last.role }
        let end = text[amount.whole.upperBound...].prefix(Self.reachAfter).firstIndex { $0 == 0x0A }
        let after = GenericReader.whole(
            Array(text[amount.whole.upperBound..<(end ?? min(text.count, amount.whole.upperBound + Self.reachAfter))]))
        for words in languages where try matcher.firstMatch(of: words.labels, in: after) {
            guard let whole = matcher.range(of: 0),
                !after[..<whole.lowerBound].contains(where: { ",.;|!?".utf8.contains($0) })
            else { continue }
            // "at PICKME RIDE Available Bal LKR 16730.45"
            if whole.lowerBound > 1, isBefore(next, from: amount.whole.upperBound + whole.upperBound) { continue }
            if let role = matchedRole(words.labels), role != .amount { return role }
        }
        return nil
    }

    /// True if a label that ends at `end` is that of the amount at `next`: no stop and at most a few words are between.
    private func isBefore(_ next: Int, from end: Int) -> Bool {
        (0...12).contains(next - end) && !text[end..<next].contains { ",.;!?|".utf8.contains($0) }
    }

    /// `nil` for the words of a movement.
    private func matchedRole(_ labels: Pattern) -> GenericReader.Role? {
        for group in labels.groups where matcher.range(of: group) != nil {
            if let role = GenericReader.Role(rawValue: group.name) { return role }
        }
        return nil
    }

    /// The text before an amount in its row, or in the row above if nothing is before it, from the previous amount on.
    private func labelText(before end: Int, after previous: Int) -> [UInt8] {
        // "5 EUR 7": the sign between two numbers belongs to both amounts.
        var start = min(max(previous, end - Self.reachBefore, 0), end)
        var lines = 0
        var at = end
        while at > start {
            at -= 1
            if text[at] == 0x0A {
                lines += 1
                if lines > 1
                    || text[(at + 1)..<end].contains(where: {
                        $0 != 0x20 && $0 < 0x80 && !"(-+:".utf8.contains($0) || $0 >= 0xE3
                    })
                {
                    start = at + 1
                    break
                }
            }
            if ".!?".utf8.contains(text[at]), at + 1 < end, text[at + 1] == 0x20, at + 2 < end,
                text[at + 2] & 0x20 == 0 || text[at + 2] >= 0x80, at > 3, text[at - 3] != 0x20, text[at - 2] != 0x20
            {
                start = at + 1
                break
            }
        }
        while start < end, text[start] & 0xC0 == 0x80 { start += 1 }
        return Array(text[start..<end])
    }

    /// The amount with the best score by its label and the words of a movement. Of equal scores the first wins: the
    /// amounts of a footer come after the alert's.
    private func best(of candidates: [Candidate], hasMovement: Bool) throws(MatchError) -> Candidate? {
        var best: (candidate: Candidate, score: Int)?
        for candidate in candidates {
            var score: Int
            switch candidate.role {
            case .amount: score = candidate.amount.mark != nil ? 7 : 5
            case nil: score = candidate.amount.mark != nil ? 4 : 0
            case .fee, .tax, .reward, .due, .other:
                guard candidate.amount.mark != nil, waitsAlways || candidate.role != .other else { continue }
                score = -4
            case .balance, .limit: continue
            }
            if candidate.amount.mark == nil, candidate.role != .amount, !candidate.amount.hasSeparator { continue }
            if score > -4, try moves(Array(text[sentence(of: candidate.amount)])) {
                score += 2
            }
            if candidate.money.minorUnits == 0 { score -= 10 }
            if best.map({ score > $0.score }) ?? true { best = (candidate, score) }
        }
        guard let best else { return nil }
        // Without a label, a mark or a movement a number is not an amount.
        return best.score > 0 || hasMovement || best.candidate.amount.mark != nil || waitsAlways ? best.candidate : nil
    }

    /// The sentence or row of an amount. The point of its currency's abbreviation ends none: `249,00 kr. was paid`.
    private func sentence(of amount: PrintedAmount) -> Range<Int> {
        let end = amount.whole.upperBound
        let continues =
            text[end - 1] == UInt8(ascii: ".") && end + 1 < text.count && text[end] == 0x20
            && ((0x61...0x7A).contains(text[end + 1]) || text[end + 1] >= 0xC3)
        return GenericReader.sentence(around: continues ? amount.whole : amount.span, in: text)
    }

    // MARK: Words

    private func moves(_ words: [UInt8]) throws(MatchError) -> Bool {
        for language in languages {
            for pattern in [language.movement, language.outgoing, language.incoming] {
                if let pattern, try matcher.firstMatch(of: pattern, in: words) { return true }
            }
        }
        return false
    }

    /// By the sign, then by the first word of a direction in the sentence, in the subject, or anywhere.
    private func direction(
        _ amount: PrintedAmount, sentence: Range<Int>
    ) throws(MatchError) -> TransactionType? {
        if let type = try direction(Array(text[sentence])) { return type }
        if let type = try direction(subject) { return type }
        switch amount.sign {
        case .minus: return .expense
        case .plus: return .income
        case nil: return try direction(text)
        }
    }

    private func direction(_ words: [UInt8]) throws(MatchError) -> TransactionType? {
        var first: (at: Int, length: Int, type: TransactionType)?
        for language in languages {
            for (pattern, type) in [(language.incoming, TransactionType.income), (language.outgoing, .expense)] {
                guard let pattern, try matcher.firstMatch(of: pattern, in: words), let found = matcher.range(of: 0)
                else {
                    continue
                }
                let isEarlier = first.map {
                    found.lowerBound < $0.at || found.lowerBound == $0.at && found.count > $0.length
                }
                if isEarlier ?? true { first = (found.lowerBound, found.count, type) }
            }
        }
        return first?.type
    }

    /// True if words of the subject or near the amount deny the event or place it in the future, or if the amount has
    /// the role of one that did not move.
    private func isDoubtful(_ best: Candidate, sentence: Range<Int>) throws(MatchError) -> Bool {
        switch best.role {
        case .amount, nil: break
        default: return true
        }
        let rows = Array(text[GenericReader.rows(of: sentence, around: best.amount.span, in: text)])
        for language in languages {
            guard let doubtful = language.doubtful else { continue }
            if try matcher.firstMatch(of: doubtful, in: rows) { return true }
            if try matcher.firstMatch(of: doubtful, in: subject) { return true }
        }
        return false
    }

    private func channel(_ words: [UInt8]) throws(MatchError) -> Channel {
        for language in languages {
            if let cash = language.cash, try matcher.firstMatch(of: cash, in: words) { return .atm }
            if let card = language.card, try matcher.firstMatch(of: card, in: words) { return .card }
        }
        return .other
    }

    // MARK: Other fields

    private typealias ReadDate = (printed: PrintedDate, day: CalendarDate)

    private var dateOrder: DateOrder { region.dateOrder ?? region.customs?.dateOrder ?? .dayFirst }

    private func printedDates() -> [ReadDate] {
        var found: [ReadDate] = []
        var at = 0
        for _ in 0..<Self.maximumDates {
            guard let date = PrintedDate.next(in: text, from: at, upTo: text.count) else { break }
            at = date.span.upperBound
            if let day = date.day(order: dateOrder, isCertain: region.dateOrder != nil, arrival: arrival) {
                found.append((date, day))
            }
        }
        return found
    }

    private func readDate(_ dates: [ReadDate], into spans: inout FieldSpans, _ values: inout Values) {
        var best: (date: PrintedDate, day: CalendarDate, score: Int)?
        for (date, day) in dates {
            let late = arrival.daysSince1970 - day.daysSince1970
            // The day of the event is near the arrival; a due date or the end of a contract is not.
            let score = ((-1...7).contains(late) ? 4 : late >= 0 ? 1 : 0) + (date.year == nil ? 0 : 1)
            if best.map({ score > $0.score }) ?? true { best = (date, day, score) }
        }
        guard let best else { return }
        (spans[.date], values.date) = (best.date.span, best.day)
        guard region.dateOrder == nil else { return }
        values.otherDay = best.date.otherDay(order: dateOrder, arrival: arrival)
        values.isOrderGuessed = values.otherDay != nil && region.country == nil
    }

    private static let maximumDates = 24

    private func addFields(to spans: inout FieldSpans, sentence: Range<Int>) throws(MatchError) {
        let words = Array(text[sentence])
        func find(_ pattern: Pattern?, _ field: Field) throws(MatchError) {
            guard let pattern, spans[field] == nil else { return }
            if try matcher.firstMatch(of: pattern, in: words), let span = matcher.fields(of: pattern)[field] {
                spans[field] = span.lowerBound + sentence.lowerBound..<span.upperBound + sentence.lowerBound
            } else if try matcher.firstMatch(of: pattern, in: text) {
                spans[field] = matcher.fields(of: pattern)[field]
            }
        }
        for language in languages { try find(language.account, .account) }
        for language in languages { try find(language.reference, .reference) }
        for (field, pattern) in generic.wording.fields
        where field == .time || field == .account || field == .reference || field == .vpa {
            try find(pattern, field)
        }
        if let time = spans[.time], spans.contains(where: { $0.key != .time && $0.value.overlaps(time) }) {
            spans[.time] = nil
        }
    }
}
