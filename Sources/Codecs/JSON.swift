/// A JSON value (RFC 8259). Keys keep their order and numbers their digits, so that an amount never passes through
/// floating point.
///
/// Foundation's coders keep neither, and accept an object that has one name twice.
public indirect enum JSON: Sendable {
    case null
    case bool(Bool)
    /// Written with at most four decimals; for measures, never for money.
    case number(Double)
    case integer(Int64)
    /// The digits of a number that is not a 64-bit integer.
    case decimal(String)
    case string(String)
    case array([JSON])
    case object([(String, JSON)])

    public init(_ text: String?) { self = text.map(JSON.string) ?? .null }
    public init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
    public init(_ value: Int64?) { self = value.map(JSON.integer) ?? .null }

    /// A string with the description of a day, an instant or a time; null for `nil`.
    public init(describing value: (some CustomStringConvertible)?) { self = .init(value.map { $0.description }) }

    /// An object of the members that have a value.
    public static func object(present members: [(String, JSON?)]) -> JSON {
        .object(members.compactMap { name, value in value.map { (name, $0) } })
    }

    /// The first member of this name; `nil` if there is none, or if this is not an object.
    public subscript(_ name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.0 == name }?.1
    }

    /// The text of a string; `nil` for any other value.
    public var textValue: String? { if case .string(let text) = self { text } else { nil } }

    /// `nil` for any other value than a 64-bit integer.
    public var integerValue: Int64? { if case .integer(let value) = self { value } else { nil } }

    /// The values of an array; `nil` for any other value.
    public var elements: [JSON]? { if case .array(let items) = self { items } else { nil } }

    /// One line, without white space between tokens.
    public var text: String { String(decoding: utf8, as: UTF8.self) }

    public var utf8: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    public func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let value): bytes += (value.isFinite ? "\((value * 10000).rounded() / 10000)" : "null").utf8
        case .integer(let value): bytes += value.description.utf8
        case .decimal(let text): bytes += text.utf8
        case .string(let value): Self.quote(value, to: &bytes)
        case .array(let items):
            bytes.append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                item.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.quote(member.0, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.1.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Appends a string in quotation marks (RFC 8259 section 7).
    public static func quote(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { text in
            // No early exit, so that the compiler vectorises the loop: nearly every text needs no escape.
            var special: UInt8 = 0
            for byte in text { special |= isEscaped(byte) ? 1 : 0 }
            if special != 0 { escape(text, to: &bytes) } else { bytes.append(contentsOf: text) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func escape(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        for byte in text {
            switch byte {
            case 0x0A: bytes += "\\n".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0x09: bytes += "\\t".utf8
            case 0..<0x20: bytes += "\\u00".utf8 + [Hexadecimal.digit(byte >> 4), Hexadecimal.digit(byte & 15)]
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            default: bytes.append(byte)
            }
        }
    }

    /// The JSON of a stored text, such as a provenance; null if it is missing or damaged.
    public static func parsed(_ text: String?) -> JSON {
        guard let text else { return .null }
        return (try? JSON(parsing: Array(text.utf8))) ?? .null
    }
}
