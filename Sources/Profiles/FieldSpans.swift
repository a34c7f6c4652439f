import Ledger
import PCRE2

/// Where each field stands in the canonical text, in byte offsets.
typealias FieldSpans = [Field: Range<Int>]

extension Template.Extraction {
    /// Runs the patterns; `nil` where none of the body patterns matches, or nothing gives the amount.
    func spans(in text: [UInt8], possible: Prefilter.Verdict, with matcher: Matcher) throws(MatchError) -> FieldSpans? {
        var spans = FieldSpans()
        if !bodies.isEmpty {
            var matched = false
            for body in bodies where possible.allows(body.number) {
                guard try possible.match(body, with: matcher) else { continue }
                matched = true
                spans = matcher.fields(of: body.pattern)
                break
            }
            guard matched else { return nil }
        }
        for (field, pattern) in fields where spans[field] == nil {
            guard try matcher.firstMatch(of: pattern, in: text) else { continue }
            let named = matcher.fields(of: pattern)
            if let span = named[field] ?? matcher.firstGroup(of: pattern) { spans[field] = span }
            for (other, span) in named where spans[other] == nil { spans[other] = span }
        }
        return spans[.amount] == nil ? nil : spans
    }
}

extension Matcher {
    /// The named groups of the last match that are fields and hold at least one byte.
    func fields(of pattern: Pattern) -> FieldSpans {
        var spans = FieldSpans()
        for group in pattern.groups {
            if let field = Field(rawValue: group.name), let range = range(of: group), !range.isEmpty { spans[field] = range }
        }
        return spans
    }

    /// Where no group has the field's name: the first unnamed group that took part, otherwise the whole match.
    func firstGroup(of pattern: Pattern) -> Range<Int>? {
        let named = Set(pattern.groups.flatMap(\.numbers))
        for number in 1..<16 where !named.contains(number) {
            if let range = range(of: number), !range.isEmpty { return range }
        }
        return range(of: 0)
    }
}
