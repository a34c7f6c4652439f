import Glibc

/// One YAML file, parsed to nodes that know their places. All scalars are text: types are never guessed.
public final class YAMLFile: Sendable {
    /// Limit for files: profiles and configurations are far smaller, and a parser needs a multiple of it in memory.
    public static let maximumBytes = 4 << 20

    public let path: String
    public let bytes: [UInt8]

    /// Split on each use, because only errors need them. Split by bytes: CR LF is one `Character`, which a search for
    /// LF would miss.
    var lines: [String] {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            String(decoding: $0.last == 0x0D ? $0.dropLast() : $0, as: UTF8.self)
        }
    }

    /// Reads a file. Throws if it cannot be read or is too large.
    public convenience init(path: String) throws(SourceError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw SourceError(
                file: path, message: "cannot be read: \(String(cString: strerror(errno)))",
                remedy: "Check that the path is right and that this user may read it.")
        }
        defer { close(file) }
        var status = stat()
        // One extra byte detects a file that has grown since.
        var room = fstat(file, &status) == 0 ? min(max(Int(status.st_size), 0), Self.maximumBytes) + 1 : 1 << 16
        var bytes: [UInt8] = []
        while true {
            var count = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: room) { buffer, used in
                repeat { count = read(file, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
                used = max(count, 0)
            }
            guard count >= 0 else {
                throw SourceError(file: path, message: "cannot be read: it is a folder, or the disk failed")
            }
            if count == 0 { break }
            if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
            guard bytes.count <= Self.maximumBytes else {
                throw SourceError(
                    file: path, message: "is larger than \(Self.maximumBytes >> 20) MiB", remedy: "Split the file.")
            }
            room = count < room ? 1 << 8 : 1 << 16
        }
        self.init(path: path, bytes: bytes)
    }

    /// - Parameter path: the path used in errors; the file is not read.
    public init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// The file's only document. Throws if the text is empty or not YAML.
    public func root() throws(SourceError) -> YAMLNode {
        let document = try YAMLComposer.document(of: self)
        return YAMLNode(document: document, index: document.root)
    }

    /// The file without one key of its top-level mapping, which must begin a line. The lines of its value are blanked,
    /// so that line numbers stay valid. A value's lines are indented, list items, comments or empty; any other line
    /// starts the next key (YAML 1.2.2 section 8.2.2).
    public func omitting(_ key: String) -> YAMLFile {
        let name = Array((key + ":").utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        bytes.withUnsafeBufferPointer { bytes in
            var isInside = false
            var at = 0
            while at < bytes.count {
                var end = bytes.count
                if let start = bytes.baseAddress, let found = memchr(start + at, 0x0A, bytes.count - at) {
                    end = UnsafeRawPointer(start).distance(to: found)
                }
                let line = bytes[at..<end]
                if line.starts(with: name) {
                    isInside = true
                } else if let first = line.first, first != 0x20, first != UInt8(ascii: "-"), first != UInt8(ascii: "#"),
                    first != 0x0D
                {
                    isInside = false
                }
                if !isInside { result.append(contentsOf: line) }
                result.append(0x0A)
                at = end + 1
            }
        }
        // Empty lines at the end have no meaning.
        while result.count > 1, result.last == 0x0A, result[result.count - 2] == 0x0A { result.removeLast() }
        // Copies the bytes without the reserved capacity.
        return YAMLFile(path: path, bytes: result.withUnsafeBufferPointer { Array($0) })
    }

    /// An error at a place in this file, with its line as the excerpt.
    public func error(line: Int, column: Int, _ message: String, remedy: String? = nil) -> SourceError {
        SourceError(
            file: path, line: line, column: column, message: message,
            excerpt: lines.indices.contains(line - 1) ? lines[line - 1] : nil, remedy: remedy)
    }

    /// The place of byte `offset` of the block scalar or other scalar that begins at `line`, `column`.
    func position(
        ofByte offset: Int, in value: String, line: Int, column: Int, isBlock: Bool
    ) -> (line: Int, column: Int) {
        let before = value.utf8.prefix(offset)
        let row = before.lazy.filter { $0 == 0x0A }.count
        let lastBreak = before.lastIndex(of: 0x0A).map { before.index(after: $0) } ?? before.startIndex
        let inRow = String(decoding: before[lastBreak...], as: UTF8.self).count
        guard isBlock else { return row == 0 ? (line, column + inRow + 1) : (line, column) }
        // A block scalar's text begins on the line after its indicator, at the indentation of its first line with text.
        let rest = lines.dropFirst(line)
        let indentation = rest.first { $0.contains { $0 != " " } }?.prefix { $0 == " " }.count ?? 0
        return (line + 1 + row, indentation + inRow + 1)
    }
}
