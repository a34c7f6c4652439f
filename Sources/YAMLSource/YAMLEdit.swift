/// Edits of one value in the text of a file. Every byte outside the value stays unchanged.
extension YAMLFile {
    public enum Step: Sendable, Hashable {
        case key(String)
        /// From 0.
        case item(Int)
    }

    /// Returns the file with `key` of the mapping at `path` set to `value`: replaced if present, otherwise added as the
    /// mapping's last key.
    ///
    /// Verifies by parsing that the result differs from this file in that value only. Throws if the text cannot be
    /// changed, for example if the mapping is an alias.
    public func setting(_ key: String, of path: [Step], to value: YAMLValue) throws(SourceError) -> YAMLFile {
        let root = try root()
        let target = try root.node(at: path)
        let map = try target.mapping()
        let wanted = try root.value().setting(key, of: path[...], to: value).sorted
        let text = YAMLText(bytes)
        for edit in map[key] == nil ? insertions(text, root, target, map) : replacements(text, map, key) {
            let bytes = edit.bytes(key, value, in: text)
            let file = YAMLFile(path: self.path, bytes: bytes)
            if let node = try? file.root(), let got = try? node.value(), got.sorted == wanted { return file }
        }
        throw target.error(
            "'\(key)' cannot be written here without changing something else",
            remedy: "Write it by hand: \(key): \(value.flow)")
    }

    /// A change of bytes, and the layout of the value there.
    private struct Edit {
        enum Layout {
            case value, afterColon
            case line(indentation: Int)
            case lineAtEnd(indentation: Int)
            case flow(comma: Bool)
            case block(indentation: Int)
        }
        var range: Range<Int>
        var layout: Layout

        func bytes(_ key: String, _ value: YAMLValue, in text: YAMLText) -> [UInt8] {
            let lineEnd = String(decoding: text.lineEnd, as: UTF8.self)
            func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }
            let pair = "\(YAMLValue.scalar(key)): \(value.flow)"
            let new =
                switch layout {
                case .value: value.flow
                case .afterColon: " " + value.flow
                case .line(let indentation): blanks(indentation) + pair + lineEnd
                case .lineAtEnd(let indentation): lineEnd + blanks(indentation) + pair
                case .flow(let comma): (comma ? ", " : " ") + pair
                case .block(let indentation):
                    if case .fields(let pairs) = value, !pairs.isEmpty {
                        pairs.map { "\(YAMLValue.scalar($0.key)): \($0.value.flow)" }.joined(
                            separator: lineEnd + blanks(indentation))
                    } else {
                        value.flow
                    }
                }
            return Array(text.bytes[..<range.lowerBound]) + Array(new.utf8) + Array(text.bytes[range.upperBound...])
        }
    }

    /// Possible places for a new key, the best one first.
    private func insertions(_ text: YAMLText, _ root: YAMLNode, _ target: YAMLNode, _ map: YAMLMapping) -> [Edit] {
        guard let start = text.offset(line: target.line, column: target.column), start < text.bytes.count else {
            return []
        }
        if text.bytes[start] == UInt8(ascii: "{") {
            guard let (_, last) = FlowScanner(bytes: text.bytes).end(of: start) else { return [] }
            return [
                Edit(
                    range: last..<last,
                    layout: .flow(comma: !map.keys.isEmpty && text.bytes[last - 1] != UInt8(ascii: ",")))
            ]
        }
        guard let last = map.keys.last?.place, let first = map.keys.first?.place else { return [] }
        let indentation = first.column - 1
        var edits: [Edit] = []
        // After the last line that belongs to the mapping by its indentation, before the comments of the next key.
        let isBlock = last.text.flatMap { map[$0] }.map { ["|", ">"].contains($0.firstCharacter(text)) } ?? false
        let next = root.line(after: last, in: text)
        var end = last.line
        for number in (last.line + 1)..<max(next, last.line + 1) {
            guard let column = text.indentation(number), column > indentation else { continue }
            if !isBlock, text.bytes[text.line(number).lowerBound + column] == UInt8(ascii: "#") { continue }
            end = number
        }
        if text.starts.indices.contains(end) {
            let at = text.starts[end]
            edits.append(Edit(range: at..<at, layout: .line(indentation: indentation)))
            // A block scalar with `+` keeps the empty lines after it.
            let behind = text.starts.indices.contains(next - 1) ? text.starts[next - 1] : text.bytes.count
            edits.append(Edit(range: behind..<behind, layout: .line(indentation: indentation)))
        } else {
            edits.append(Edit(range: text.bytes.count..<text.bytes.count, layout: .lineAtEnd(indentation: indentation)))
        }
        // Before the last key, if that key begins a line.
        if text.indentation(last.line) == last.column - 1 {
            let at = text.starts[last.line - 1]
            edits.append(Edit(range: at..<at, layout: .line(indentation: indentation)))
        }
        return edits
    }

    /// Possible ranges of the present value, the likeliest first.
    private func replacements(_ text: YAMLText, _ map: YAMLMapping, _ key: String) -> [Edit] {
        guard let value = map[key], let place = map.keys.first(where: { $0.name == key })?.place,
            let keyStart = text.offset(line: place.line, column: place.column),
            let colon = text.bytes[keyStart...].dropFirst(key.utf8.count).firstIndex(of: UInt8(ascii: ":"))
        else { return [] }
        var edits: [Edit] = []
        if let start = text.offset(line: value.line, column: value.column), start < text.bytes.count, start > colon {
            let first = text.bytes[start]
            if value.isMapping, first != UInt8(ascii: "{") {
                // The lines of a block are indented deeper than the key.
                var end = value.line
                for number in (value.line + 1)..<(text.starts.count + 1) {
                    guard let column = text.indentation(number) else { continue }
                    guard column > place.column - 1 else { break }
                    if text.bytes[text.line(number).lowerBound + column] != UInt8(ascii: "#") { end = number }
                }
                edits.append(
                    Edit(range: start..<text.line(end).upperBound, layout: .block(indentation: value.column - 1)))
            } else if "{['\"".utf8.contains(first) {
                if let (end, _) = FlowScanner(bytes: text.bytes).end(of: start) {
                    edits.append(Edit(range: start..<end, layout: .value))
                }
            } else if let plain = value.text, text.bytes[start...].starts(with: plain.utf8), !plain.isEmpty {
                edits.append(Edit(range: start..<(start + plain.utf8.count), layout: .value))
            }
        }
        if value.text == "" { edits.append(Edit(range: (colon + 1)..<(colon + 1), layout: .afterColon)) }
        return edits
    }
}

extension YAMLNode {
    /// The node at a path.
    fileprivate func node(at path: [YAMLFile.Step]) throws(SourceError) -> YAMLNode {
        var node = self
        for step in path {
            switch step {
            case .key(let key): node = try node.mapping().require(key)
            case .item(let index):
                let list = try node.list()
                guard list.indices.contains(index) else {
                    throw node.error("the list has \(list.count) items, not \(index + 1)")
                }
                node = list[index]
            }
        }
        return node
    }

    fileprivate func firstCharacter(_ text: YAMLText) -> Character {
        guard let at = text.offset(line: line, column: column), at < text.bytes.count else { return " " }
        return Character(Unicode.Scalar(text.bytes[at]))
    }

    /// First line after `key` that starts a node outside its value; the number of lines plus one if there is none.
    fileprivate func line(after key: YAMLNode, in text: YAMLText) -> Int {
        var nearest = text.starts.count + 1
        func visit(_ node: YAMLNode) {
            if node.line > key.line, node.column <= key.column { nearest = min(nearest, node.line) }
            if let map = try? node.mapping() {
                for (name, place) in map.keys {
                    if place.line > key.line, place.column <= key.column { nearest = min(nearest, place.line) }
                    if let value = map[name] { visit(value) }
                }
            } else if let list = try? node.list() {
                for item in list { visit(item) }
            }
        }
        visit(self)
        return nearest
    }
}

extension YAMLValue {
    /// The value with sorted keys, because their order has no meaning.
    fileprivate var sorted: YAMLValue {
        switch self {
        case .text: self
        case .list(let items): .list(items.map(\.sorted))
        case .fields(let pairs): .fields(pairs.map { Pair($0.key, $0.value.sorted) }.sorted { $0.key < $1.key })
        }
    }

    /// The value with one key of the mapping at `path` set.
    fileprivate func setting(_ key: String, of path: ArraySlice<YAMLFile.Step>, to value: YAMLValue) -> YAMLValue {
        switch (path.first, self) {
        case (nil, .fields(var pairs)):
            if let index = pairs.firstIndex(where: { $0.key == key }) {
                pairs[index].value = value
            } else {
                pairs.append(.init(key, value))
            }
            return .fields(pairs)
        case (.key(let name), .fields(var pairs)):
            if let index = pairs.firstIndex(where: { $0.key == name }) {
                pairs[index].value = pairs[index].value.setting(key, of: path.dropFirst(), to: value)
            }
            return .fields(pairs)
        case (.item(let index), .list(var items)):
            if items.indices.contains(index) {
                items[index] = items[index].setting(key, of: path.dropFirst(), to: value)
            }
            return .list(items)
        default: return self
        }
    }
}
