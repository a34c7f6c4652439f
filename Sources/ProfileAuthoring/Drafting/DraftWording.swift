import Profiles
import YAMLSource

/// Decides by the surrounding words if an amount is that of the transaction.
enum Wording {
    private static let moving = [
        "debited", "credited", "spent", "paid", "withdrawn", "withdrawal", "deposited", "transferred", "received",
        "charged", "purchase", "transaction", "payment", "refund", "reversed", "sent",
    ]
    private static let aside = [
        "bal", "avl", "avail", "limit", "outstanding", "due", "minimum", "charge", "fee", "gst", "tax", "cashback",
        "reward", "upto", "otp",
    ]

    static func isMoving(_ text: [UInt8], _ part: Range<Int>) -> Bool {
        let words = String(decoding: text[part], as: UTF8.self).lowercased()
        return moving.contains { words.contains($0) }
    }

    static func score(ofAmount span: Range<Int>, in text: [UInt8]) -> Double {
        let sentence = Sentences.around(span, in: text)
        var score = isMoving(text, sentence) ? 3.0 : 0
        if isLabelledAside(span, in: text) { score -= 3 }
        let before = text[max(0, span.lowerBound - 5)..<span.lowerBound].map { $0 | 0x20 }
        let hasSign =
            ["rs", "inr", "usd"].contains { sign in String(decoding: before, as: UTF8.self).contains(sign) }
            || before.contains { $0 >= 0x80 }
        return score + (hasSign ? 1 : 0)
    }

    /// True if the words before it name a balance, a limit, a fee or similar.
    static func isLabelledAside(_ span: Range<Int>, in text: [UInt8]) -> Bool {
        let sentence = Sentences.around(span, in: text)
        let start = max(sentence.lowerBound, span.lowerBound - 45)
        let before = String(decoding: text[start..<span.lowerBound], as: UTF8.self).lowercased()
        let words = before.split { !$0.isLetter }
        guard let last = words.lastIndex(where: { word in aside.contains { word.hasPrefix($0) } }) else { return false }
        return !words[last...].contains { word in moving.contains(String(word)) }
    }
}

/// The part of a text most similar to the searched value.
enum NearestText {
    /// Limit of compared positions.
    private static let maximumPlaces = 4000

    static func find(_ value: String, in text: [UInt8]) -> String? {
        let wanted = Array(CanonicalWords.of(value).map(PrintedForms.folded).prefix(80))
        guard !wanted.isEmpty else { return nil }
        var best: (text: ArraySlice<UInt8>, distance: Int)?
        var places = 0
        for start in text.indices
        where (start == 0 || !PrintedForms.isWord(text[start - 1])) && PrintedForms.isWord(text[start]) {
            places += 1
            if places > maximumPlaces { break }
            var end = min(text.count, start + wanted.count)
            while end < text.count, end < start + wanted.count + 20, PrintedForms.isWord(text[end]) { end += 1 }
            let distance = editDistance(wanted, text[start..<end].map(PrintedForms.folded))
            if distance < best?.distance ?? Int.max { best = (text[start..<end], distance) }
        }
        guard let best, best.distance <= max(2, wanted.count * 2 / 3) else { return nil }
        return "'" + String(decoding: best.text.map { $0 == 0x0A ? 0x20 : $0 }, as: UTF8.self) + "'"
    }
}
