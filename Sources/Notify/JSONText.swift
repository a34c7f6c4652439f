/// A JSON value to send (RFC 8259): keys in the order given.
indirect enum JSONText: Sendable {
    case bool(Bool)
    case integer(Int64)
    case string(String)
    case array([JSONText])
    case object([(String, JSONText?)])

    /// On one line; members without a value are left out.
    var text: String {
        switch self {
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): "\(value)"
        case .string(let value): Self.quoted(value)
        case .array(let items): "[" + items.map(\.text).joined(separator: ",") + "]"
        case .object(let pairs):
            "{"
                + pairs.compactMap { key, value in value.map { Self.quoted(key) + ":" + $0.text } }.joined(
                    separator: ",") + "}"
        }
    }

    static func string(_ value: String?) -> JSONText? { value.map { .string($0) } }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
