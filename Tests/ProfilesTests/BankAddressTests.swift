import InternetMessage
import ProfileFixture
import Testing
import YAMLSource

@testable import Profiles

@Suite struct BankAddressTests {
    static func bank(_ addresses: String) throws -> Bank {
        let folder = try ProfileFolder([
            "bank/_bank.yaml": "domains: [bank.example, bank.test]\naddresses: \(addresses)\n"
        ])
        return try #require(try ProfileSet(directories: [folder.path]).banks.first)
    }

    @Test(arguments: [
        ("[Alerts@]", ["alerts@bank.example", "alerts@bank.test"]),
        ("[alerts@, x@bank.test]", ["alerts@bank.example", "alerts@bank.test", "x@bank.test"]),
        ("x@bank.test", ["x@bank.test"]),
    ]) func nameIsExpandedToEachDomain(text: String, addresses: [String]) throws {
        #expect(try Self.bank(text).addresses == Set(addresses))
    }

    @Test func signingKeys() throws {
        let bank = try Self.bank(
            "x@bank.test\nsigning_keys:\n  - { domain: mail.BANK.example, selector: S1, key: 'v=DKIM1; p=AAAA', seen: 2026-01-31 }"
        )
        let key = try #require(bank.signingKeys.first)
        #expect(key.domain == "mail.bank.example" && key.selector == "s1" && key.record == "v=DKIM1; p=AAAA")
        #expect("\(key.seen)" == "2026-01-31")
    }

    @Test(arguments: [
        "{ domain: other.example, selector: s, key: 'p=A', seen: 2026-01-31 }",
        "{ domain: bank.example, selector: s, key: 'A', seen: 2026-01-31 }",
        "{ domain: bank.example, selector: s, key: 'p=A', seen: today }",
        "{ domain: bank.example, selector: s, key: 'p=A' }",
    ]) func faultySigningKeys(text: String) throws {
        #expect(throws: SourceErrors.self) { try Self.bank("x@bank.test\nsigning_keys:\n  - \(text)") }
    }

    @Test(arguments: ["['@']", "[x@other.example]", "[x]"]) func addressesOutsideTheBank(text: String) throws {
        #expect(throws: SourceErrors.self) { try Self.bank(text) }
    }
}
