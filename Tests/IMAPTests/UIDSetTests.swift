import Randomness
import Testing
import YAMLSource

@testable import IMAP

@Suite struct UIDSetTests {
    @Test(arguments: [
        ("1", "1"), ("5:1", "1:5"), ("3,1,2", "1:3"), ("1:3,2:9,11", "1:9,11"), ("1,2,4294967295", "1:2,4294967295"),
        ("7:4294967295,1:5", "1:5,7:4294967295"),
    ]) func reads(_ wire: String, _ normal: String) {
        #expect(UIDSet(wire)?.description == normal)
    }

    @Test(arguments: [
        "", "0", "1,", ",1", "1:", ":1", "*", "1:*", "a", "1 2", "4294967296", "1:0", "99999999999999999999", "1,,2",
        "-1",
    ])
    func refuses(_ wire: String) { #expect(UIDSet(wire) == nil) }

    /// Against the same operations on plain sets of numbers.
    @Test func operations() throws {
        var random = SplitMix64(state: 1)
        for _ in 0..<500 {
            func numbers() -> Set<UInt32> {
                Set((0..<Int.random(in: 0...12, using: &random)).map { _ in UInt32.random(in: 1...16, using: &random) })
            }
            func set(_ numbers: Set<UInt32>) -> UIDSet { UIDSet(numbers.compactMap { UID($0) }) }
            let (a, b) = (numbers(), numbers())
            #expect(set(a).union(set(b)) == set(a.union(b)))
            #expect(set(a).intersection(set(b)) == set(a.intersection(b)))
            #expect(set(a).subtracting(set(b)) == set(a.subtracting(b)))
            #expect(set(a).map(\.rawValue) == a.sorted())
            #expect(set(a).count == a.count)
            #expect(set(a).first?.rawValue == a.min() && set(a).last?.rawValue == a.max())
            if !a.isEmpty { #expect(UIDSet(set(a).description) == set(a)) }
            var grown = UIDSet()
            for number in a { grown.insert(try #require(UID(number))) }
            #expect(grown == set(a))
            for number in UInt32(1)...16 { #expect(set(a).contains(try #require(UID(number))) == a.contains(number)) }
        }
    }

    @Test func theWholeRange() {
        let all = UIDSet(UID.min...UID.max)
        #expect(all.count == 4_294_967_295)
        #expect(all.subtracting(UIDSet("5") ?? UIDSet()).description == "1:4,6:4294967295")
        #expect(all.subtracting(all).isEmpty)
    }

    @Test func batches() {
        var batches = UIDSet.Batches(UIDSet("1:5,7,9:10,4294967294:4294967295") ?? UIDSet(), size: 4, bytes: 100)
        var got: [String] = []
        while let (uids, wire) = batches.next() { got.append("\(wire) \(uids.count)") }
        #expect(got == ["1:4 4", "5,7,9:10 4", "4294967294:4294967295 2"])
        var short = UIDSet.Batches(UIDSet("1,3,5,7") ?? UIDSet(), size: 100, bytes: 3)
        #expect(short.next()?.wire == "1,3")
        #expect(short.next()?.wire == "5,7")
        #expect(short.next() == nil)
        var none = UIDSet.Batches(UIDSet(), size: 4, bytes: 100)
        #expect(none.next() == nil)
    }
}
