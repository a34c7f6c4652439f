/// A YAML value without places and layout. All scalars are text.
public indirect enum YAMLValue: Sendable, Hashable {
    case text(String)
    case list([YAMLValue])
    case fields([Pair])

    public struct Pair: Sendable, Hashable {
        public var key: String
        public var value: YAMLValue

        public init(_ key: String, _ value: YAMLValue) {
            self.key = key
            self.value = value
        }
    }

    /// Flow style on one line: `{ amount: '12.50', date: 2026-01-05 }`. Texts that other programs could take for a
    /// number or a boolean are quoted.
    public var flow: String {
        switch self {
        case .text(let text): Self.scalar(text)
        case .list(let items): "[" + items.map(\.flow).joined(separator: ", ") + "]"
        case .fields(let pairs):
            pairs.isEmpty
                ? "{}" : "{ " + pairs.map { "\(Self.scalar($0.key)): \($0.value.flow)" }.joined(separator: ", ") + " }"
        }
    }

    private static let guessed: Set<String> = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"]

    static func scalar(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let isWord =
            !bytes.isEmpty && bytes.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") }
            && !guessed.contains(text)
        let isDay =
            bytes.count == 10
            && bytes.enumerated().allSatisfy {
                $0 == 4 || $0 == 7 ? $1 == UInt8(ascii: "-") : (0x30...0x39).contains($1)
            }
        if isWord || isDay { return text }
        if text.unicodeScalars.allSatisfy(isPrintable) {
            return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
        }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case _ where isPrintable(scalar): quoted.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                quoted +=
                    (scalar.value > 0xFFFF ? "\\U" : "\\u")
                    + String(repeating: "0", count: (scalar.value > 0xFFFF ? 8 : 4) - digits.count) + digits
            }
        }
        return quoted + "\""
    }

    /// YAML 1.2 section 5.1, without line breaks (YAML 1.1 counts U+0085, U+2028 and U+2029) and the byte order mark.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}

extension YAMLNode {
    /// The node without its places.
    public func value() throws(SourceError) -> YAMLValue {
        if isScalar { return .text(try string()) }
        if isList {
            var items: [YAMLValue] = []
            for item in try list() { items.append(try item.value()) }
            return .list(items)
        }
        let map = try mapping()
        var pairs: [YAMLValue.Pair] = []
        for (key, place) in map.keys {
            guard let value = map[key] else { throw place.error("the key '\(key)' has no value") }
            pairs.append(.init(key, try value.value()))
        }
        return .fields(pairs)
    }
}
