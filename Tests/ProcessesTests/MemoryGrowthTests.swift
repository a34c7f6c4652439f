import Testing

@testable import Processes

@Suite struct MemoryGrowthTests {
    @Test func theFirstReleaseIsWorthIt() {
        var growth = MemoryGrowth()
        let isLarge = [1001, 1000].map { growth.isLarge(at: $0) }
        #expect(isLarge == [true, false])
    }

    /// What is read again at once, such as the code that runs every second, is not growth.
    @Test func growthIsMeasuredFromWhatIsInRegularUse() {
        var growth = MemoryGrowth()
        growth.wasReleased(leaving: 10_000)
        let isLarge = [11_500, 12_500, 12_501, 9000].map { growth.isLarge(at: $0) }
        #expect(isLarge == [false, false, true, false])
    }

    /// A pass right after a release is not taken for regular use.
    @Test func memoryOfAPassIsReturned() {
        var growth = MemoryGrowth()
        growth.wasReleased(leaving: 10_000)
        let isLarge = [20_000, 13_001, 13_000].map { growth.isLarge(at: $0) }
        #expect(isLarge == [true, true, false])
    }
}
