import PCRE2

/// A text that a sender could write to stall a pattern, defined by its construction: a prefix, then a repeated part.
struct Attack: Hashable {
    var prefix: [UInt8] = []
    var unit: [UInt8]

    /// Appended to the text, so that no search ends early for lack of a character that every match ends with.
    private static let alphabet = Array(" zyxwvutsrqponmlkjihgfedcba.9876543210:;,/@#*()-".utf8)

    /// At most `size` bytes if the repeated part is shorter, never cut inside a character.
    func text(of size: Int) -> [UInt8] {
        var text = prefix
        let count = count(of: size)
        text.reserveCapacity(prefix.count + count * unit.count + Self.alphabet.count)
        for _ in 0..<count { text += unit }
        return text + Self.alphabet
    }

    private func count(of size: Int) -> Int { max(1, (size - prefix.count - Self.alphabet.count) / max(1, unit.count)) }

    /// `"Your card " then 8192 times "1,"`.
    func description(of size: Int) -> String {
        (prefix.isEmpty ? "" : Self.quoted(prefix) + " then ") + "\(count(of: size)) times " + Self.quoted(unit)
    }

    /// Both ends of a text, on one line.
    private static func quoted(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        let short = text.count > 60 ? text.prefix(38) + "…" + text.suffix(20) : text[...]
        return "\"" + String(short.map { $0.isNewline ? "\u{23CE}" : $0 }) + "\""
    }
}

extension Attack {
    /// Money-like words first; then digits, letters, blanks, lines, addresses.
    private static let fillers = ["Rs.1 ", "a", "1", "a ", "1,", "a\n", " ", "a@", "card ", "is was ", "1.", "é"].map {
        Array($0.utf8)
    }
    /// Maximum number of prefixes, of words and of cuts to try. The last ones are tried, because they lead furthest
    /// into the pattern.
    private static let maximumOfASort = 6

    /// Texts for one pattern, those from its own structure first.
    ///
    /// - Parameter genuine: text that it matches in a genuine mail, or such a mail.
    static func all(on syntax: PatternSyntax, genuine: ArraySlice<UInt8>) -> [Attack] {
        let witness = PatternWitness(syntax)
        var list: [Attack] = []
        for pump in witness.pumps(syntax.root) {
            list.append(Attack(prefix: pump.prefix, unit: pump.unit))
            // Many attempts that each match a long prefix.
            list.append(
                Attack(
                    unit: pump.prefix + Array(repeatElement(pump.unit, count: max(1, 200 / pump.unit.count)).joined())
                        + [0x20]))
        }
        let beginnings = witness.beginnings(syntax.root)
        for beginning in beginnings.suffix(maximumOfASort) { list.append(Attack(unit: beginning + [0x20])) }
        // The bank's own words, after texts that lead into the middle and to the end.
        for word in witness.words(syntax.root).suffix(maximumOfASort) {
            for index in [beginnings.count / 2, beginnings.count - 1] where beginnings.indices.contains(index) {
                list.append(Attack(prefix: beginnings[index] + [0x20], unit: word + [0x20]))
            }
            list.append(Attack(unit: word + [0x20]))
        }
        list += fillers.map { Attack(unit: $0) }
        if !genuine.isEmpty {
            list.append(Attack(unit: genuine + [0x20]))
            // Truncated before each of its words: the attempt fails late, and can backtrack into everything before.
            let blanks = genuine.indices.filter { genuine[$0] == 0x20 || genuine[$0] == 0x0A }
            for cut in blanks.suffix(maximumOfASort) {
                let beginning = Array(genuine[genuine.startIndex...cut])
                list.append(Attack(unit: beginning))
                for filler in fillers.prefix(2) { list.append(Attack(prefix: beginning, unit: filler)) }
            }
        }
        var seen = Set<Attack>()
        return list.filter { !$0.unit.isEmpty && seen.insert($0).inserted }
    }
}
