package import Ledger
package import PCRE2

/// The byte range of each field in the canonical text.
package typealias FieldSpans = [Field: Range<Int>]

/// The fields that the patterns of a template read.
package struct ReadFields {
    package var spans = FieldSpans()
    /// The pattern that set each field; empty for the generic reader.
    var patterns: [Field: FieldPattern] = [:]
    /// The fields that only the subject prints.
    var subject: [Field: [UInt8]] = [:]
    /// Meaning of the spans, if the regional reader read them.
    var regional: RegionalReader.Values?

    /// The fields that may be read from the subject alone: an amount and a day are read from the text, with their
    /// sentence.
    static let tellable: Set<Field> = [.merchant, .account, .reference, .vpa]

    /// Adds the fields that only the subject prints.
    mutating func add(fromSubject printed: [Field: [UInt8]]) {
        for (field, bytes) in printed where spans[field] == nil {
            (subject[field], patterns[field]) = (bytes, .subject)
        }
    }

    subscript(field: Field) -> Range<Int>? { spans[field] }
}

/// The named groups of a pattern that are fields.
struct FieldGroups: Sendable {
    let list: [(field: Field, group: Pattern.Group)]

    static let none = FieldGroups(list: [])

    private init(list: [(field: Field, group: Pattern.Group)]) { self.list = list }

    init(_ pattern: Pattern) {
        list = pattern.groups.compactMap { group in Field(rawValue: group.name).map { ($0, group) } }
    }
}

extension Template.Extraction {
    /// Runs the patterns; `nil` if none of the body patterns matches, or no pattern reads the amount.
    package func read(_ text: SearchedText, with matcher: Matcher) throws(MatchError) -> ReadFields? {
        var spans = FieldSpans()
        var patterns: [Field: FieldPattern] = [:]
        if !bodies.isEmpty {
            var matched = false
            for (index, body) in bodies.enumerated() where try text.match(body, with: matcher) {
                matched = true
                spans = matcher.fields(body.groups)
                patterns = spans.mapValues { _ in .body(index, of: bodies.count) }
                break
            }
            guard matched else { return nil }
        }
        for (field, pattern) in fields where spans[field] == nil {
            guard try text.match(pattern, with: matcher) else { continue }
            let named = matcher.fields(pattern.groups)
            if let span = named[field] ?? pattern.pattern.flatMap(matcher.firstGroup) {
                (spans[field], patterns[field]) = (span, .field(field))
            }
            for (other, span) in named where spans[other] == nil {
                (spans[other], patterns[other]) = (span, .field(field))
            }
        }
        return spans[.amount] == nil ? nil : ReadFields(spans: spans, patterns: patterns)
    }
}

extension Matcher {
    /// The groups of the last match that hold at least one byte.
    func fields(_ groups: FieldGroups) -> FieldSpans {
        var spans = FieldSpans(minimumCapacity: groups.list.count)
        for (field, group) in groups.list {
            if let range = range(of: group), !range.isEmpty { spans[field] = range }
        }
        return spans
    }

    func fields(of pattern: Pattern) -> FieldSpans { fields(FieldGroups(pattern)) }

    /// The span of a pattern without a group of the field's name: the first unnamed group that took part, otherwise the
    /// whole match.
    func firstGroup(of pattern: Pattern) -> Range<Int>? {
        for number in 1..<16 where !pattern.groups.contains(where: { $0.numbers.contains(number) }) {
            if let range = range(of: number), !range.isEmpty { return range }
        }
        return range(of: 0)
    }
}
