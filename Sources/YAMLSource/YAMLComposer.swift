import CYAML

/// Builds the only document of a YAML text from the events of libyaml (YAML 1.1 chapter 3, "compose").
struct YAMLComposer {
    /// Far deeper than any file of ours. Readers of values call themselves once for each level.
    static let maximumDepth = 100
    /// The number of values that all aliases of a text may stand for together: readers visit each of them.
    static let maximumAliased = 100_000

    /// A list or mapping whose end has not come yet.
    private struct Open {
        var index: Int
        /// Where its children begin in `pending`.
        var start: Int
        var anchor: String?
        /// The number of values in it, those behind aliases included.
        var size = 1
    }

    private let file: YAMLFile
    private var values: [YAMLDocument.Value] = []
    private var children: [Int32] = []
    private var text: [UInt8] = []
    private var open: [Open] = []
    /// The children so far of all open collections, the outermost first.
    private var pending: [Int32] = []
    /// Values that are complete, so that no value can hold itself.
    private var anchors: [String: (index: Int32, size: Int)] = [:]
    private var aliased = 0

    private init(_ file: YAMLFile) {
        self.file = file
        text.reserveCapacity(file.bytes.count)
    }

    /// Throws if the text is empty, has several documents, or is not YAML.
    static func document(of file: YAMLFile) throws(SourceError) -> YAMLDocument {
        let empty = SourceError(file: file.path, message: "is empty")
        guard !file.bytes.isEmpty else { throw empty }
        var composer = YAMLComposer(file)
        try file.bytes.withUnsafeBufferPointer { bytes throws(SourceError) in try composer.read(bytes) }
        guard let root = composer.pending.first else { throw empty }
        return YAMLDocument(file, composer.values, composer.children, composer.text, root: Int(root))
    }

    private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(SourceError) {
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        defer { parser.deallocate() }
        guard yaml_parser_initialize(parser) == 1 else {
            throw SourceError(file: file.path, message: "no memory is left")
        }
        defer { yaml_parser_delete(parser) }
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        var event = yaml_event_t()
        var type = YAML_NO_EVENT
        while type != YAML_STREAM_END_EVENT {
            guard yaml_parser_parse(parser, &event) == 1 else { throw fault(parser.pointee) }
            defer { yaml_event_delete(&event) }
            type = event.type
            try take(event)
        }
    }

    private mutating func take(_ event: yaml_event_t) throws(SourceError) {
        switch event.type {
        case YAML_DOCUMENT_START_EVENT:
            guard pending.isEmpty else {
                throw error(event.start_mark, "a second document begins here", remedy: "Keep one document in a file.")
            }
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let start = Int32(text.count)
            text.append(contentsOf: UnsafeBufferPointer(start: scalar.value, count: scalar.length))
            var value = value(.scalar, event)
            value.isBlock = scalar.style == YAML_LITERAL_SCALAR_STYLE || scalar.style == YAML_FOLDED_SCALAR_STYLE
            value.range = start..<Int32(text.count)
            values.append(value)
            add(Int32(values.count - 1), size: 1, anchor: name(scalar.anchor))
        case YAML_SEQUENCE_START_EVENT: try begin(.list, event, event.data.sequence_start.anchor)
        case YAML_MAPPING_START_EVENT: try begin(.mapping, event, event.data.mapping_start.anchor)
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: end()
        case YAML_ALIAS_EVENT:
            guard let name = name(event.data.alias.anchor), let anchor = anchors[name] else {
                throw error(event.start_mark, "no value before this one has the anchor of this alias")
            }
            aliased += anchor.size
            guard aliased <= Self.maximumAliased else {
                throw error(event.start_mark, "the aliases stand for more than \(Self.maximumAliased) values")
            }
            add(anchor.index, size: anchor.size, anchor: nil)
        default: break
        }
    }

    private mutating func begin(
        _ kind: YAMLDocument.Kind, _ event: yaml_event_t, _ anchor: UnsafePointer<UInt8>?
    ) throws(SourceError) {
        guard open.count < Self.maximumDepth else {
            throw error(event.start_mark, "the values are nested deeper than \(Self.maximumDepth) levels")
        }
        open.append(Open(index: values.count, start: pending.count, anchor: name(anchor)))
        values.append(value(kind, event))
    }

    private mutating func end() {
        guard let ended = open.popLast() else { return }
        let start = Int32(children.count)
        children.append(contentsOf: pending[ended.start...])
        pending.removeSubrange(ended.start...)
        values[ended.index].range = start..<Int32(children.count)
        add(Int32(ended.index), size: ended.size, anchor: ended.anchor)
    }

    /// Adds a complete value to the collection that it is in.
    private mutating func add(_ index: Int32, size: Int, anchor: String?) {
        pending.append(index)
        if !open.isEmpty { open[open.count - 1].size += size }
        if let anchor { anchors[anchor] = (index, size) }
    }

    private func value(_ kind: YAMLDocument.Kind, _ event: yaml_event_t) -> YAMLDocument.Value {
        YAMLDocument.Value(
            kind: kind, line: Int32(event.start_mark.line + 1), column: Int32(event.start_mark.column + 1))
    }

    private func name(_ anchor: UnsafePointer<UInt8>?) -> String? { anchor.map { String(cString: $0) } }

    private func error(_ mark: yaml_mark_t, _ message: String, remedy: String? = nil) -> SourceError {
        file.error(line: mark.line + 1, column: mark.column + 1, message, remedy: remedy)
    }

    private func fault(_ parser: yaml_parser_t) -> SourceError {
        let problem = parser.problem.map { String(cString: $0) } ?? "no memory is left"
        guard parser.error == YAML_READER_ERROR else {
            return error(
                parser.problem_mark, problem,
                remedy: "Check the indentation, and quote text that holds ': ' or ' #'.")
        }
        guard String(validating: file.bytes, as: UTF8.self) != nil else {
            return SourceError(file: file.path, message: "is not UTF-8 text", remedy: "Save the file as UTF-8.")
        }
        let place = YAMLText(file.bytes).place(ofByte: parser.problem_offset)
        return file.error(line: place.line, column: place.column, problem)
    }
}
