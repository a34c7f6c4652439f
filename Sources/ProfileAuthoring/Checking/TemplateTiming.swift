import InternetMessage
import PCRE2
public import Profiles

extension Claim {
    /// The time that each template of the bank takes to decide whether it claims the message, to find slow patterns.
    public func timings() -> [(template: String, time: Duration)] {
        guard let bank = sender.bank, let address = message.from.first?.addrSpec, let matcher = Matcher() else {
            return []
        }
        let subject = subject
        let clock = ContinuousClock()
        return ([bank.own] + bank.shared).flatMap { group in
            group.templates.filter { $0.media.contains(medium) }.map { template in
                let text = searched()
                return (
                    template.name,
                    clock.measure { _ = try? template.claims(from: address, subject: subject, in: text, with: matcher) }
                )
            }
        }
    }
}
