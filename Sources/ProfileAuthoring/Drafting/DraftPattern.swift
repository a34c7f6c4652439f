import Ledger
import Profiles

/// Writes nodes as a pattern in extended syntax: one piece per node, to be joined by blanks.
struct DraftPattern {
    /// The values of each field as printed, over all mails of the form.
    let printed: [Field: [[UInt8]]]
    let foreign: Set<Field>
    /// Dates that `(?&date_any)` does not read.
    let hasUnusualDate: Bool
    /// The account's digits are the last of a longer number.
    let hasLeadingDigits: Bool
    /// The counterparty is printed as its UPI address only.
    let isAddressTheName: Bool
    private(set) var pieces: [String] = []

    init(
        _ nodes: [DraftNode], printed: [Field: [[UInt8]]], foreign: Set<Field>, hasUnusualDate: Bool,
        hasLeadingDigits: Bool = false, isAddressTheName: Bool = false
    ) {
        self.printed = printed
        self.foreign = foreign
        self.hasUnusualDate = hasUnusualDate
        self.hasLeadingDigits = hasLeadingDigits
        self.isAddressTheName = isAddressTheName
        pieces = write(nodes, isWhole: true)
        if case .keep(let first)? = nodes.first {
            if Self.hasBoundary(first) { pieces.insert(#"\b"#, at: 0) }
            if first == .currency { pieces.insert("(?<! [A-Za-z] )", at: 0) }
            if case .field(let field) = first, [.amount, .balance, .limit].contains(field) {
                pieces.insert(#"(?<! [\d.,] )"#, at: 0)
            }
        }
    }

    /// Punctuation that banks use inconsistently.
    private static let optionalMarks: Set<String> = [",", ".", ":", ";", "!", "-"]

    /// Nodes without the `/-` of a round amount, which a separate piece reads if it occurs.
    private static func withoutRoundMark(_ nodes: [DraftNode]) -> [DraftNode] {
        var left: [DraftNode] = []
        var index = 0
        while index < nodes.count {
            if case .keep(.field(.amount))? = left.last, nodes[index] == .keep(.mark("/")), index + 1 < nodes.count,
                nodes[index + 1] == .keep(.mark("-"))
            {
                index += 2
            } else {
                left.append(nodes[index])
                index += 1
            }
        }
        return left
    }

    private func write(_ all: [DraftNode], isWhole: Bool = false) -> [String] {
        let nodes = Self.withoutRoundMark(all)
        var pieces: [String] = []
        for (index, node) in nodes.enumerated() {
            let next = index + 1 < nodes.count ? nodes[index + 1] : nil
            let previous = index > 0 ? nodes[index - 1] : nil
            switch node {
            case .keep(let token):
                if case .field(.account) = token, previous != .keep(.accountLabel), previous != .keep(.shape(.digits)) {
                    pieces.append("(?&no)")
                }
                if Self.hasBoundary(token), let previous, Self.isOpen(previous) { pieces.append(#"\b"#) }
                pieces.append(write(token, previous, next))
                if Self.hasBoundary(token), let next, Self.isOpen(next) { pieces.append(#"\b"#) }
                if case .field(let field) = token { pieces += fence(field, next, isEnd: isWhole && next == nil) }
            case .gap(let minimum, let maximum, let crossesLines):
                pieces.append("\(crossesLines ? #"[\s\S]"# : ".")" + "{\(minimum),\(maximum)}?")
            case .either(let forms, let isOptional):
                pieces.append(
                    "(?: "
                        + forms.map { $0.map { write($0, nil, nil) }.joined(separator: " ") }.joined(separator: " | ")
                        + " )" + (isOptional ? "?" : ""))
            case .optional(let inner):
                let written = write(inner, isWhole: isWhole && next == nil)
                // A mark that may be missing anyway needs no group.
                pieces.append(
                    written.count == 1 && written[0].hasSuffix("?") && inner.count == 1
                        ? written[0] : "(?: " + written.joined(separator: " ") + " )?")
            }
        }
        return pieces
    }

    /// `\b` supports ASCII letters only.
    private static func hasBoundary(_ token: DraftToken) -> Bool {
        if case .word(let word) = token {
            word.utf8.first.map { $0 < 0x80 } ?? false && word.utf8.last.map { $0 < 0x80 } ?? false
        } else {
            token.isWord
        }
    }

    private static func isOpen(_ node: DraftNode) -> Bool { if case .gap = node { true } else { false } }

    private func write(_ token: DraftToken, _ previous: DraftNode?, _ next: DraftNode?) -> String {
        func isOptionalMark(_ node: DraftNode?) -> Bool {
            if case .keep(.mark(let mark))? = node { Self.optionalMarks.contains(mark) } else { false }
        }
        func isValue(_ node: DraftNode?) -> Bool {
            switch node {
            case .keep(.field), .keep(.shape): true
            default: false
            }
        }
        switch token {
        case .word(let word): return Self.literal(word)
        case .mark(let mark):
            // A hyphen between two values is their only separator.
            let isFence = mark == "-" && (isValue(previous) || isValue(next))
            return Self.literal(mark) + (Self.optionalMarks.contains(mark) && !isFence ? "?" : "")
        case .blank:
            if next == .keep(.accountLabel) || isOptionalMark(previous) || isOptionalMark(next) { return #"\s?"# }
            return #"\s"#
        case .field(.vpa) where isAddressTheName: return "(?<merchant>(?<vpa>(?&vpa_any)))"
        case .field(let field): return "(?<\(field.rawValue)>\(reading(field)))"
        case .currency:
            guard case .keep(.field(let field))? = next, foreign.contains(field) else { return "(?&rupees)" }
            return field == .amount
                ? #"(?: (?&rupees) | (?<currency>(?&code)) \s? | (?<currency>(?&sign)) \s? )"#
                : #"(?: (?&rupees) | (?&code) \s? | (?&sign) \s? )"#
        case .accountWord: return "(?&ac)"
        case .accountLabel: return "(?&no)"
        case .did: return "(?&did)"
        case .shape(let shape):
            switch shape {
            case .money: return "(?&money)"
            case .date: return #"[\w,./' -]{4,24}?"#
            case .time: return "(?&time_any)"
            case .token: return #"\S{1,200}?"#
            case .name: return #"[^\n,]{1,80}?"#
            case .digits: return #"\d{0,18}"#
            }
        case .skip: return #"[\s\S]{0,600}?"#
        }
    }

    /// The pattern of a field's own bytes.
    private func reading(_ field: Field) -> String {
        let values = printed[field] ?? []
        switch field {
        case .amount, .balance, .limit: return "(?&number)"
        case .date:
            return hasUnusualDate
                ? #"(?&date_any) | \d{1,4} [-\s,/.]{0,2} (?: (?&month) | \d{1,2} ) (?: [-\s,/.]{1,2} \d{1,4} \b )? | (?&month) \.? \s? (?&day)"#
                : "(?&date_any)"
        case .time: return "(?&time_any)"
        case .merchant: return "(?&name)"
        case .vpa: return "(?&vpa_any)"
        case .mcc: return #"\d{4} (?!\d)"#
        case .foreign: return #"(?&code) \s? (?&number)"#
        case .account:
            let lengths = values.map(\.count)
            if hasLeadingDigits, let shortest = lengths.min(), let longest = lengths.max() {
                return #"\d{\#(shortest)\#(longest > shortest ? ",\(longest)" : "")} (?!\d)"#
            }
            return (lengths.max() ?? 4) <= 6
                ? "(?&digits)" : #"\d{\#(lengths.min() ?? 2),\#(max(18, lengths.max() ?? 18))} (?!\d)"#
        case .reference:
            let lengths = values.map(\.count)
            let range = "{\(max(3, (lengths.min() ?? 8) - 4)),\(min(60, (lengths.max() ?? 22) + 8))}"
            if values.allSatisfy({ $0.allSatisfy(PrintedForms.isDigit) }) { return #"\d\#(range) (?!\d)"# }
            if values.allSatisfy({ $0.allSatisfy(PrintedForms.isWord) }) { return #"[A-Z0-9]\#(range) (?![A-Z0-9])"# }
            return #"\w [\w/.:-]\#(range) (?!\w)"#
        case .currency, .type, .channel: return "(?&code)"
        }
    }

    /// The pattern that must follow a value so that it is read to its end.
    private func fence(_ field: Field, _ next: DraftNode?, isEnd: Bool) -> [String] {
        switch field {
        case .amount: return ["(?&only)"]
        case .merchant where isEnd: return ["(?= (?&name_end) )"]
        default: return []
        }
    }

    /// A text as a pattern in extended syntax.
    static func literal(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            let isPlain =
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar.value >= 0x80 || scalar == "_"
            result += (isPlain ? "" : #"\"#) + String(scalar)
        }
        return result
    }

    /// Joins pieces to lines of about a hundred characters, each indented.
    static func lines(_ pieces: [String], indentation: Int) -> String {
        var lines: [String] = []
        var line = ""
        for piece in pieces {
            if !line.isEmpty, line.count + piece.count > 110 {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + piece
        }
        if !line.isEmpty { lines.append(line) }
        let blanks = String(repeating: " ", count: indentation)
        return lines.map { blanks + $0 }.joined(separator: "\n")
    }
}
