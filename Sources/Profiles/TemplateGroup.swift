import PCRE2

/// The templates of one folder, with the prefilter over their patterns: a bank's own, or a shared folder's, which several banks hold without
/// a copy.
struct TemplateGroup: Sendable {
    /// The folder's name.
    let folder: String
    let templates: [Template]
    /// Which of the templates' patterns a text can match at all.
    let prefilter: Prefilter

    /// Numbers the templates' patterns for the prefilter.
    init(folder: String, _ list: [Template] = [], words: Vocabulary = Vocabulary()) {
        self.folder = folder
        var literals: [RequiredLiterals] = []
        func number(_ pattern: TextPattern) -> TextPattern {
            literals.append(pattern.literals)
            // The trees are in the prefilter from here on.
            return TextPattern(pattern: pattern.pattern, literals: .nothing, number: literals.count - 1)
        }
        var gates: [RequiredLiterals] = []
        templates = list.map { template in
            var template = template
            gates.append(template.requirement)
            template.match.body = template.match.body.map(number)
            template.match.unless = template.match.unless.map(number)
            if case .transaction(var extraction) = template.kind {
                extraction.bodies = extraction.bodies.map(number)
                template.kind = .transaction(extraction)
            }
            return template
        }
        prefilter = Prefilter(literals, gates: gates, words: words)
    }
}

extension Template {
    /// What a text that the template claims must hold.
    fileprivate var requirement: RequiredLiterals {
        var parts = [match.body?.literals ?? .nothing]
        if case .transaction(let extraction) = kind, !extraction.bodies.isEmpty { parts.append(.any(extraction.bodies.map(\.literals))) }
        return .all(parts)
    }
}
