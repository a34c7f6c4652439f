import Codecs
import InternetMessage
public import Ledger

/// The words of an alert by which two events that agree in every field can still be distinguished.
///
/// Near the fields every word counts: an identifier, a name or a balance may be among them. Elsewhere only words with a
/// digit count, since banners, advertisements and signatures differ between copies of one mail. Links and e-mail
/// addresses count nowhere: they name the recipient or contain tracking codes.
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
        result.words.reserveCapacity(text.count)
        result.add(Array(subject.utf8), near: 0..<0)
        result.add(text, near: core(of: text, spans))
        var digest = FNV1a()
        digest.combine(result.words)
        return digest.hexadecimal
    }

    /// The part around the fields; all of the text if no field is in it.
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

    private mutating func add(_ text: [UInt8], near core: Range<Int>) {
        var start = 0
        while start < text.count {
            let end = text[start...].firstIndex(where: Self.isBlank) ?? text.count
            add(text, word: start..<end, isNear: core.contains(start))
            start = end + 1
        }
    }

    private mutating func add(_ text: [UInt8], word: Range<Int>, isNear: Bool) {
        var (start, end) = (word.lowerBound, word.upperBound)
        while start < end, TextShape.isSign(text[start]) { start += 1 }
        while start < end, TextShape.isSign(text[end - 1]) { end -= 1 }
        guard start < end else { return }
        let begin = words.count
        var hasDigit = false
        for byte in text[start..<end] {
            if (0x30...0x39).contains(byte) { hasDigit = true }
            words.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
        }
        guard isNear || hasDigit, !Self.isLink(words[begin...]) else {
            return words.removeSubrange(begin...)
        }
        words.append(0)
    }

    /// True for a web address or an e-mail address in small letters. A UPI address has no point after its "@".
    private static func isLink(_ word: ArraySlice<UInt8>) -> Bool {
        if let at = word.lastIndex(of: UInt8(ascii: "@")) { return word[at...].contains(UInt8(ascii: ".")) }
        if word.starts(with: "www.".utf8) { return true }
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
