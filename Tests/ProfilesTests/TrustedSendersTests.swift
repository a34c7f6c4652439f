import Chronology
import InternetMessage
import Ledger
import Testing

@testable import Profiles

@Suite struct TrustedSendersTests {
    static func bank(_ addresses: Set<String>) throws -> Bank {
        Bank(
            key: "meghna", name: "Meghna Bank", domains: ["meghna.example"], addresses: addresses,
            timeZone: try #require(IANATimeZone(identifier: "Asia/Kolkata")), currency: .inr,
            autoConfirmAt: nil, path: "")
    }

    static func isKnown(_ address: String, _ set: ProfileSet) -> Bool {
        let message = Message(parsing: Array("From: \(address)\r\nSubject: Alert\r\n\r\nINR 5".utf8))
        if case .known = set.claim(message).sender { return true }
        return false
    }

    @Test func aTrustedAddressIsKnown() throws {
        let set = try ProfileSet(only: [try Self.bank(["alerts@meghna.example"])])
        #expect(!Self.isKnown("new@meghna.example", set))
        let trusting = set.adding(trusted: [TrustedSender(address: "new@meghna.example", bank: "meghna")])
        #expect(
            Self.isKnown("new@meghna.example", trusting) && Self.isKnown("alerts@meghna.example", trusting)
                && !Self.isKnown("other@meghna.example", trusting))
    }

    @Test(arguments: [("new@evil.example", "meghna"), ("new@meghna.example", "other"), ("new", "meghna")])
    func onlyAtTheBanksOwnDomain(address: String, bank: String) throws {
        let set = try ProfileSet(only: [try Self.bank(["alerts@meghna.example"])]).adding(trusted: [
            TrustedSender(address: address, bank: bank)
        ])
        #expect(set.banks[0].addresses == ["alerts@meghna.example"])
    }

    @Test func bankWithoutAnAddressListStillAcceptsAll() throws {
        let set = try ProfileSet(only: [try Self.bank([])]).adding(trusted: [
            TrustedSender(address: "new@meghna.example", bank: "meghna")
        ])
        #expect(Self.isKnown("anything@meghna.example", set))
    }
}
