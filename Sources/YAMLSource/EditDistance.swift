/// Number of bytes to change, add or delete to get from one text to the other (V. Levenshtein, 1966).
public func editDistance(_ a: some Sequence<UInt8>, _ b: some Sequence<UInt8>) -> Int {
    let b = Array(b)
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, y) in b.enumerated() {
            let above = row[j + 1]
            row[j + 1] = x == y ? diagonal : min(diagonal, above, row[j]) + 1
            diagonal = above
        }
    }
    return row[b.count]
}
