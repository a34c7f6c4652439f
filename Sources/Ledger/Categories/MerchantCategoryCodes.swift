/// A merchant category code of ISO 18245, four digits, or a range of them.
public struct MerchantCategoryCodes: Hashable, Sendable, CustomStringConvertible {
    public let range: ClosedRange<Int>

    /// `5411`, or `3000-3350`.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Self.code($0.trimming(" ")) }
        guard parts.count <= 2, let low = parts.first ?? nil, let high = parts.last ?? nil, low <= high else {
            return nil
        }
        range = low...high
    }

    public var description: String {
        range.count == 1 ? Self.text(range.lowerBound) : "\(Self.text(range.lowerBound))-\(Self.text(range.upperBound))"
    }

    /// Number of a printed code; `nil` if it does not have four digits.
    static func code(_ text: some StringProtocol) -> Int? {
        guard text.utf8.count == 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func text(_ code: Int) -> String {
        String(repeating: "0", count: 4 - String(code).utf8.count) + String(code)
    }
}

extension StringProtocol {
    fileprivate func trimming(_ character: Character) -> SubSequence {
        var rest = self[...]
        while rest.first == character { rest.removeFirst() }
        while rest.last == character { rest.removeLast() }
        return rest
    }
}
