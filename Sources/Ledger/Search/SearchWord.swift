/// A word of a search, or several in quotes, with its mark and key.
struct SearchWord: Hashable {
    enum Key: String, CaseIterable {
        case tag, payee, merchant, category, account, bank, `is`, since, until
    }

    var key: Key?
    /// What was written before a colon in place of a key.
    var unknownKey: String?
    var text = ""
    var isExcluded = false
    var isQuoted = false

    /// A plain word, which may be a part of a day.
    var plain: String? { key == nil && unknownKey == nil && !isExcluded && !isQuoted ? text : nil }

    /// Splits at blanks outside quotes. A quote that is not closed ends with the text.
    static func words(of text: String) -> [SearchWord] {
        var words: [SearchWord] = []
        var rest = Substring(text)
        while true {
            rest = rest.drop(while: \.isWhitespace)
            guard !rest.isEmpty else { return words }
            let word = next(&rest)
            if word.key != nil || word.unknownKey != nil || !word.text.isEmpty { words.append(word) }
        }
    }

    private static func next(_ rest: inout Substring) -> SearchWord {
        var word = SearchWord()
        if rest.first == "-", let second = rest.dropFirst().first, !second.isWhitespace, !second.isNumber {
            word.isExcluded = true
            rest.removeFirst()
        }
        let head = rest.prefix { !$0.isWhitespace && $0 != ":" && $0 != "\"" }
        let tail = rest.dropFirst(head.count)
        if tail.first == ":" {
            word.key = Key(rawValue: head.lowercased())
            if word.key == nil, looksLikeKey(head), !tail.hasPrefix("://") { word.unknownKey = String(head) }
            if word.key != nil || word.unknownKey != nil { rest = tail.dropFirst() }
        }
        if rest.first == "\"" {
            word.text = quoted(&rest)
            word.isQuoted = true
        } else {
            let plain = rest.prefix { !$0.isWhitespace }
            rest = rest.dropFirst(plain.count)
            word.text = String(plain)
        }
        return word
    }

    /// One letter and digits before a colon are text, such as a time.
    private static func looksLikeKey(_ head: Substring) -> Bool {
        head.count > 1 && head.allSatisfy { $0.isASCII && $0.isLetter }
    }

    /// Takes a text in quotes; `""` is a quote within it.
    private static func quoted(_ rest: inout Substring) -> String {
        var text = ""
        repeat {
            if !text.isEmpty { text.append("\"") }
            let part = rest.dropFirst().prefix { $0 != "\"" }
            text += part
            rest = rest.dropFirst(part.count + 2)
        } while rest.first == "\""
        return text[...].trimmed
    }
}

extension Substring {
    fileprivate var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(start.prefix(start.reversed().drop(while: \.isWhitespace).count))
    }
}
