import Profiles

/// Cuts canonical text into sentences and table rows.
enum Sentences {
    /// Minimum length of a line without a stop at its end that continues on the next: plain text is wrapped at about
    /// seventy characters.
    private static let wrappedLineBytes = 50
    /// Abbreviations whose full stop does not end a sentence.
    private static let abbreviations: Set<String> = [
        "rs", "re", "no", "a/c", "ac", "acct", "mr", "mrs", "ms", "dr", "st", "smt", "shri", "inr", "num", "ref", "txn",
        "avl", "bal", "ltd", "pvt", "m/s", "co", "min", "amt",
    ]

    /// The end of each sentence: the offset after its last byte, line break or blank excluded.
    static func all(in text: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start = 0
        var lineStart = 0
        for at in text.indices {
            let byte = text[at]
            var ends = false
            if byte == 0x0A {
                let isWrapped =
                    at - lineStart >= wrappedLineBytes && at > 0 && !".:!?".utf8.contains(text[at - 1])
                    && at + 1 < text.count && (PrintedForms.isWord(text[at + 1]))
                ends = !isWrapped
                lineStart = at + 1
            } else if byte == 0x20, at > 0, ".!?".utf8.contains(text[at - 1]) {
                ends =
                    text[at - 1] != UInt8(ascii: ".")
                    || !abbreviations.contains(word(before: at - 1, in: text))
                        && (at + 1 >= text.count || startsSentence(text[at + 1]))
            }
            guard ends else { continue }
            if start < at { found.append(start..<at) }
            start = at + 1
        }
        if start < text.count { found.append(start..<text.count) }
        return found
    }

    static func around(_ span: Range<Int>, in text: [UInt8]) -> Range<Int> {
        let sentences = all(in: text).filter { $0.lowerBound < span.upperBound && $0.upperBound > span.lowerBound }
        guard let first = sentences.first, let last = sentences.last else { return span }
        return min(first.lowerBound, span.lowerBound)..<max(last.upperBound, span.upperBound)
    }

    private static func startsSentence(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || byte >= 0x80 || byte == UInt8(ascii: "*")
    }

    private static func word(before at: Int, in text: [UInt8]) -> String {
        var start = at
        while start > 0, PrintedForms.isLetter(text[start - 1]) || text[start - 1] == UInt8(ascii: "/") { start -= 1 }
        return String(decoding: text[start..<at], as: UTF8.self).lowercased()
    }
}

/// Words by which an alert reports a completed event.
enum PastTenseWords {
    private static let participles: Set<String> = [
        "debited", "credited", "spent", "paid", "made", "done", "sent", "withdrawn", "deposited", "transferred",
        "received", "charged", "deducted", "used", "processed", "completed", "initiated", "reversed", "refunded",
    ]

    /// Matches `has been`, `is`, `was` before such a word, possibly with "successfully" in between. The range is the
    /// part that "could not be" would replace.
    static func phrase(in text: [UInt8], _ part: Range<Int>) -> Range<Int>? {
        let words = PrintedForms.runs(in: text, part, of: PrintedForms.isLetter)
        func word(_ index: Int) -> String {
            words.indices.contains(index) ? String(decoding: text[words[index]], as: UTF8.self).lowercased() : ""
        }
        for index in words.indices {
            var last = index
            if ["has", "have"].contains(word(index)), word(index + 1) == "been" {
                last = index + 1
            } else if !["is", "was", "were"].contains(word(index)) {
                continue
            }
            if word(last + 1) == "successfully" { last += 1 }
            if participles.contains(word(last + 1)) { return words[index].lowerBound..<words[last].upperBound }
        }
        return nil
    }

    /// Nearest preceding sentence that reports an event, if the value's own does not: tables follow such a sentence.
    static func sentence(before span: Range<Int>, in text: [UInt8]) -> Range<Int>? {
        let own = Sentences.around(span, in: text)
        if phrase(in: text, own) != nil || Wording.isMoving(text, own) { return nil }
        // A heading and the rows of a table.
        return Sentences.all(in: text).filter { $0.upperBound <= own.lowerBound }.suffix(12).last {
            phrase(in: text, $0) != nil
        }
    }
}
