import InternetMessage
import Ledger

extension Claim {
    /// The words that stay of the mail's subject and of the sentences about its amount when the values are taken out,
    /// in their order: what a mail of the same template has in common with it. As they are whether a template claims
    /// the mail or nothing does.
    public func shapeWords() -> [String] {
        let decision = decide(trusting: .unverified, receivedAt: nil)
        let shape = TextShape.shape(
            subject: message.subject, text: message.text.bytes, values: decision.draft?.spans ?? [:])
        return shape.words.split(separator: " ").map(String.init).filter { $0 != "*" && $0 != "|" }
    }
}
