/// Small sets of amounts with a given sum.
enum AmountSubset {
    /// Maximum size of a set: larger ones have a given sum by chance.
    static let most = 3
    /// Maximum number of amounts that are tried: 16 of them have some 700 sets.
    static let widest = 16

    /// - Returns: the indices of a smallest set, ascending; empty for the sum 0; `nil` if there is none, or if there
    ///   are more than ``widest`` amounts.
    static func indices(of amounts: [Int64], sum: Int64) -> [Int]? {
        if sum == 0 { return [] }
        guard amounts.count <= widest else { return nil }
        for size in 1...most {
            if let found = search(amounts, sum, size: size, from: 0) { return found }
        }
        return nil
    }

    private static func search(_ amounts: [Int64], _ sum: Int64, size: Int, from start: Int) -> [Int]? {
        for index in start..<max(start, amounts.count) {
            let rest = sum &- amounts[index]
            if size == 1 {
                if rest == 0 { return [index] }
            } else if let others = search(amounts, rest, size: size - 1, from: index + 1) {
                return [index] + others
            }
        }
        return nil
    }
}
