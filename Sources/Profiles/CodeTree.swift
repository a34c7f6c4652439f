/// Trees in arrays of numbers: a node is its kind, how many elements it takes, and what is in it.
enum CodeTree {
    /// Deeper ones stand in no file that this program wrote.
    static let maximumDepth = 100

    /// Calls `body` with each of the nodes that stand one behind the other in a range, as long as it returns true.
    /// - Returns: false where they are no nodes, or `body` returned false.
    static func all(_ code: UnsafeMutableBufferPointer<Int32>, in range: Range<Int>, _ body: (Range<Int>) -> Bool) -> Bool {
        var at = range.lowerBound
        while at < range.upperBound {
            guard at + 1 < range.upperBound, case let count = Int(code[at + 1]), 2 <= count, count <= range.upperBound - at, body(at..<(at + count)) else { return false }
            at += count
        }
        return true
    }

    /// Takes a node off the front.
    static func first(_ codes: inout ArraySlice<Int32>) -> [Int32]? {
        guard codes.count >= 2, case let count = Int(codes[codes.startIndex + 1]), 2 <= count, count <= codes.count else { return nil }
        defer { codes = codes.dropFirst(count) }
        return Array(codes.prefix(count))
    }
}
