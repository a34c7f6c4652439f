/// A JSON value (RFC 8259): keys in the order given, numbers as they were written, so that an amount never passes through floating point.
public indirect enum JSON: Sendable {
    case null
    case bool(Bool)
    /// Written with at most four decimals: for measures, never for money.
    case number(Double)
    case integer(Int64)
    /// A number as it was written, where it is no 64-bit integer.
    case decimal(String)
    case string(String)
    case array([JSON])
    case object([(String, JSON)])

    public init(_ text: String?) { self = text.map(JSON.string) ?? .null }
    public init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
    public init(_ value: Int64?) { self = value.map(JSON.integer) ?? .null }

    /// The first member of this name; `nil` where this is no object, or has none.
    public subscript(_ name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.0 == name }?.1
    }

    /// On one line.
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

    /// RFC 8259 section 7.
    private static func quote(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { text in
            // Nearly every text is plain and is taken as it is.
            var start = 0
            for (index, byte) in text.enumerated()
            where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                bytes.append(contentsOf: text[start..<index])
                start = index + 1
                switch byte {
                case 0x0A: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
                case 0x0D: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
                case 0x09: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
                case 0..<0x20: bytes += "\\u00".utf8 + [digit(byte >> 4), digit(byte & 15)]
                default: bytes += [UInt8(ascii: "\\"), byte]
                }
            }
            bytes.append(contentsOf: text[start...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

    /// JSON that stands in a text already, such as a stored provenance; null where it is none.
    public static func parsed(_ text: String?) -> JSON {
        guard let text else { return .null }
        return (try? JSON(parsing: Array(text.utf8))) ?? .null
    }
}
