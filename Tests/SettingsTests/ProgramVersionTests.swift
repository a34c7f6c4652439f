import Testing

@testable import Settings

@Suite struct ProgramVersionTests {
    @Test(arguments: [("", ProgramVersion.number), ("7c9b5f05ab12", "\(ProgramVersion.number) (7c9b5f05ab12)")])
    func textShowsTheCommitIfItIsKnown(commit: String, text: String) {
        #expect(ProgramVersion.text(commit: commit) == text)
    }

    /// Packages compare it: numbers that increase.
    @Test func numberIsThreeNumbers() {
        let parts = ProgramVersion.number.split(separator: ".", omittingEmptySubsequences: false)
        #expect(parts.count == 3 && parts.allSatisfy { Int($0) != nil })
    }
}
