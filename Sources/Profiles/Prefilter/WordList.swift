/// Words one after the other in one array, each named by its index. A few banks require eight thousand.
struct WordList: Equatable, Sendable {
    private(set) var bytes: [UInt8] = []
    /// The end of each word in ``bytes``.
    private var ends: [UInt32] = []

    var count: Int { ends.count }

    /// - Parameter lines: a word each, 4 GiB in all.
    init(lines: ArraySlice<UInt8> = []) {
        bytes.reserveCapacity(lines.count)
        var rest = lines
        while !rest.isEmpty {
            let word = rest.prefix { $0 != 0x0A }
            if !word.isEmpty { append(word) }
            rest = rest.dropFirst(word.count + 1)
        }
    }

    mutating func append(_ word: some Collection<UInt8>) {
        bytes += word
        ends.append(UInt32(truncatingIfNeeded: bytes.count))
    }

    /// The slice of ``bytes``.
    subscript(number: Int) -> ArraySlice<UInt8> {
        bytes[(number == 0 ? 0 : Int(ends[number - 1]))..<Int(ends[number])]
    }

    func text(_ number: Int) -> String { String(decoding: self[number], as: UTF8.self) }
}
