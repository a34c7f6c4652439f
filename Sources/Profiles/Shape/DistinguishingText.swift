import Codecs
import InternetMessage
public import Ledger

/// The words of an alert by which two events that agree in every field can still be distinguished.
///
/// Near the fields, every word is included: it may be an identifier, a name or a balance. Elsewhere, only words with a
/// digit are included, because banners, advertisements and signatures differ between copies of one mail. Links and
/// e-mail addresses are never included: they name the recipient or contain tracking codes.
struct DistinguishingText {
    /// Words before the first field, on its line and the one before: the salutation, and not a banner above it.
    private static let wordsBefore = 8
    private static let linesBefore = 1
    /// Words after the last field: "The Transaction ID is …", "Available balance: …", rows with remarks.
    private static let wordsAfter = 40

    /// The words in small letters, each followed by NUL, which no text contains.
    private var words: [UInt8] = []

    /// 16 hexadecimal digits.
    static func digest(_ text: [UInt8], subject: String, spans: FieldSpans) -> String {
        var result = DistinguishingText()
        var subject = subject
        subject.withUTF8 { result.addWordsWithDigits(of: $0, in: $0.indices) }
        let core = core(of: text, spans)
        text.withUnsafeBufferPointer { text in
            result.addWordsWithDigits(of: text, in: 0..<core.lowerBound)
            result.addWords(of: text, in: core)
            result.addWordsWithDigits(of: text, in: core.upperBound..<text.count)
        }
        var digest = FNV1a()
        digest.combine(result.words)
        return digest.hexadecimal
    }

    /// The part around the fields, from the beginning of a word to the end of one; all of the text if no field is in
    /// it.
    private static func core(of text: [UInt8], _ spans: FieldSpans) -> Range<Int> {
        var (start, end) = (text.count, 0)
        for span in spans.values { (start, end) = (min(start, span.lowerBound), max(end, span.upperBound)) }
        guard start < end, end <= text.count else { return text.indices }
        var (words, lines) = (0, 0)
        while start > 0 {
            if isBlank(text[start - 1]) { words += 1 }
            if text[start - 1] == 0x0A { lines += 1 }
            if words > wordsBefore || lines > linesBefore { break }
            start -= 1
        }
        words = 0
        while end < text.count {
            if isBlank(text[end]) { words += 1 }
            if words > wordsAfter { break }
            end += 1
        }
        return start..<end
    }

    private mutating func addWords(of text: UnsafeBufferPointer<UInt8>, in range: Range<Int>) {
        var start = range.lowerBound
        while start < range.upperBound {
            let end = Self.wordEnd(in: text, from: start, upTo: range.upperBound)
            add(UnsafeBufferPointer(rebasing: text[start..<end]))
            start = end + 1
        }
    }

    /// Searches for digits, because most words have none.
    private mutating func addWordsWithDigits(of text: UnsafeBufferPointer<UInt8>, in range: Range<Int>) {
        var at = range.lowerBound
        while true {
            let digit = Digits.next(in: text, from: at, upTo: range.upperBound)
            if digit >= range.upperBound { return }
            var start = digit
            while start > at, !Self.isBlank(text[start - 1]) { start -= 1 }
            at = Self.wordEnd(in: text, from: digit, upTo: range.upperBound)
            add(UnsafeBufferPointer(rebasing: text[start..<at]))
        }
    }

    private static func wordEnd(in text: UnsafeBufferPointer<UInt8>, from start: Int, upTo end: Int) -> Int {
        var at = start
        while at < end, !isBlank(text[at]) { at += 1 }
        return at
    }

    private mutating func add(_ word: UnsafeBufferPointer<UInt8>) {
        var (start, end) = (0, word.count)
        while start < end, TextShape.isSign(word[start]) { start += 1 }
        while start < end, TextShape.isSign(word[end - 1]) { end -= 1 }
        let word = UnsafeBufferPointer(rebasing: word[start..<end])
        if word.isEmpty || Self.isLink(word) { return }
        for byte in word { words.append(byte &- 0x41 < 26 ? byte | 0x20 : byte) }
        words.append(0)
    }

    /// True for a web address or an e-mail address. A UPI address has no point after its "@".
    private static func isLink(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
        if let at = word.lastIndex(of: UInt8(ascii: "@")) { return word[at...].contains(UInt8(ascii: ".")) }
        if word.count >= 4, word[3] == UInt8(ascii: "."), word.prefix(3).allSatisfy({ $0 | 0x20 == UInt8(ascii: "w") })
        {
            return true
        }
        guard let colon = word.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return word[colon...].starts(with: "://".utf8)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A }
}

extension Claim {
    /// A digest of the words that distinguish this alert from another with the same fields. Copies of one mail have the
    /// same digest, regardless of banners, links and advertisements.
    public func distinguishingText(of draft: TransactionDraft) -> String {
        DistinguishingText.digest(message.text.bytes, subject: message.subject, spans: draft.spans)
    }
}
