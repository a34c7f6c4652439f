import InternetMessage
import Ledger

extension Claim {
    /// Constant words of the mail's subject and of the sentences about its amount, in their order: the words that it
    /// shares with other mails of the same template. Independent of any claim.
    public func shapeWords() -> [String] {
        let decision = decide(trusting: .unverified, receivedAt: nil)
        let shape = TextShape.shape(
            subject: message.subject, text: message.text.bytes, values: decision.draft?.spans ?? [:])
        return shape.words.split(separator: " ").map(String.init).filter { $0 != "*" && $0 != "|" }
    }
}
