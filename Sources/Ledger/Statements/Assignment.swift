/// The assignment problem: one column for each row, with the greatest sum of weights.
enum Assignment {
    /// Kuhn's method with potentials, cubic in the larger side.
    ///
    /// - Parameter weights: rows of equal length; 0 forbids a pair.
    /// - Returns: the column of each row; `nil` if none is left or allowed.
    static func best(_ weights: [[Int]]) -> [Int?] {
        let rows = weights.count
        let columns = weights.first?.count ?? 0
        guard rows > 0, columns > 0 else { return Array(repeating: nil, count: rows) }
        let size = max(rows, columns)
        // Numbered from 1: row and column 0 are the start of each augmenting path.
        var rowPotential = Array(repeating: 0, count: size + 1)
        var columnPotential = rowPotential
        var owner = rowPotential
        for row in 1...size {
            var way = Array(repeating: 0, count: size + 1)
            var slack = Array(repeating: Int.max, count: size + 1)
            var isSeen = Array(repeating: false, count: size + 1)
            owner[0] = row
            var column = 0
            repeat {
                isSeen[column] = true
                let current = owner[column]
                var (step, next) = (Int.max, 0)
                for other in 1...size where !isSeen[other] {
                    let weight = current <= rows && other <= columns ? weights[current - 1][other - 1] : 0
                    let cost = -weight - rowPotential[current] - columnPotential[other]
                    if cost < slack[other] { (slack[other], way[other]) = (cost, column) }
                    if slack[other] < step { (step, next) = (slack[other], other) }
                }
                for other in 0...size {
                    if isSeen[other] {
                        rowPotential[owner[other]] += step
                        columnPotential[other] -= step
                    } else if slack[other] != .max {
                        slack[other] -= step
                    }
                }
                column = next
            } while owner[column] != 0
            while column != 0 {
                owner[column] = owner[way[column]]
                column = way[column]
            }
        }
        var result: [Int?] = Array(repeating: nil, count: rows)
        for column in 1...columns where owner[column] <= rows && weights[owner[column] - 1][column - 1] > 0 {
            result[owner[column] - 1] = column - 1
        }
        return result
    }
}
