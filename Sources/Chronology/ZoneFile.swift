import Glibc

/// The offsets of a time zone, from a file of the system's time zone database (TZif, RFC 9636).
final class ZoneFile: Sendable {
    /// The folders of the database; the first of these that has the zone counts.
    private static let folders = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo"]
    /// The largest of the database has 4 kB.
    private static let maximumBytes = 64 << 10

    /// Instants of changes, ascending, and the offset from each on, in seconds east of UTC.
    private let changes: [Int64]
    private let offsets: [Int32]
    /// The offset before the first change.
    private let first: Int32
    /// The rule from the last change on; `nil` if the offset stays.
    private let rule: ZoneRule?

    /// Reads the file of a zone; `nil` if there is none.
    convenience init?(identifier: String) {
        guard Self.isName(identifier) else { return nil }
        for folder in Self.folders {
            if let bytes = Self.bytes(of: "\(folder)/\(identifier)") {
                self.init(bytes)
                return
            }
        }
        return nil
    }

    /// Reads the file of the system's own zone; `nil` if there is none.
    convenience init?(path: String) {
        guard let bytes = Self.bytes(of: path) else { return nil }
        self.init(bytes)
    }

    /// A name leads to no file outside the database.
    private static func isName(_ identifier: String) -> Bool {
        let parts = identifier.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return identifier.utf8.count <= 255
            && parts.allSatisfy { part in
                part.first.map { $0 != UInt8(ascii: ".") } ?? false
                    && part.allSatisfy {
                        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || "+-_".utf8.contains($0)
                    }
            }
    }

    private static func bytes(of path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 8 << 10)
        while bytes.count <= maximumBytes {
            let count = read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 ? bytes : nil }
            bytes += piece[..<count]
        }
        return nil
    }

    /// - Returns: `nil` for bytes that are not TZif of version 2 or newer, or contradict themselves.
    init?(_ bytes: [UInt8]) {
        // The first block has times of four bytes, and is skipped.
        guard let old = Header(bytes, at: 0), old.version >= UInt8(ascii: "2"),
            let header = Header(bytes, at: Header.length + old.blockLength(timeBytes: 4))
        else { return nil }
        let start = Header.length + old.blockLength(timeBytes: 4) + Header.length
        let end = start + header.blockLength(timeBytes: 8)
        guard header.types > 0, end < bytes.count, bytes[end] == 0x0A else { return nil }
        func number(_ at: Int, _ count: Int) -> UInt64 {
            bytes[at..<at + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        let types = start + header.times * 9
        let kinds = (0..<header.types).map { Int32(truncatingIfNeeded: number(types + $0 * 6, 4)) }
        changes = (0..<header.times).map { Int64(bitPattern: number(start + $0 * 8, 8)) }
        let indices = (0..<header.times).map { Int(bytes[start + header.times * 8 + $0]) }
        guard kinds.allSatisfy({ abs(Int($0)) <= 26 * 3600 }), indices.allSatisfy({ $0 < kinds.count }),
            zip(changes, changes.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        offsets = indices.map { kinds[$0] }
        first = kinds[0]
        let footer = bytes[(end + 1)...].prefix { $0 != 0x0A }
        rule = footer.isEmpty ? nil : ZoneRule(footer)
        guard footer.isEmpty || rule != nil else { return nil }
    }

    /// The counts at the head of a block (RFC 9636 section 3.1).
    private struct Header {
        static let length = 44

        var version: UInt8
        var times: Int
        var types: Int
        private var letters: Int
        private var leaps: Int
        private var standards: Int
        private var universals: Int

        /// `nil` if there is no block of plausible size.
        init?(_ bytes: [UInt8], at start: Int) {
            guard bytes.count >= start + Self.length, bytes[start...].starts(with: "TZif".utf8) else { return nil }
            version = bytes[start + 4]
            let counts = (0..<6).map { index in
                bytes[(start + 20 + index * 4)...].prefix(4).reduce(0) { $0 << 8 | Int($1) }
            }
            guard counts.allSatisfy({ $0 <= bytes.count }) else { return nil }
            (universals, standards, leaps, times, types, letters) = (
                counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]
            )
        }

        func blockLength(timeBytes: Int) -> Int {
            times * (timeBytes + 1) + types * 6 + letters + leaps * (timeBytes + 4) + standards + universals
        }
    }

    /// Seconds east of UTC at an instant.
    func offset(at seconds: Int64) -> Int {
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        if low == changes.count, let rule { return rule.offset(at: seconds) }
        return Int(low == 0 ? first : offsets[low - 1])
    }

    /// The offset, if it is the same from an instant on for ever.
    func constantOffset(since seconds: Int64) -> Int? {
        let offset = offset(at: seconds)
        guard rule?.isConstant ?? true else { return nil }
        let later = zip(changes, offsets).lazy.filter { $0.0 > seconds }.map { Int($0.1) }
        return later.allSatisfy { $0 == offset } && (rule.map { $0.offset(at: .max) == offset } ?? true)
            ? offset : nil
    }
}
