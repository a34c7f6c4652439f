/// A value in a YAML file, with its place. Reading it as a wrong type throws an error that names the place.
public struct YAMLNode {
    let document: YAMLDocument
    /// Of the value in the document.
    let index: Int

    public var file: YAMLFile { document.file }
    /// From 1.
    public var line: Int { Int(entry.line) }
    /// From 1, in Unicode scalars.
    public var column: Int { Int(entry.column) }

    private var entry: YAMLDocument.Value { document.values[index] }

    /// The text of a scalar; `nil` for a list or mapping.
    var text: String? {
        let entry = entry
        guard entry.kind == .scalar else { return nil }
        return String(decoding: document.text[Int(entry.range.lowerBound)..<Int(entry.range.upperBound)], as: UTF8.self)
    }

    /// The items of a list, or the keys of a mapping and their values in turn.
    private var children: ArraySlice<Int32> {
        document.children[Int(entry.range.lowerBound)..<Int(entry.range.upperBound)]
    }

    private func node(_ index: Int32) -> YAMLNode { YAMLNode(document: document, index: Int(index)) }

    /// An error at this place.
    public func error(_ message: String, remedy: String? = nil) -> SourceError {
        file.error(line: line, column: column, message, remedy: remedy)
    }

    /// An error at a byte of this scalar's value, such as the offset at which a pattern does not compile.
    public func error(atByte offset: Int, _ message: String, remedy: String? = nil) -> SourceError {
        guard let text else { return error(message, remedy: remedy) }
        let place = file.position(ofByte: offset, in: text, line: line, column: column, isBlock: entry.isBlock)
        return file.error(line: place.line, column: place.column, message, remedy: remedy)
    }

    /// A scalar as its text.
    public func string() throws(SourceError) -> String {
        guard let text else { throw error("a text is expected here", remedy: "Write a single value.") }
        return text
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
        if let text { return [text] }
        var result: [String] = []
        for item in try list() { result.append(try item.string()) }
        return result
    }

    public func list() throws(SourceError) -> [YAMLNode] {
        guard isList else {
            throw error("a list is expected here", remedy: "Write '- ' before each item, or [a, b].")
        }
        return children.map(node)
    }

    public var isScalar: Bool { entry.kind == .scalar }
    public var isList: Bool { entry.kind == .list }
    public var isMapping: Bool { entry.kind == .mapping }

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
        guard isMapping else { throw error("'key: value' lines are expected here") }
        var mapping = YAMLMapping(node: self)
        var rest = children
        while let key = rest.popFirst(), let value = rest.popFirst() { try mapping.add(node(key), node(value)) }
        return mapping
    }
}

/// A mapping's keys in their order, and its values.
public struct YAMLMapping {
    public let node: YAMLNode
    public private(set) var keys: [(name: String, place: YAMLNode)] = []
    /// In the order of the keys.
    private var values: [YAMLNode] = []
    /// The places of the keys in `keys`, once there are so many that a search would be slow.
    private var places: [String: Int] = [:]

    private static let searchedKeys = 16

    init(node: YAMLNode) { self.node = node }

    fileprivate mutating func add(_ place: YAMLNode, _ value: YAMLNode) throws(SourceError) {
        let name = try place.string()
        if let first = index(of: name) {
            let line = keys[first].place.line
            throw place.error(
                "duplicate key '\(name)'" + (place.line > line ? ", first on line \(line)" : ""),
                remedy: "Keep one of them.")
        }
        keys.append((name, place))
        values.append(value)
        if keys.count == Self.searchedKeys {
            for (index, key) in keys.enumerated() { places[key.name] = index }
        } else if keys.count > Self.searchedKeys {
            places[name] = keys.count - 1
        }
    }

    private func index(of key: String) -> Int? {
        keys.count < Self.searchedKeys ? keys.firstIndex { $0.name == key } : places[key]
    }

    public subscript(key: String) -> YAMLNode? { index(of: key).map { values[$0] } }

    public func require(_ key: String) throws(SourceError) -> YAMLNode {
        guard let value = self[key] else {
            throw node.error("the key '\(key)' is missing here", remedy: "Add '\(key): …'.")
        }
        return value
    }
}
