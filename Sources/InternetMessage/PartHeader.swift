/// The header of a part, where it is plain: printable ASCII, every line a field or the rest of one, none of those that count twice.
struct PartHeader {
    private(set) var type: Range<Int>?
    private(set) var encoding: Range<Int>?
    private(set) var disposition: Range<Int>?
    /// Where the content begins.
    private(set) var end = 0

    init?(_ bytes: borrowing Octets, _ range: Range<Int>) {
        var cursor = range.lowerBound
        while true {
            guard let field = Self.field(bytes, cursor, range.upperBound) else { return nil }
            let (start, value) = (cursor, field.value)
            cursor = field.next
            if value.isEmpty {
                end = cursor
                return
            }
            switch value.lowerBound - start {
            case 13 where bytes.matches("content-type", at: start):
                guard type == nil else { return nil }
                type = value
            case 26 where bytes.matches("content-transfer-encoding", at: start):
                guard encoding == nil else { return nil }
                encoding = value
            case 20 where bytes.matches("content-disposition", at: start):
                guard disposition == nil else { return nil }
                disposition = value
            default: break
            }
        }
    }

    /// A field's value and where the next line begins; of the empty line that ends the header no value.
    private static func field(_ bytes: borrowing Octets, _ start: Int, _ limit: Int) -> (value: Range<Int>, next: Int)? {
        guard var line = line(bytes, start, limit) else { return nil }
        if line.end == start { return (start..<start, line.next) }
        var colon = start
        while colon < line.end, bytes[colon].isLetter || bytes[colon].isDigit || bytes[colon] == ASCII.hyphen { colon += 1 }
        guard colon > start, colon + 1 < line.end, bytes[colon] == ASCII.colon else { return nil }
        while line.next < limit, bytes[line.next].isWSP {
            guard let more = self.line(bytes, line.next, limit) else { return nil }
            line = more
        }
        return ((colon + 1)..<line.end, line.next)
    }

    /// The end of a line of printable ASCII, perhaps behind a tab, and where the next one begins.
    private static func line(_ bytes: borrowing Octets, _ start: Int, _ limit: Int) -> (end: Int, next: Int)? {
        var at = start
        if at < limit, bytes[at] == ASCII.tab { at += 1 }
        while at < limit {
            switch bytes[at] {
            case ASCII.lf: return (at, at + 1)
            case ASCII.cr: return at + 1 < limit && bytes[at + 1] == ASCII.lf ? (at, at + 2) : nil
            case 32..<127: at += 1
            default: return nil
            }
        }
        return nil
    }
}
