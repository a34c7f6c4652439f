import Ledger
import PCRE2

extension ProfileSet {
    /// The name of the other side of a payment, by the words around it; `nil` if the text names none.
    package func counterparty(in text: [UInt8]) -> Range<Int>? {
        guard let matcher = Matcher() else { return nil }
        return (try? common.generic().read(text, with: matcher))?.spans[.merchant]
    }
}
