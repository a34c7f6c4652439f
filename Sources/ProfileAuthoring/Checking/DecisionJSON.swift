public import Codecs
public import Ledger
public import Profiles

extension Decision {
    /// Decision as JSON for programs, equal in the terminal and the API. Amounts are decimal strings; absent values are
    /// null.
    ///
    /// - Parameter name: name of the mail, such as its file.
    public func json(of name: String) -> [(String, JSON)] {
        let fields: [(String, JSON)] = Field.allCases.map { ($0.rawValue, JSON(draft?.text(of: $0))) }
        let spans: [(String, JSON)] = (draft?.spans ?? [:]).sorted {
            ($0.value.lowerBound, $0.key.rawValue) < ($1.value.lowerBound, $1.key.rawValue)
        }
        .map {
            ($0.key.rawValue, .array([.integer(Int64($0.value.lowerBound)), .integer(Int64($0.value.upperBound))]))
        }
        let patterns: [(String, JSON)] = Field.allCases.compactMap { field in
            draft?.patterns[field].map { (field.rawValue, .string($0.name)) }
        }
        return [
            ("file", .string(name)), ("outcome", .string(outcome.rawValue)), ("profile", JSON(profile)),
            ("profile_version", JSON(profileVersion)),
            ("template", JSON(template)), ("fields", .object(fields)), ("spans", .object(spans)),
            ("patterns", .object(patterns)), ("notice", notice?.json ?? .null), ("confidence", .number(confidence)),
            (
                "reasons",
                .array(
                    reasons.map {
                        .object([
                            ("factor", .string($0.name)), ("weight", .number($0.weight)), ("note", .string($0.note)),
                        ])
                    })
            ),
            ("authentication", .string(authentication)),
            ("category", JSON(category?.mapping.category)), ("subcategory", JSON(category?.mapping.subcategory)),
            ("category_why", JSON(category?.why)),
            ("error", JSON(failure?.description)),
        ]
    }
}

extension BankNotice {
    /// The kind and every field; amounts are decimal strings.
    var json: JSON {
        .object(
            [("kind", .string(kind.rawValue))] + Field.allCases.map { ($0.rawValue, JSON(text(of: $0))) })
    }
}

extension Claim {
    /// The decision and, if no template claims the mail, an explanation for each of the nearest templates.
    ///
    /// - Parameter nearest: the maximum number of templates.
    /// - Parameter further: members after those of the decision.
    public func json(of name: String, _ decision: Decision, nearest: Int, _ further: [(String, JSON)] = []) -> JSON {
        var templates: [JSON] = []
        if TemplateName.template(decision.template) == nil {
            templates = explain(nearest: nearest).nearest.map {
                .object([
                    ("template", .string($0.template)), ("step", .string($0.step.rawValue)),
                    ("matched", JSON($0.matched)), ("stopped_at", JSON($0.stoppedAt)),
                    ("wanted", JSON($0.wanted)), ("file", .string($0.path)),
                    ("line", JSON($0.line > 0 ? $0.line : nil)),
                ])
            }
        }
        return .object(decision.json(of: name) + [("templates", .array(templates))] + further)
    }
}
