package import Ledger
import PCRE2
import YAMLSource

/// Forms in which banks report that a transaction did not happen: `negatives` of `_doubts.yaml`. A template is proven
/// with mails that are changed to these forms.
package struct NegativeForms: Sendable {
    /// The part of a mail that a form replaces, or the place at which it is inserted.
    package enum Part: String, CaseIterable, Sendable {
        /// The cell beside a status-like label.
        case cells
        /// `has been` before a participle.
        case phrases
        /// A line above the text.
        case headings
        /// The beginning of the amount's sentence.
        case leads
        /// A further sentence after the amount's sentence.
        case sentences
        /// The whole subject.
        case subjects
    }

    package struct Form: Sendable {
        package let part: Part
        package let text: String
        /// The type of transaction that the form does not contradict: "refunded" is true for an income.
        let exempt: TransactionType?

        package func contradicts(_ type: TransactionType?) -> Bool { type == nil || type != exempt }
    }

    /// A row with a status-like label; its first group is the cell.
    package let row: WordingPattern
    package let forms: [Form]

    init(_ node: YAMLNode, of file: WordingFile) throws(SourceError) {
        let map = try node.mapping(allowing: ["row", "any", "not_for_income"])
        row = try file.pattern(try map.require("row"), "row")
        var forms: [Form] = []
        for (key, exempt) in [("any", nil), ("not_for_income", TransactionType.income)] {
            guard let lists = try map[key]?.mapping(allowing: Part.allCases.map(\.rawValue)) else { continue }
            for part in Part.allCases {
                for text in try lists[part.rawValue]?.strings() ?? [] {
                    forms.append(Form(part: part, text: text, exempt: exempt))
                }
            }
        }
        self.forms = forms
    }
}

extension ProfileSet {
    /// The forms by which templates are proven; `nil` if the profiles were loaded without samples.
    package var negatives: NegativeForms? { (try? common.generic())?.doubts.negatives }
}
