/// Templates of one folder: a bank's own, or those of a shared folder, which several banks use without a copy.
package struct TemplateGroup: Sendable {
    /// The folder's name.
    package let folder: String
    package let templates: [Template]
    /// Words that a text must contain for each template.
    private let gates: WordGate.Row

    init(folder: String, _ templates: [Template] = []) {
        self.folder = folder
        self.templates = templates
        gates = WordGate.Row(templates.map(\.gate))
    }

    /// Indices of the templates that may claim the text.
    package func candidates(for text: SearchedText) -> [Int] { text.passing(gates) }

    /// For each template, the words that it requires and that the text has, less those that the text lacks.
    package func likenesses(to text: SearchedText) -> [Int] { text.likenesses(to: gates) }
}

extension Template {
    fileprivate var gate: WordGate {
        var parts = match.body.map { [$0.gate] } ?? []
        if case .transaction(let extraction) = kind, !extraction.bodies.isEmpty {
            parts.append(.any(extraction.bodies.map(\.gate)))
        }
        return .all(parts)
    }
}
