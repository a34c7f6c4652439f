import Ledger
import PCRE2

/// Where each field stands in the canonical text, in byte offsets.
typealias FieldSpans = [Field: Range<Int>]

/// What the patterns of a template read.
struct ReadFields {
    var spans = FieldSpans()
    /// Which pattern set each of them; empty where no template did.
    var patterns: [Field: FieldPattern] = [:]

    subscript(field: Field) -> Range<Int>? { spans[field] }
}

extension Template.Extraction {
    /// Runs the patterns; `nil` where none of the body patterns matches, or nothing gives the amount.
    func read(_ text: [UInt8], possible: Prefilter.Verdict, with matcher: Matcher) throws(MatchError) -> ReadFields? {
        var spans = FieldSpans()
        var patterns: [Field: FieldPattern] = [:]
        if !bodies.isEmpty {
            var matched = false
            for (index, body) in bodies.enumerated() where possible.allows(body.number) {
                guard try possible.match(body, with: matcher) else { continue }
                matched = true
                spans = matcher.fields(of: body.pattern)
                patterns = spans.mapValues { _ in .body(index, of: bodies.count) }
                break
            }
            guard matched else { return nil }
        }
        for (field, pattern) in fields where spans[field] == nil {
            guard try matcher.firstMatch(of: pattern, in: text) else { continue }
            let named = matcher.fields(of: pattern)
            if let span = named[field] ?? matcher.firstGroup(of: pattern) { (spans[field], patterns[field]) = (span, .field(field)) }
            for (other, span) in named where spans[other] == nil { (spans[other], patterns[other]) = (span, .field(field)) }
        }
        return spans[.amount] == nil ? nil : ReadFields(spans: spans, patterns: patterns)
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
