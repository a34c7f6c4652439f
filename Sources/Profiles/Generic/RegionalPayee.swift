import Ledger
import PCRE2

extension RegionalReader {
    /// The payee or payer: after a label in a row, before a verb, after a preposition in the sentence of the amount, or
    /// in a separate row.
    func payee(
        _ amount: PrintedAmount, sentence: Range<Int>, taken: FieldSpans
    ) throws(MatchError) -> Range<Int>? {
        for language in languages {
            if let pattern = language.payeeLabel, let name = try name(pattern, in: 0..<text.count, taken) {
                return name
            }
        }
        // "J. T. LEE has sent you": whoever did it, whatever else the sentence names.
        for language in languages {
            if let pattern = language.payeeVerb, let name = try name(pattern, in: sentence, taken) { return name }
        }
        // The text after the amount names the other side more often than the text before it.
        for range in [amount.whole.upperBound..<max(sentence.upperBound, amount.whole.upperBound), sentence] {
            for language in languages {
                if let pattern = language.payee, let name = try name(pattern, in: range, taken) { return name }
            }
        }
        if let name = try nameBehindDate(taken) { return name }
        return try row(around: amount, taken: taken)
    }

    /// The first match in the range whose group is a name.
    private func name(_ pattern: Pattern, in range: Range<Int>, _ taken: FieldSpans) throws(MatchError) -> Range<Int>? {
        let words = range == 0..<text.count ? text : Array(text[range])
        var offset = 0
        var tries = 0
        while offset < words.count, tries < 12, try matcher.firstMatch(of: pattern, in: words, from: offset) {
            tries += 1
            guard let whole = matcher.range(of: 0), let found = matcher.fields(of: pattern)[.merchant] else {
                return nil
            }
            let span = found.lowerBound + range.lowerBound..<found.upperBound + range.lowerBound
            if let name = try accepted(span, taken) { return name }
            offset = max(found.lowerBound, whole.lowerBound + 1)
            while offset < words.count, words[offset] & 0xC0 == 0x80 { offset += 1 }
        }
        return nil
    }

    /// The span without what surrounds a name; `nil` if it is an amount, a day, a weekday, a balance or another field.
    private func accepted(_ span: Range<Int>, _ taken: FieldSpans) throws(MatchError) -> Range<Int>? {
        var span = span
        // A field that was read within ends the name.
        for (field, other) in taken where field != .merchant && field != .vpa && other.overlaps(span) {
            guard other.lowerBound > span.lowerBound else { return nil }
            span = span.lowerBound..<other.lowerBound
        }
        while let last = text[span].last, " ,;:-(\"'*#".utf8.contains(last) {
            span = span.lowerBound..<span.upperBound - 1
        }
        while let first = text[span].first, " ,;:-".utf8.contains(first) {
            span = span.lowerBound + 1..<span.upperBound
        }
        guard span.count >= 2 else { return nil }
        let words = Array(text[span])
        let name = String(decoding: words, as: UTF8.self)
        guard name.contains(where: \.isLetter) else { return nil }
        if name.split(separator: " ").prefix(2).allSatisfy({ MonthNames.isWeekday($0.trimming(",")) }) { return nil }
        if PrintedAmount.all(in: words, home: region.home).contains(where: { $0.mark != nil && $0.hasSeparator }) {
            return nil
        }
        if PrintedDate.next(in: words, from: 0, upTo: words.count)?.span.lowerBound == 0 { return nil }
        for language in languages {
            guard try matcher.firstMatch(of: language.labels, in: words), let label = matcher.range(of: 0) else {
                continue
            }
            // "Balance Shoes" is a shop; "Avl Bal" is a label.
            if label.lowerBound == 0, label.count == words.count || isBalance(language.labels) { return nil }
        }
        return span
    }

    private func isBalance(_ labels: Pattern) -> Bool {
        labels.groups.contains { ["balance", "limit"].contains($0.name) && matcher.range(of: $0) != nil }
            && (matcher.range(of: 0)?.count ?? 0) > 7
    }

    /// `… on 06 Feb 2026: COUNTDOWN PONSONBY.`
    private func nameBehindDate(_ taken: FieldSpans) throws(MatchError) -> Range<Int>? {
        guard let end = [taken[.date], taken[.time]].compactMap({ $0?.upperBound }).max(), end + 3 < text.count,
            text[end] == UInt8(ascii: ":"), text[end + 1] == 0x20, isCapital(end + 2)
        else { return nil }
        let rest = text[(end + 2)...].prefix(60)
        let stop = rest.firstIndex { ".\n;|".utf8.contains($0) } ?? rest.endIndex
        return try accepted(characters(end + 2..<stop), taken)
    }

    /// A row of a name beside the row of the amount or of the day.
    private func row(around amount: PrintedAmount, taken: FieldSpans) throws(MatchError) -> Range<Int>? {
        var anchors = [line(of: amount.span.lowerBound)]
        if let date = taken[.date] { anchors.append(line(of: date.lowerBound)) }
        // A row that has more than its value is a sentence, or has a label.
        let bare = anchors.filter { row in !hasName(row, besides: amount, taken) }
        for anchor in bare.reversed() {
            for next in [lineAfter(anchor), lineBefore(anchor)].compactMap({ $0 }) {
                guard next.count >= 3, next.count <= 48, isCapital(next.lowerBound),
                    !text[next].contains(UInt8(ascii: ":")),
                    !",.!?".utf8.contains(text[next.upperBound - 1]),
                    !taken.values.contains(where: { $0.overlaps(next) })
                else { continue }
                if try !moves(row: next), let name = try accepted(next, taken) { return name }
            }
        }
        return nil
    }

    private func moves(row: Range<Int>) throws(MatchError) -> Bool {
        let words = Array(text[row])
        for language in languages {
            for pattern in [
                language.movement, language.outgoing, language.incoming, language.labels, language.doubtful,
            ] {
                if let pattern, try matcher.firstMatch(of: pattern, in: words) { return true }
            }
        }
        return false
    }

    /// True if a row has letters besides amount, day and time.
    private func hasName(_ row: Range<Int>, besides amount: PrintedAmount, _ taken: FieldSpans) -> Bool {
        let known = [amount.whole] + [taken[.date], taken[.time]].compactMap { $0 }
        let letters = row.filter { at in
            (text[at] >= 0xC0 || (0x61...0x7A).contains(text[at] | 0x20)) && !known.contains { $0.contains(at) }
        }
        return letters.count > 5
    }

    private func isCapital(_ at: Int) -> Bool {
        at < text.count && ((0x41...0x5A).contains(text[at]) || text[at] >= 0xC3)
    }

    private func line(of at: Int) -> Range<Int> {
        let start = text[..<at].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return start..<(text[at...].firstIndex(of: 0x0A) ?? text.count)
    }

    private func lineAfter(_ line: Range<Int>) -> Range<Int>? {
        line.upperBound + 1 < text.count ? self.line(of: line.upperBound + 1) : nil
    }

    private func lineBefore(_ line: Range<Int>) -> Range<Int>? {
        line.lowerBound > 1 ? self.line(of: line.lowerBound - 1) : nil
    }

    /// The range without a part of a character at its end.
    private func characters(_ range: Range<Int>) -> Range<Int> {
        var end = range.upperBound
        while end > range.lowerBound, end < text.count, text[end] & 0xC0 == 0x80 { end -= 1 }
        return range.lowerBound..<end
    }
}

extension StringProtocol {
    fileprivate func trimming(_ signs: String) -> String {
        String(drop { signs.contains($0) }).filter { !signs.contains($0) }
    }
}
