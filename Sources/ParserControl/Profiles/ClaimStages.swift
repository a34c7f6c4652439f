import InternetMessage
import PCRE2
import Profiles

// The steps of deciding over a mail one by one, for measuring each of them.

extension Claim {
    /// Finds the templates of the bank that could claim the text at all.
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
