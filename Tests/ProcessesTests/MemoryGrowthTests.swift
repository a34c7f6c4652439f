import Processes
import Testing

@Suite struct MemoryGrowthTests {
    @Test func growthIsMeasuredFromTheLastRelease() {
        var growth = MemoryGrowth()
        #expect(growth.isLarge(), "a process that has started has more than 4 MB")
        #expect(growth.isLarge(at: 1001) && !growth.isLarge(at: 1000))
        growth.release()
        #expect(!growth.isLarge(at: 1001) && growth.isLarge(at: .max))
    }
}
