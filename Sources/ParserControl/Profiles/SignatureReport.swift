import Codecs
import DKIM
import InternetMessage
import Profiles

/// The results of the program's check of a mail's DKIM signatures, for display.
struct SignatureReport {
    private let results: [SignatureResult]
    /// The verdict on the From domain by the signatures alone.
    let verdict: String

    init(_ message: Message, _ claim: Claim, _ verifier: SignatureVerifier = .system) {
        let results = verifier.results(
            of: message, pinned: claim.sender.bank?.signingKeys ?? [], receivedAt: nil, extent: .all)
        self.results = results
        verdict =
            message.authentication(.verified(authservID: nil)) {
                verifier.finding(results, receivedAt: nil)
            }.description
    }

    /// One line for each signature.
    var lines: [String] {
        results.map { result in
            let signer = result.domain.isEmpty ? "" : "\(result.domain) (\(result.selector)), "
            return "\(signer)\(result.isAligned ? "aligned with From" : "not of the From domain"): "
                + "\(result.dkimResult.rawValue), \(result.reason.rawValue)"
        }
    }

    var json: [(String, JSON)] {
        [
            ("verified", .string(verdict)),
            (
                "signatures",
                .array(
                    results.map {
                        .object([
                            ("domain", .string($0.domain)), ("selector", .string($0.selector)),
                            ("aligned", .bool($0.isAligned)), ("verdict", .string($0.dkimResult.rawValue)),
                            ("reason", .string($0.reason.rawValue)),
                        ])
                    })
            ),
        ]
    }
}
