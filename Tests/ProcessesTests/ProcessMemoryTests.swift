import Glibc
import Testing

@testable import Processes

@Suite struct ProcessMemoryTests {
    /// Segments of a loaded file, in pages from its beginning, and what of each is dropped.
    @Test(
        arguments: [
            ("code", PF_R | PF_X, 1.0, 3.0, 1..<4), ("constants", PF_R, 0, 2, 0..<2),
            ("parts of pages", PF_R, 0.5, 2, 1..<2), ("less than a page", PF_R, 2.25, 0.5, nil),
            // A small library has its whole file in one page: the linker writes addresses into this segment.
            ("writable", PF_R | PF_W, 1, 1, nil),
        ] as [(String, Int32, Double, Double, Range<UInt>?)])
    func whatNothingWritesIsDropped(
        name: String, flags: Int32, start: Double, size: Double, dropped: Range<UInt>?
    ) {
        let (base, page) = (UInt(0x5555_0000_0000), UInt(getpagesize()))
        let found = ProcessMemory.unmodifiedPages(
            of: base + UInt(start * Double(page)), UInt(size * Double(page)), UInt32(flags))
        #expect(found == dropped.map { base + $0.lowerBound * page..<base + $0.upperBound * page }, "\(name)")
    }

    /// Code, constants and relocated data are still right.
    @Test func theProgramGoesOn() {
        let words = ["one", "two"].map { $0.uppercased() }
        ProcessMemory.release()
        #expect(["one", "two"].map { $0.uppercased() } == words && strlen(strerror(ENOENT)) > 0)
    }
}
