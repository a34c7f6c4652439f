import Codecs

/// The addresses in the fields by which proxies name the client of a request.
enum ForwardedNodes {
    /// Limit of one value in bytes; 16 proxies need less than a kilobyte.
    private static let maximumBytes = 4096

    /// Reads a value of `X-Forwarded-For`: addresses between commas, of which some proxies also write the port.
    ///
    /// - Returns: `nil` for each node without a readable address; one `nil` for a value that is too long.
    static func list(_ value: String) -> [IPAddress?] {
        guard value.utf8.count <= maximumBytes else { return [nil] }
        return value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
            address(trimmed(String(decoding: $0, as: UTF8.self)))
        }
    }

    /// Reads a value of `Forwarded` (RFC 7239, section 4).
    ///
    /// - Returns: the node `for` of each element, `nil` without a readable address; one `nil` for a malformed value.
    static func elements(_ value: String) -> [IPAddress?] {
        guard value.utf8.count <= maximumBytes else { return [nil] }
        var scanner = ForwardedScanner(Array(value.utf8))
        return scanner.elements()?.map { $0.flatMap { address($0[...]) } } ?? [nil]
    }

    /// The address of a node (RFC 7239, section 6), with or without a port: `192.0.2.1:80`, `[2001:db8::1]:80`. The
    /// brackets may be missing without a port, as in `X-Forwarded-For`.
    private static func address(_ node: Substring) -> IPAddress? {
        if node.utf8.first == UInt8(ascii: "[") {
            guard let end = node.firstIndex(of: "]"), isPort(node[node.index(after: end)...]) else { return nil }
            let inner = node[node.index(after: node.startIndex)..<end]
            return inner.utf8.contains(UInt8(ascii: ":")) ? IPAddress(inner) : nil
        }
        guard let colon = node.firstIndex(of: ":"), node.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1 else {
            return IPAddress(node)
        }
        return isPort(node[colon...]) ? IPAddress(node[..<colon]) : nil
    }

    /// True for nothing, or a colon with digits or an obfuscated port.
    private static func isPort(_ text: Substring) -> Bool {
        guard let first = text.utf8.first else { return true }
        let port = text.utf8.dropFirst()
        guard first == UInt8(ascii: ":"), !port.isEmpty else { return false }
        return port.count <= 5 && port.allSatisfy { (0x30...0x39).contains($0) }
            || port.first == UInt8(ascii: "_") && port.allSatisfy(ForwardedScanner.isTokenByte)
    }

    private static func trimmed(_ text: String) -> Substring {
        let isBlank = { (byte: Character) in byte == " " || byte == "\t" }
        var rest = text[...]
        while rest.last.map(isBlank) ?? false { rest.removeLast() }
        return rest.drop(while: isBlank)
    }
}

/// Reads `forwarded-element`s from left to right: a comma within quotes ends none.
struct ForwardedScanner {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// - Returns: the values of the parameter `for`, `nil` for an element without one; `nil` if the syntax is broken or
    ///   an element has a parameter twice.
    mutating func elements() -> [String?]? {
        var result: [String?] = []
        repeat {
            var values: [String: String] = [:]
            repeat {
                skipBlanks()
                if let name = token() {
                    guard take("="), let value = token() ?? quoted(),
                        values.updateValue(value, forKey: name.lowercased()) == nil
                    else { return nil }
                }
                skipBlanks()
            } while take(";")
            result.append(values["for"])
        } while take(",")
        return rest.isEmpty ? result : nil
    }

    /// RFC 9110, section 5.6.2.
    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private mutating func skipBlanks() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func token() -> String? {
        let token = rest.prefix(while: Self.isTokenByte)
        rest = rest[token.endIndex...]
        return token.isEmpty ? nil : String(decoding: token, as: UTF8.self)
    }

    /// RFC 9110, section 5.6.4.
    private mutating func quoted() -> String? {
        guard take("\"") else { return nil }
        var value: [UInt8] = []
        while var byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return String(decoding: value, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = rest.popFirst() else { return nil }
                byte = escaped
            }
            value.append(byte)
        }
        return nil
    }
}
