import Foundation

/// A JSON value to print: keys in the order given, absent values as null.
indirect enum JSON {
    case null
    case bool(Bool)
    case number(Double)
    case integer(Int64)
    case string(String)
    case array([JSON])
    case object([(String, JSON)])

    init(_ text: String?) { self = text.map(JSON.string) ?? .null }
    init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
    init(_ value: Int64?) { self = value.map(JSON.integer) ?? .null }

    /// On one line.
    var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let value): value.isFinite ? "\((value * 10000).rounded() / 10000)" : "null"
        case .integer(let value): "\(value)"
        case .string(let value): Self.quoted(value)
        case .array(let items): "[" + items.map(\.text).joined(separator: ",") + "]"
        case .object(let pairs): "{" + pairs.map { Self.quoted($0) + ":" + $1.text }.joined(separator: ",") + "}"
        }
    }

    /// RFC 8259 section 7.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20: result += "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// JSON that stands in a text already, such as a stored provenance.
    static func parsed(_ text: String?) -> JSON {
        guard let text, let value = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) else { return .null }
        return JSON(any: value)
    }

    private init(any value: Any) {
        switch value {
        case let text as String: self = .string(text)
        case let list as [Any]: self = .array(list.map(JSON.init(any:)))
        case let pairs as [String: Any]: self = .object(pairs.sorted { $0.key < $1.key }.map { ($0.key, JSON(any: $0.value)) })
        case let number as NSNumber where CFGetTypeIDIsBoolean(number): self = .bool(number.boolValue)
        case let number as NSNumber: self = number.doubleValue == number.doubleValue.rounded() ? .integer(number.int64Value) : .number(number.doubleValue)
        default: self = .null
        }
    }
}

/// NSNumber keeps truth values as numbers of type `c`.
private func CFGetTypeIDIsBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
