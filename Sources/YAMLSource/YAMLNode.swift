import Yams

/// A value in a YAML file, with its place. Reading it as a wrong type throws an error that names the place.
public struct YAMLNode {
    public let file: YAMLFile
    let node: Node

    /// From 1.
    public var line: Int { node.mark?.line ?? 0 }
    public var column: Int { node.mark?.column ?? 0 }

    /// An error at this place.
    public func error(_ message: String, remedy: String? = nil) -> SourceError {
        file.error(line: line, column: column, message, remedy: remedy)
    }

    /// An error at a byte of this scalar's value, such as the offset at which a pattern does not compile.
    public func error(atByte offset: Int, _ message: String, remedy: String? = nil) -> SourceError {
        guard let scalar = node.scalar else { return error(message, remedy: remedy) }
        let isBlock = scalar.style == .literal || scalar.style == .folded
        let place = file.position(ofByte: offset, in: scalar.string, line: line, column: column, isBlock: isBlock)
        return file.error(line: place.line, column: place.column, message, remedy: remedy)
    }

    /// A scalar as its text.
    public func string() throws(SourceError) -> String {
        guard let scalar = node.scalar else { throw error("a text is expected here", remedy: "Write a single value.") }
        return scalar.string
    }

    /// One of an enumeration's raw values.
    public func choice<Value: RawRepresentable & CaseIterable>(
        of _: Value.Type = Value.self
    ) throws(SourceError) -> Value where Value.RawValue == String {
        let text = try string()
        guard let value = Value(rawValue: text) else {
            let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw error("unknown value '\(text)'", remedy: "Use one of: \(words).")
        }
        return value
    }

    /// A list of texts; a single text counts as a list of one.
    public func strings() throws(SourceError) -> [String] {
        if node.scalar != nil { return [try string()] }
        var result: [String] = []
        for item in try list() { result.append(try item.string()) }
        return result
    }

    public func list() throws(SourceError) -> [YAMLNode] {
        guard let sequence = node.sequence else {
            throw error("a list is expected here", remedy: "Write '- ' before each item, or [a, b].")
        }
        return sequence.map { YAMLNode(file: file, node: $0) }
    }

    public var isScalar: Bool { node.scalar != nil }
    public var isList: Bool { node.sequence != nil }
    public var isMapping: Bool { node.mapping != nil }

    /// A mapping whose keys are all among `keys`; any other key is an error with the nearest known one as its remedy.
    public func mapping(allowing keys: [String]) throws(SourceError) -> YAMLMapping {
        let mapping = try mapping()
        for (key, place) in mapping.keys where !keys.contains(key) {
            let near = keys.min { editDistance($0.utf8, key.utf8) < editDistance($1.utf8, key.utf8) }.flatMap {
                editDistance($0.utf8, key.utf8) <= max(2, key.count / 3) ? $0 : nil
            }
            throw place.error(
                "unknown key '\(key)'",
                remedy: (near.map { "Did you mean '\($0)'? " } ?? "") + "Known here: \(keys.joined(separator: ", ")).")
        }
        return mapping
    }

    /// A mapping with any keys.
    public func mapping() throws(SourceError) -> YAMLMapping {
        guard let pairs = node.mapping else { throw error("'key: value' lines are expected here") }
        var keys: [(String, YAMLNode)] = []
        var values: [String: YAMLNode] = [:]
        for (key, value) in pairs {
            let place = YAMLNode(file: file, node: key)
            let name = try place.string()
            guard values[name] == nil else {
                throw place.error("duplicate key '\(name)'", remedy: "Keep one of them.")
            }
            keys.append((name, place))
            values[name] = YAMLNode(file: file, node: value)
        }
        return YAMLMapping(node: self, keys: keys, values: values)
    }
}

/// A mapping's keys in their order, and its values.
public struct YAMLMapping {
    public let node: YAMLNode
    public let keys: [(name: String, place: YAMLNode)]
    let values: [String: YAMLNode]

    public subscript(key: String) -> YAMLNode? { values[key] }

    public func require(_ key: String) throws(SourceError) -> YAMLNode {
        guard let value = values[key] else {
            throw node.error("the key '\(key)' is missing here", remedy: "Add '\(key): …'.")
        }
        return value
    }
}
