/// The rule by which a bank makes the password of its statements from facts about the customer.
///
/// Literal text and facts in braces: `{name:4:upper}{birth:ddmm}`. A fact is followed by
/// - nothing, for its whole value;
/// - `N` or `-N`, for its first or last N letters and digits;
/// - letters `d`, `m` and `y`, for a day that is written yyyy-mm-dd: `ddmm`, `ddmmyyyy`, `ddmmyy`;
/// - `upper` or `lower` after another colon, or alone.
public struct PasswordRule: Sendable, Equatable {
    private enum Piece: Sendable, Equatable {
        case text(String)
        case fact(name: String, form: Form, letters: Letters)
    }

    private enum Form: Sendable, Equatable {
        case whole
        case first(Int)
        case last(Int)
        /// A pattern such as `ddmm`.
        case day(String)
    }

    private enum Letters: String { case asWritten, upper, lower }

    private let pieces: [Piece]

    /// `nil` for a text of another form, and for one without a fact.
    public init?(_ text: String) {
        var pieces: [Piece] = []
        var rest = text[...]
        while !rest.isEmpty {
            let literal = rest.prefix { $0 != "{" && $0 != "}" }
            if !literal.isEmpty { pieces.append(.text(String(literal))) }
            rest = rest.dropFirst(literal.count)
            guard !rest.isEmpty else { break }
            guard rest.first == "{", let end = rest.firstIndex(of: "}"),
                let fact = Self.fact(rest[rest.index(after: rest.startIndex)..<end])
            else { return nil }
            pieces.append(fact)
            rest = rest[rest.index(after: end)...]
        }
        guard pieces.contains(where: { if case .fact = $0 { true } else { false } }) else { return nil }
        self.pieces = pieces
    }

    private static func fact(_ text: Substring) -> Piece? {
        var parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let name = parts.removeFirst()
        guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLowercase || $0 == "_") }) else { return nil }
        var letters = Letters.asWritten
        if let last = parts.last, last != Letters.asWritten.rawValue, let named = Letters(rawValue: last) {
            letters = named
            parts.removeLast()
        }
        guard parts.count <= 1 else { return nil }
        guard let form = parts.first else { return .fact(name: name, form: .whole, letters: letters) }
        if let count = Int(form), count != 0, count.magnitude <= 100 {
            return .fact(name: name, form: count > 0 ? .first(count) : .last(-count), letters: letters)
        }
        let isDay = !form.isEmpty && form.allSatisfy { "dmy".contains($0) }
        let runs = Self.runs(form)
        guard isDay, runs.allSatisfy({ $0.count == 2 || $0 == "yyyy" }) else { return nil }
        return .fact(name: name, form: .day(form), letters: letters)
    }

    /// Equal letters that follow each other: `dd`, `mm`, `yyyy`.
    private static func runs(_ pattern: String) -> [String] {
        var runs: [String] = []
        for letter in pattern {
            if runs.last?.last == letter { runs[runs.count - 1].append(letter) } else { runs.append(String(letter)) }
        }
        return runs
    }

    /// The names of the facts.
    var facts: Set<String> {
        Set(pieces.compactMap { if case .fact(let name, _, _) = $0 { name } else { nil } })
    }

    /// - Returns: `nil` if a fact is missing, or is no day where one is needed.
    func password(of facts: [String: String]) -> String? {
        var password = ""
        for piece in pieces {
            switch piece {
            case .text(let text): password += text
            case .fact(let name, let form, let letters):
                guard let value = facts[name].flatMap({ Self.value($0, form) }) else { return nil }
                switch letters {
                case .asWritten: password += value
                case .upper: password += value.uppercased()
                case .lower: password += value.lowercased()
                }
            }
        }
        return password
    }

    private static func value(_ fact: String, _ form: Form) -> String? {
        let plain = fact.filter { $0.isLetter || $0.isNumber }
        switch form {
        case .whole: return fact
        case .first(let count): return String(plain.prefix(count))
        case .last(let count): return String(plain.suffix(count))
        case .day(let pattern):
            let parts = fact.split(separator: "-").map(String.init)
            guard parts.map(\.count) == [4, 2, 2], parts.joined().allSatisfy(\.isNumber) else { return nil }
            return runs(pattern).map { run in
                switch run {
                case "dd": parts[2]
                case "mm": parts[1]
                case "yyyy": parts[0]
                default: String(parts[0].suffix(2))
                }
            }.joined()
        }
    }
}
