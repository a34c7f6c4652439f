/// Maximum length of the text that a part of a pattern matches: `\d{4} \s` has five characters and one line feed.
public struct Extent: Sendable, Equatable {
    /// Characters, including line ends.
    public var characters: Int
    /// Line feeds.
    public var lines: Int

    public init(characters: Int, lines: Int) {
        self.characters = characters
        self.lines = lines
    }

    public static let none = Extent(characters: 0, lines: 0)
    public static let unbounded = Extent(characters: .max, lines: .max)

    static func + (a: Self, b: Self) -> Self {
        Extent(characters: sum(a.characters, b.characters), lines: sum(a.lines, b.lines))
    }

    /// Extent of up to `maximum` repetitions; `nil` means unlimited.
    func repeated(_ maximum: Int?) -> Self {
        func times(_ count: Int) -> Int {
            guard count > 0 else { return 0 }
            guard let maximum else { return .max }
            let (product, overflow) = count.multipliedReportingOverflow(by: maximum)
            return overflow ? .max : product
        }
        return Extent(characters: times(characters), lines: times(lines))
    }

    /// Maximum of both in each dimension.
    func union(_ other: Self) -> Self {
        Extent(characters: max(characters, other.characters), lines: max(lines, other.lines))
    }

    private static func sum(_ a: Int, _ b: Int) -> Int {
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow ? .max : sum
    }

    /// Earliest byte at which a match can begin if at most this extent precedes `offset`.
    public func start(before offset: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
        var at = min(offset, text.count)
        var characters = characters
        var lines = lines
        while at > 0, characters > 0 {
            if text[at - 1] == 0x0A {
                if lines == 0 { break }
                lines -= 1
            }
            at -= 1
            // A byte that is not a continuation byte starts a character.
            if text[at] & 0xC0 != 0x80 { characters -= 1 }
        }
        return at
    }
}
