/// The wire form of a set: `1:5,7` (`sequence-set`, RFC 9051 section 9).
extension UIDSet: CustomStringConvertible, LosslessStringConvertible {
    public var description: String {
        var text = ""
        for run in runs { Self.append(run, to: &text) }
        return text
    }

    /// `nil` for `*`, which only the server can resolve, for zero, and for an empty text.
    public init?(_ description: String) {
        var cursor = Array(description.utf8)[...]
        guard let set = UIDSet(consuming: &cursor), cursor.isEmpty else { return nil }
        self = set
    }

    /// Parses and removes the longest sequence-set at the front. `5:1` is `1:5`.
    init?(consuming bytes: inout ArraySlice<UInt8>) {
        var runs: [Run] = []
        func number() -> UInt32? {
            var value: UInt32?
            while let digit = bytes.first, (0x30...0x39).contains(digit) {
                let (shifted, overflow) = (value ?? 0).multipliedReportingOverflow(by: 10)
                let (sum, carry) = shifted.addingReportingOverflow(UInt32(digit - 0x30))
                if overflow || carry { return nil }
                value = sum
                bytes = bytes.dropFirst()
            }
            return value == 0 ? nil : value
        }
        while true {
            guard let first = number() else { return nil }
            if bytes.first == 0x3A {
                bytes = bytes.dropFirst()
                guard let last = number() else { return nil }
                runs.append(Run(first: Swift.min(first, last), last: Swift.max(first, last)))
            } else {
                runs.append(Run(first: first, last: first))
            }
            guard bytes.first == 0x2C else { break }
            bytes = bytes.dropFirst()
        }
        self.init(runs: runs)
    }

    private static func append(_ run: Run, to text: inout String) {
        if !text.isEmpty { text += "," }
        text += String(run.first)
        if run.last > run.first { text += ":\(run.last)" }
    }

    /// Splits the set, ascending, into sets of at most `size` UIDs with a wire form of about `bytes` bytes at most.
    struct Batches: IteratorProtocol {
        private let runs: [Run]
        private var run = 0
        private var from: UInt32
        private let size: Int
        private let bytes: Int

        init(_ set: UIDSet, size: Int, bytes: Int) {
            runs = set.runs
            from = set.runs.first?.first ?? 0
            self.size = Swift.max(size, 1)
            self.bytes = bytes
        }

        var isEmpty: Bool { run >= runs.count }

        mutating func next() -> (uids: [UInt32], wire: String)? {
            if isEmpty { return nil }
            var uids: [UInt32] = []
            var wire = ""
            while run < runs.count, uids.count < size, wire.utf8.count < bytes {
                let current = runs[run]
                let last = UInt32(Swift.min(UInt64(current.last), UInt64(from) + UInt64(size - uids.count) - 1))
                UIDSet.append(Run(first: from, last: last), to: &wire)
                uids.append(contentsOf: from...last)
                if last == current.last {
                    run += 1
                    from = run < runs.count ? runs[run].first : 0
                } else {
                    from = last + 1
                }
            }
            return (uids, wire)
        }
    }
}
