/// Names and values of a query or of a form (WHATWG URL, section 5.1: application/x-www-form-urlencoded), in their
/// order.
struct FormFields: Sendable {
    private(set) var fields: [(name: String, value: String)] = []

    /// More fields than a page of ours ever sends are not read.
    static let maximumFields = 3000

    init(_ text: some Sequence<UInt8>) {
        for part in Array(text).split(separator: UInt8(ascii: "&"), maxSplits: Self.maximumFields).prefix(
            Self.maximumFields)
        {
            let halves = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            fields.append((Self.decoded(halves[0]), halves.count > 1 ? Self.decoded(halves[1]) : ""))
        }
    }

    init(_ text: String) { self.init(text.utf8) }

    init(query: String?) { self.init((query ?? "").utf8) }

    /// As sent; `nil` where there is none of this name.
    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Without blanks around it; `nil` also where nothing else is left.
    func text(_ name: String) -> String? {
        guard let value = self[name] else { return nil }
        let trimmed = value.drop(while: \.isWhitespace)
        let result = String(trimmed.reversed().drop(while: \.isWhitespace).reversed())
        return result.isEmpty ? nil : result
    }

    func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// The same fields with others in place of some; `nil` takes one away.
    func with(_ changes: [(String, String?)]) -> String {
        let names = Set(changes.map(\.0))
        let kept = fields.filter { !names.contains($0.name) && !$0.value.isEmpty }.map { ($0.name, $0.value) }
        return Self.encoded(kept + changes.compactMap { name, value in value.map { (name, $0) } })
    }

    static func encoded(_ fields: [(String, String)]) -> String {
        fields.map { encoded($0.0) + "=" + encoded($0.1) }.joined(separator: "&")
    }

    /// Everything but unreserved characters as `%XX`.
    static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.append(byte)
            default: result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "+") {
                result.append(0x20)
            } else if byte == UInt8(ascii: "%"), rest.count >= 2, let high = digit(rest[rest.startIndex]),
                let low = digit(rest[rest.startIndex + 1])
            {
                result.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46, 0x61...0x66: (byte | 0x20) - 0x57
        default: nil
        }
    }
}
