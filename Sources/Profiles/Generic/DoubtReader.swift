import InternetMessage
import Ledger
import PCRE2

/// Applies the rules of `_doubts.yaml` to one mail from which a draft was read.
struct DoubtReader {
    let generic: GenericReader
    let claim: Claim
    /// The template that read the draft; `nil` for the generic reader.
    let template: String?
    let text: SearchedText
    let draft: TransactionDraft
    let matcher: Matcher

    private var message: Message { claim.message }
    private var rules: DoubtRules { generic.doubts }

    /// The factors that lower the confidence in the draft, whose amount is at `amount`.
    func reasons(about amount: Range<Int>) throws(MatchError) -> [Reason] {
        var found: [Reason] = []
        func doubt(_ note: String) { found.append(Reason(.wordingDoubtful, weight: 0.3, note: note)) }
        let subject = SearchedText(Array(message.subject.utf8), words: rules.subjectWords)
        for index in rules.candidates(for: text) {
            let rule = rules.rules[index]
            guard rule.exempt == nil || rule.exempt != draft.type, let words = try words(of: rule, amount, subject)
            else { continue }
            if let counting = words.counting, mayBeDemanded(counting, by: rule, amount),
                try isDemanded(counting, in: rule.place, subject)
            {
                continue
            }
            doubt(rule.note)
            break
        }
        if found.isEmpty, let reason = try localReason(about: amount, subject) { found.append(reason) }
        if let pretence = AmountSentence.pretence(before: amount, in: text.bytes) { doubt(pretence) }
        let quotes =
            try text.match(rules.forwarded, with: matcher) ? matcher.range(of: 0)?.upperBound ?? .max : .max
        if quotes <= amount.lowerBound || isRepeated(amount, subject.bytes) {
            found.append(
                Reason(
                    .forwarded, weight: 0.3,
                    note: "the alert is forwarded or quoted in this mail: whoever did so may have changed it"))
        }
        return found
    }

    /// The match of a rule, with the range of its first group that took part.
    private struct Words {
        var counting: Range<Int>?
    }

    private func words(
        of rule: DoubtRules.Rule, _ amount: Range<Int>, _ subject: SearchedText
    ) throws(MatchError) -> Words? {
        switch rule.place {
        case .text:
            guard try text.match(rule.pattern, with: matcher), endsInTime(rule, amount) else { return nil }
            return Words(counting: matcher.range(of: 1) ?? matcher.range(of: 2))
        case .subject:
            // A second time without the name, for the few subjects that match.
            guard try subject.match(rule.pattern, with: matcher),
                try matcher.firstMatch(of: rule.pattern.ready(), in: withoutName(subject.bytes, at: nil))
            else { return nil }
            return Words(counting: matcher.range(of: 1) ?? matcher.range(of: 2))
        case .cell:
            guard try text.match(rule.pattern, with: matcher),
                try matcher.firstMatch(
                    of: rule.pattern.ready(), in: withoutName(text.bytes, at: draft.spans[.merchant])),
                endsInTime(rule, amount)
            else { return nil }
            return Words(counting: matcher.range(of: 1) ?? matcher.range(of: 2))
        }
    }

    /// False if the rule must match within the sentence of the amount, and its last match ends after that sentence.
    private func endsInTime(_ rule: DoubtRules.Rule, _ amount: Range<Int>) -> Bool {
        guard rule.endsWithAmount, let end = matcher.range(of: 0)?.upperBound else { return true }
        return end <= AmountSentence.end(after: amount, in: text.bytes)
    }

    /// False for words in a sentence after that of the amount ("has been refunded"). They report another event, even if
    /// a pattern of the template, which searches the whole text, matches them.
    private func mayBeDemanded(_ words: Range<Int>, by rule: DoubtRules.Rule, _ amount: Range<Int>) -> Bool {
        rule.place != .text || words.lowerBound < AmountSentence.end(after: amount, in: text.bytes)
    }

    /// Bytes of a counterparty that are not read as a statement of the bank.
    private static let nameBytes = 80
    /// A shorter name may be a word of the bank's own.
    private static let leastRepeatedBytes = 8

    /// The bytes without the counterparty's name, which is not a statement of the bank: "REFUND CAFE" refunds nothing.
    ///
    /// Removes the first line of the name only, because text read beyond its end is the bank's.
    /// - Parameter span: position of the name in the bytes.
    func withoutName(_ bytes: [UInt8], at span: Range<Int>?) -> [UInt8] {
        var bytes = bytes
        for name in [draft.merchant, draft.vpa] {
            guard let name else { continue }
            let line = name.utf8.prefix { $0 != 0x0A }.prefix(Self.nameBytes)
            if line.count >= Self.leastRepeatedBytes { Self.blank(Array(line), in: &bytes) }
        }
        if let span {
            for index in span.prefix(Self.nameBytes) {
                if bytes[index] == 0x0A { break }
                bytes[index] = Self.filler
            }
        }
        return bytes
    }

    /// Letter that replaces words; no word of a pattern consists of it.
    private static let filler = UInt8(ascii: "x")

    private static func blank(_ name: [UInt8], in bytes: inout [UInt8]) {
        guard let first = name.first, name.count <= bytes.count else { return }
        var at = 0
        while at + name.count <= bytes.count {
            if bytes[at] == first, bytes[at..<(at + name.count)].elementsEqual(name) {
                for index in at..<(at + name.count) { bytes[index] = filler }
                at += name.count
            } else {
                at += 1
            }
        }
    }

    /// True if the template no longer claims the mail after these words are replaced: it is identified by them.
    func isDemanded(
        _ words: Range<Int>, in place: DoubtRules.Place, _ subject: SearchedText
    ) throws(MatchError) -> Bool {
        guard let bank = claim.sender.bank, let address = message.from.first?.addrSpec,
            // The shared templates are loaded if one of them claims the mail.
            let template = (bank.accounts.templates + bank.templates).first(where: { $0.name == template })
                ?? bank.shared.lazy.flatMap(\.templates).first(where: { $0.name == template })
        else { return false }
        var subject = subject.bytes
        var body = text.bytes
        func replace(_ bytes: inout [UInt8]) {
            for index in words where bytes[index] != 0x20 && bytes[index] != 0x0A { bytes[index] = Self.filler }
        }
        place == .subject ? replace(&subject) : replace(&body)
        let changed = place == .subject ? text : SearchedText(body, words: claim.common.words)
        return try template.claims(
            from: address, subject: claim.subject == nil ? nil : subject, in: changed, with: matcher) == nil
    }

    private static let repeatingPrefixes = ["fwd:", "fw:", "re:"].map { Array($0.utf8) }

    /// True if the subject marks a forwarded or answered mail, or the line of the amount is quoted.
    private func isRepeated(_ amount: Range<Int>, _ subject: [UInt8]) -> Bool {
        // The subject has no leading blank.
        if let first = subject.first, [UInt8(ascii: "f"), UInt8(ascii: "r")].contains(first | 0x20) {
            let opening = subject.prefix(4).map { $0 | 0x20 }
            if Self.repeatingPrefixes.contains(where: { opening.starts(with: $0) }) { return true }
        }
        let text = text.bytes
        let lineStart = text[..<amount.lowerBound].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return text[lineStart] == UInt8(ascii: ">")
    }
}
