import Ledger

/// Texts about what lower targets found, which compose English sentences only. In another language, the case of the
/// enumeration selects a text of the page; its catalogue alone has the groups `reason` and `health`.
enum ReasonText {
    /// The note of a factor of a confidence, or of an ignored mail.
    static func note(_ reason: Reason) -> String { PageText.ofCase("reason.\(reason.name)") ?? reason.note }

    static func sentence(_ reason: IgnoreReason) -> String {
        PageText.ofCase("reason.\(reason.rawValue)") ?? reason.sentence
    }

    /// The stored reason of a mail's outcome: that of its factor, if one of them gave it, or why it is ignored.
    static func outcome(_ text: String, of reasons: [Reason] = []) -> String {
        reasons.first { $0.note == text }.map(note) ?? IgnoreReason.allCases.first { $0.sentence == text }.map(sentence)
            ?? text
    }
}
