/// The sentence of an amount in canonical text.
enum AmountSentence {
    /// End of an amount's sentence: a stop before a blank, or the end of a line that is too short to have been wrapped.
    static func end(after amount: Range<Int>, in text: [UInt8]) -> Int {
        var lineStart = text[..<amount.lowerBound].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        for at in amount.upperBound..<text.count {
            switch text[at] {
            case 0x0A:
                if at - lineStart < wrappedLineBytes || opensSentence(at + 1, in: text) { return at }
                lineStart = at + 1
            case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"):
                if at + 1 == text.count || text[at + 1] == 0x20 || text[at + 1] == 0x0A, !isAbbreviation(at, in: text) {
                    return at
                }
            default: break
            }
        }
        return text.count
    }

    /// Reason why the words before an amount in its sentence describe no event: a leading "If" or "In case", possibly
    /// after "Dear Customer,", an example, or an open quotation.
    static func pretence(before amount: Range<Int>, in text: [UInt8]) -> String? {
        var start = amount.lowerBound
        while start > 0 {
            let byte = text[start - 1]
            // A line that continues in lower case was wrapped.
            if byte == 0x0A, !(0x61...0x7A).contains(text[start]) { break }
            if byte == 0x20, start > 1, ".!?".utf8.contains(text[start - 2]), !isAbbreviation(start - 2, in: text) {
                break
            }
            start -= 1
        }
        let sentence = text[start..<amount.lowerBound]
        if isQuoted(sentence, upTo: text[amount.upperBound...].prefix(200)) {
            return "the amount is in a quotation"
        }
        var words = sentence.prefix(160).split(maxSplits: 16) { $0 == 0x20 || $0 == 0x0A }.prefix(16)
        // With a capital letter it may be a name.
        if words.contains(where: { $0.elementsEqual("example".utf8) })
            || zip(words, words.dropFirst()).contains(where: { isWord($0, "such") && isWord($1, "as") })
        {
            return "the amount's sentence gives an example"
        }
        if let first = words.first, isWord(first, "dear"),
            let comma = words.firstIndex(where: { $0.last == UInt8(ascii: ",") })
        {
            words = words[(comma + 1)...]
        }
        guard let first = words.first else { return nil }
        let isCondition =
            isWord(first, "if") || isWord(first, "incase")
            || isWord(first, "in") && words.dropFirst().first.map { isWord($0, "case") } ?? false
        return isCondition ? "the amount's sentence begins with an if: it does not say that something happened" : nil
    }

    private static func isWord(_ printed: ArraySlice<UInt8>, _ word: StaticString) -> Bool {
        word.withUTF8Buffer { word in printed.count == word.count && printed.elementsEqual(word) { $0 | 0x20 == $1 } }
    }

    /// True if a quotation begins before the amount and ends after it. An apostrophe (McDonald's) begins none: an
    /// opening quotation mark follows a blank.
    private static func isQuoted(_ before: ArraySlice<UInt8>, upTo after: ArraySlice<UInt8>) -> Bool {
        for mark in [UInt8(ascii: "'"), UInt8(ascii: "\"")] {
            var isOpen = false
            for index in before.indices where before[index] == mark {
                let follows = index == before.startIndex || " \n(:".utf8.contains(before[index - 1])
                isOpen = follows
            }
            guard isOpen else { continue }
            let line = after.prefix { $0 != 0x0A }
            if line.indices.contains(where: {
                line[$0] == mark && (line.index(after: $0) == line.endIndex || " .,;)".utf8.contains(line[$0 + 1]))
            }) {
                return true
            }
        }
        return false
    }

    /// Matches the stop of "Rs. 500", "A/c no. XX12" and "J. T. LEE".
    private static func isAbbreviation(_ stop: Int, in text: [UInt8]) -> Bool {
        if isInitial(stop, in: text) { return true }
        guard stop >= 2 else { return false }
        let word = text[(stop - 2)..<stop]
        return isWord(word, "rs") || isWord(word, "no")
    }

    /// True for the stop behind a single capital, as in "B.C. & A. STORES".
    static func isInitial(_ stop: Int, in text: [UInt8]) -> Bool {
        stop >= 1 && (0x41...0x5A).contains(text[stop - 1])
            && (stop == 1 || " .\n".utf8.contains(text[stop - 2]))
    }

    /// Matches a capital followed by a small letter.
    private static func opensSentence(_ at: Int, in text: [UInt8]) -> Bool {
        at + 1 < text.count && (0x41...0x5A).contains(text[at]) && (0x61...0x7A).contains(text[at + 1])
    }

    /// Minimum length of a wrapped line: plain text is wrapped at about seventy characters.
    private static let wrappedLineBytes = 50
}
