/// Text of a file, as it is made.
struct ExportText: Sendable {
    private(set) var bytes: [UInt8] = []

    mutating func text(_ text: String) { bytes += text.utf8 }

    mutating func line(_ text: String = "") {
        bytes += text.utf8
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Returns the text so far and begins anew.
    mutating func drain() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }
}
