import Foundation
import InternetMessage
import Ledger
import ProfileFixture
import Testing

@testable import ProfileAuthoring
@testable import Profiles

@Suite struct ShippedProfilesTests {
    @Test func everySampleHolds() throws {
        let results = try ShippedProfiles.all.get().checkSamples()
        #expect(results.count > 300)
        for result in results where !result.holds {
            Issue.record("\(result.path):\(result.line) '\(result.sample)': \(result.differences)")
        }
    }

    @Test func everyTemplateCarriesItsProof() throws {
        for finding in try ShippedProfiles.all.get().lint() { Issue.record("\(finding.path): \(finding.message)") }
    }
}
