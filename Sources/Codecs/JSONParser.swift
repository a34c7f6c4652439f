/// A syntax error and its place.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Counted from 1; columns count bytes.
    public let line: Int
    public let column: Int
    /// Never quotes the text, which may be secret.
    public let message: String

    public var description: String { "line \(line), column \(column): \(message)" }
}

extension JSON {
    /// Deeper nesting is refused: each level costs stack, and no format here needs more.
    public static let maximumDepth = 32

    /// Parses one JSON text (RFC 8259) strictly: it must be UTF-8, names in an object must be unique, and nothing may
    /// follow it.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw JSONError(line: 1, column: 1, message: "the text is not UTF-8")
        }
        var parser = JSONParser(bytes: bytes)
        self = try parser.document()
    }
}

fileprivate struct JSONParser {
    let bytes: [UInt8]
    var at = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    private func failure(_ message: String, at place: Int? = nil) -> JSONError {
        let before = bytes.prefix(place ?? at)
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return JSONError(
            line: before.lazy.filter { $0 == 0x0A }.count + 1, column: before.count - start + 1, message: message)
    }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            _ = byte
            at += 1
        }
    }

    mutating func document() throws(JSONError) -> JSON {
        skipBlanks()
        let value = try value(depth: 0)
        skipBlanks()
        guard at == bytes.count else { throw failure("unexpected text after the value") }
        return value
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSON {
        guard depth < JSON.maximumDepth else { throw failure("nested deeper than \(JSON.maximumDepth) levels") }
        switch next {
        case UInt8(ascii: "{"): return try object(depth)
        case UInt8(ascii: "["): return try array(depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case .some(UInt8(ascii: "-")), .some(0x30...0x39): return try number()
        case nil: throw failure("the text ends where a value is expected")
        default: throw failure("a value is expected here")
        }
    }

    private mutating func word(_ word: String, _ value: JSON) throws(JSONError) -> JSON {
        guard bytes[at...].starts(with: word.utf8) else { throw failure("a value is expected here") }
        at += word.utf8.count
        return value
    }

    private mutating func array(_ depth: Int) throws(JSONError) -> JSON {
        at += 1
        var items: [JSON] = []
        skipBlanks()
        if next == UInt8(ascii: "]") {
            at += 1
            return .array(items)
        }
        while true {
            skipBlanks()
            items.append(try value(depth: depth + 1))
            skipBlanks()
            switch next {
            case UInt8(ascii: ","): at += 1
            case UInt8(ascii: "]"):
                at += 1
                return .array(items)
            default: throw failure("a comma or ] is expected here")
            }
        }
    }

    private mutating func object(_ depth: Int) throws(JSONError) -> JSON {
        at += 1
        var members: [(String, JSON)] = []
        var names: Set<String> = []
        skipBlanks()
        if next == UInt8(ascii: "}") {
            at += 1
            return .object(members)
        }
        while true {
            skipBlanks()
            let start = at
            guard next == UInt8(ascii: "\"") else { throw failure("a name in quotation marks is expected here") }
            let name = try string()
            guard names.insert(name).inserted else { throw failure("duplicate name in an object", at: start) }
            skipBlanks()
            guard next == UInt8(ascii: ":") else { throw failure("a colon is expected here") }
            at += 1
            skipBlanks()
            members.append((name, try value(depth: depth + 1)))
            skipBlanks()
            switch next {
            case UInt8(ascii: ","): at += 1
            case UInt8(ascii: "}"):
                at += 1
                return .object(members)
            default: throw failure("a comma or } is expected here")
            }
        }
    }

    /// Section 6: no leading zero, digits on both sides of the point. `5.0` is the integer 5, as JSON Schema has it.
    private mutating func number() throws(JSONError) -> JSON {
        let start = at
        if next == UInt8(ascii: "-") { at += 1 }
        let first = at
        try digits()
        if bytes[first] == 0x30, at > first + 1 { throw failure("a number does not begin with 0", at: first) }
        var isInteger = true
        let point = at
        if next == UInt8(ascii: ".") {
            at += 1
            try digits()
            isInteger = bytes[(point + 1)..<at].allSatisfy { $0 == 0x30 }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isInteger = false
            at += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { at += 1 }
            try digits()
        }
        let text = String(decoding: bytes[start..<at], as: UTF8.self)
        guard isInteger, let value = Int64(String(decoding: bytes[start..<point], as: UTF8.self)) else {
            return .decimal(text)
        }
        return .integer(value)
    }

    private mutating func digits() throws(JSONError) {
        let start = at
        while let byte = next, (0x30...0x39).contains(byte) {
            _ = byte
            at += 1
        }
        guard at > start else { throw failure("a digit is expected here") }
    }

    private mutating func string() throws(JSONError) -> String {
        at += 1
        var text: [UInt8] = []
        while true {
            guard let byte = next else { throw failure("the text ends within a string") }
            switch byte {
            case UInt8(ascii: "\""):
                at += 1
                return String(decoding: text, as: UTF8.self)
            case 0..<0x20: throw failure("a control character must be written as \\u00xx in a string")
            case UInt8(ascii: "\\"): try escape(into: &text)
            default:
                text.append(byte)
                at += 1
            }
        }
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        let start = at
        at += 1
        guard let letter = next else { throw failure("the text ends within a string") }
        at += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var code = try unit(start)
            if (0xD800...0xDBFF).contains(code) {
                guard next == UInt8(ascii: "\\"), at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "u") else {
                    throw failure("unpaired surrogate", at: start)
                }
                at += 2
                let low = try unit(start)
                guard (0xDC00...0xDFFF).contains(low) else { throw failure("unpaired surrogate", at: start) }
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw failure("unpaired surrogate", at: start) }
            text += Array(String(Character(scalar)).utf8)
        default: throw failure("unknown escape in a string", at: start)
        }
    }

    private mutating func unit(_ start: Int) throws(JSONError) -> UInt32 {
        guard at + 4 <= bytes.count,
            let code = Hexadecimal.bytes(String(decoding: bytes[at..<(at + 4)], as: UTF8.self))
        else { throw failure("four hexadecimal digits are expected after \\u", at: start) }
        at += 4
        return UInt32(code[0]) << 8 | UInt32(code[1])
    }
}
