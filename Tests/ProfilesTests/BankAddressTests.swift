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

    @Test(arguments: ["['@']", "[x@other.example]", "[x]"]) func addressesOutsideTheBank(text: String) throws {
        #expect(throws: SourceErrors.self) { try Self.bank(text) }
    }
}
