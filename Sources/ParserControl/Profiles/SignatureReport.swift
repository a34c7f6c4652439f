import Codecs
import DKIM
import InternetMessage
import Profiles

/// The results of the program's check of a mail's DKIM signatures and ARC seals, for display.
struct SignatureReport {
    private let results: [SignatureResult]
    /// The verdict on the From domain by the signatures alone.
    let verdict: String
    /// The domains of the mail's ARC seals, the first one first.
    private let sealers: [String]
    private let finding: ARCFinding

    /// - Parameter forwarders: the domains whose seals count.
    init(_ message: Message, _ claim: Claim, forwarders: [String], _ verifier: SignatureVerifier = .system) {
        let results = verifier.results(
            of: message, pinned: claim.sender.bank?.signingKeys ?? [], receivedAt: nil, extent: .all)
        self.results = results
        verdict =
            message.authentication(.verified(authservID: nil)) {
                verifier.finding(results, receivedAt: nil)
            }.description
        sealers = message.sealers
        finding = verifier.finding(for: message, vouchedBy: forwarders, receivedAt: nil)
    }

    /// `nil` for a mail without ARC fields.
    var seals: String? {
        if finding == .unsealed { return nil }
        return (sealers.isEmpty ? "" : "sealed by \(sealers.joined(separator: ", ")): ") + "\(finding)"
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
                "arc",
                .object([
                    ("sealers", .array(sealers.map(JSON.string))), ("verdict", .string("\(finding)")),
                ])
            ),
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
