import InternetMessage
import PCRE2
import Profiles

// The steps of a decision one by one, so that each can be measured.

extension Claim {
    /// Runs the prefilter: finds the bank's own templates that can claim the text.
    package func prefilter() {
        guard let bank = sender.bank else { return }
        _ = bank.own.candidates(for: searched())
    }

    /// Runs the templates of the bank, its prefilter first. Returns how many claim the mail.
    package func match() -> Int {
        guard let bank = sender.bank, let matcher = Matcher() else { return 0 }
        return (try? templateClaims(bank, in: searched(), with: matcher).count) ?? 0
    }
}
