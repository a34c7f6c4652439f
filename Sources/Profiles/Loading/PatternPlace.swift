package import Ledger
package import PCRE2
import YAMLSource

/// The place of a pattern in a template's file.
package enum PatternPlace: Hashable {
    case subject, matchBody, unless, unlessSubject
    /// A body pattern: its index from 0, and the number of body patterns.
    case body(Int, of: Int)
    case field(Field)
    /// A pattern of a notice template that sets one field.
    case noticeField(BankNotice.Field)

    /// Name of the place for a person.
    package var name: String {
        switch self {
        case .subject: "match.subject_pattern"
        case .matchBody: "match.body_pattern"
        case .unless: "match.unless_pattern"
        case .unlessSubject: "match.unless_subject_pattern"
        case .body(let index, let count): FieldPattern.body(index, of: count).name
        case .field(let field): FieldPattern.field(field).name
        case .noticeField(let field): "\(field.rawValue)_regex"
        }
    }

    /// Line in the file; `nil` if the file can no longer be read.
    package func line(in path: String) -> Int? {
        guard let root = try? YAMLFile(path: path).omitting("samples").root().mapping() else { return nil }
        func key(_ outer: String, _ inner: String) -> YAMLNode? { (try? root[outer]?.mapping())?[inner] }
        let node: YAMLNode? =
            switch self {
            case .subject: key("match", "subject_pattern")
            case .matchBody: key("match", "body_pattern")
            case .unless: key("match", "unless_pattern")
            case .unlessSubject: key("match", "unless_subject_pattern")
            case .body(let index, _):
                key("extract", "body_pattern").flatMap { $0.isList ? (try? $0.list())?[index] : $0 }
            case .field, .noticeField: key("extract", name)
            }
        return node?.line
    }
}

extension Template {
    /// Every pattern of the template, in the order of its file.
    package var patterns: [(place: PatternPlace, pattern: Pattern)] {
        var list: [(PatternPlace, Pattern)] = []
        if let subject = match.subject { list.append((.subject, subject)) }
        if let body = match.body?.pattern { list.append((.matchBody, body)) }
        if let unless = match.unless?.pattern { list.append((.unless, unless)) }
        if let unless = match.unlessSubject { list.append((.unlessSubject, unless)) }
        for (place, body) in extractions {
            if let pattern = body.pattern { list.append((place, pattern)) }
        }
        return list
    }

    /// The patterns that read fields, body patterns first.
    package var extractions: [(place: PatternPlace, pattern: TextPattern)] {
        let bodies: [TextPattern]
        let fields: [(place: PatternPlace, pattern: TextPattern)]
        switch kind {
        case .transaction(let extraction):
            bodies = extraction.bodies
            fields = extraction.fields.map { (place: .field($0.field), pattern: $0.pattern) }
        case .notice(let extraction):
            bodies = extraction.bodies
            fields = extraction.fields.map { (place: .noticeField($0.field), pattern: $0.pattern) }
        case .ignore: return []
        }
        return bodies.enumerated().map { (place: .body($0, of: bodies.count), pattern: $1) } + fields
    }
}
