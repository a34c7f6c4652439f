import InternetMessage
import Testing

@testable import Ingest

@Suite struct AuthservProposalTests {
    /// Headers as a provider's host writes them.
    private func mail(
        _ id: String, result: String = "dmarc=pass header.from=bank.example", received: String? = nil
    ) -> Message {
        Message(
            parsing: Array(
                """
                Received: from out.bank.example (out.bank.example [192.0.2.1])\r
                 by \(received ?? id) with ESMTPS; Fri, 20 Nov 2026 10:00:00 +0000\r
                Authentication-Results: \(id); \(result)\r
                From: alerts@bank.example\r
                \r

                """.utf8))
    }

    private func best(_ mails: [Message], _ candidates: [String] = []) -> String? {
        AuthservProposal.all(for: mails, candidates: candidates).first.map {
            "\($0.authservID) \($0.confirmed)/\($0.of)"
        }
    }

    @Test func nameInTheMailsIsProposed() {
        #expect(best([mail("mx.provider.example"), mail("mx.provider.example")]) == "mx.provider.example 2/2")
    }

    @Test func candidateComesFirstIfItConfirmsAsMany() {
        #expect(best([mail("mx.provider.example")], ["*.provider.example"]) == "*.provider.example 1/1")
        #expect(best([mail("mx.provider.example")], ["mx.other.example"]) == "mx.provider.example 1/1")
    }

    @Test func hostsOfOneProviderAreProposedByTheirDomain() {
        let mails = ["mx1.eu.provider.example", "mx2.eu.provider.example", "mx2.eu.provider.example"].map { mail($0) }
        #expect(best(mails) == "*.eu.provider.example 3/3")
    }

    @Test func nameThatConfirmsNothingIsNotProposed() {
        #expect(best([]) == nil)
        #expect(best([mail("mx.provider.example", result: "spf=pass")]) == nil)
        #expect(best([mail("mx.provider.example", result: "dmarc=pass header.from=other.example")]) == nil)
        #expect(best([Message(parsing: Array("From: a@bank.example\r\n\r\n".utf8))]) == nil)
    }

    /// A field that the sender wrote is below the Received field of the provider.
    @Test func forgedFieldBelowForeignHopIsNotProposed() {
        let forged = Message(
            parsing: Array(
                """
                Received: from x (x [192.0.2.9]) by mx.provider.example with ESMTP; Fri, 20 Nov 2026 10:00:00 +0000\r
                Received: from y (y [192.0.2.8]) by relay.attacker.example with ESMTP; Fri, 20 Nov 2026 09:59:00 +0000\r
                Authentication-Results: mx.provider.example; dmarc=pass header.from=bank.example\r
                From: alerts@bank.example\r
                \r

                """.utf8))
        #expect(best([forged], ["mx.provider.example"]) == nil)
    }
}
