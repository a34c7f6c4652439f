import Ledger
import PCRE2

/// Doubts because of words for refusal and reversal in the languages of the bank's country. The English words are in
/// `_doubts.yaml`.
extension DoubtReader {
    /// A statement that the mail contains such words.
    private struct Statement {
        var place: DoubtRules.Place
        /// Their position in the subject or in the text.
        var words: Range<Int>
    }

    /// The factor against a draft that a template read; `nil` for banks that count in rupees, whose mails are in
    /// English.
    func localReason(about amount: Range<Int>, _ subject: SearchedText) throws(MatchError) -> Reason? {
        guard let bank = claim.sender.bank, bank.currency != .inr, template != TemplateName.generic else { return nil }
        let country = bank.region.customs ?? Country.main(of: bank.currency)
        for code in country?.languages ?? [] where code != "en" {
            // A file that does not load was reported when the profiles were read.
            guard let language = (try? generic.languages.words(of: code)) ?? nil else { continue }
            var patterns = [language.refused]
            if draft.type != .income { patterns += [language.undone, language.refunded] }
            for pattern in patterns.compactMap(\.self) {
                guard let found = try statement(of: pattern, about: amount, subject),
                    try !isDemanded(found.words, in: found.place, subject)
                else { continue }
                return Reason(
                    .wordingDoubtful, weight: 0.3,
                    note: "words of the mail say that a payment was declined, reversed or refunded, or is still pending"
                )
            }
        }
        return nil
    }

    /// The first match in the subject, in the sentence of the amount, or in a cell of the text, without the
    /// counterparty's name.
    private func statement(
        of pattern: Pattern, about amount: Range<Int>, _ subject: SearchedText
    ) throws(MatchError) -> Statement? {
        if try matcher.firstMatch(of: pattern, in: subject.bytes),
            try matcher.firstMatch(of: pattern, in: withoutName(subject.bytes, at: nil)),
            let words = matcher.range(of: 0)
        {
            return Statement(place: .subject, words: words)
        }
        guard try matcher.firstMatch(of: pattern, in: text.bytes) else { return nil }
        let bytes = withoutName(text.bytes, at: draft.spans[.merchant])
        var parts = [GenericReader.sentence(around: amount, in: text.bytes)]
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            if Self.isCell(bytes[start..<end]) { parts.append(start..<end) }
            start = end + 1
        }
        for part in parts where try matcher.firstMatch(of: pattern, in: Array(bytes[part])) {
            guard let words = matcher.range(of: 0) else { continue }
            return Statement(
                place: .cell, words: words.lowerBound + part.lowerBound..<words.upperBound + part.lowerBound)
        }
        return nil
    }

    /// A longer line is a sentence, or a button below the alert.
    private static let cellBytes = 90
    private static let cellWords = 4

    /// True for a row that has a label and a short value, or one of the two.
    private static func isCell(_ line: ArraySlice<UInt8>) -> Bool {
        line.count <= cellBytes && line.split(separator: 0x20, maxSplits: cellWords).count <= cellWords
    }
}
