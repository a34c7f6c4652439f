import Ledger

/// Makes one line of plain text from any text.
enum PlainLine {
    /// Replaces control characters, line ends and runs of white space by one space, drops characters that change the
    /// direction of text or have no form, and trims.
    ///
    /// - Parameter replacing: characters that have a meaning in the format, each with its replacement.
    static func make(
        _ text: String, replacing: (Unicode.Scalar) -> Unicode.Scalar? = { $0 }, limit: Int = longest
    ) -> String {
        var line = String.UnicodeScalarView()
        var count = 0
        var hasGap = false
        for scalar in text.unicodeScalars {
            // A line end or a tab separates words; a mark of direction does not.
            if scalar.properties.isWhitespace || scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) {
                hasGap = true
                continue
            }
            guard !FieldCheck.isControl(scalar), let kept = replacing(scalar) else { continue }
            guard count < limit else { break }
            if kept == " " {
                hasGap = true
                continue
            }
            if hasGap, count > 0 {
                line.append(" ")
                count += 1
            }
            hasGap = false
            line.append(kept)
            count += 1
        }
        return String(line)
    }

    /// Puts a mark before each of the scalars. Not by character: a quotation mark with an accent is another character.
    static func escaped(_ text: String, _ scalars: String, by mark: Unicode.Scalar) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalars.unicodeScalars.contains(scalar) { result.append(mark) }
            result.append(scalar)
        }
        return String(result)
    }

    /// Scalars of one line: more than any merchant's name or note.
    static let longest = 500
}
