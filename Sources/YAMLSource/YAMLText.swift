/// Bytes of a YAML file, addressed by the parser's lines and columns.
struct YAMLText {
    let bytes: [UInt8]
    /// Offset of the start of each line.
    let starts: [Int]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var starts = [0]
        var at = 0
        while at < bytes.count {
            let length = Self.lineBreak(bytes, at)
            if length > 0 { starts.append(at + length) }
            at += max(1, length)
        }
        self.starts = starts
    }

    /// Length of the line break at an offset (YAML 1.1 section 4.2): LF, CR LF, CR, U+0085, U+2028, U+2029; 0 if there
    /// is none.
    static func lineBreak(_ bytes: [UInt8], _ at: Int) -> Int {
        switch bytes[at] {
        case 0x0A: 1
        case 0x0D: at + 1 < bytes.count && bytes[at + 1] == 0x0A ? 2 : 1
        case 0xC2: at + 1 < bytes.count && bytes[at + 1] == 0x85 ? 2 : 0
        case 0xE2:
            at + 2 < bytes.count && bytes[at + 1] == 0x80 && (bytes[at + 2] == 0xA8 || bytes[at + 2] == 0xA9) ? 3 : 0
        default: 0
        }
    }

    /// The offset of a place; columns count Unicode scalars.
    func offset(line: Int, column: Int) -> Int? {
        guard starts.indices.contains(line - 1), column >= 1 else { return nil }
        var at = starts[line - 1]
        for _ in 1..<column {
            guard at < bytes.count else { return nil }
            at += 1
            while at < bytes.count, bytes[at] & 0xC0 == 0x80 { at += 1 }
        }
        return at
    }

    /// The place of a byte; the inverse of `offset(line:column:)`.
    func place(ofByte offset: Int) -> (line: Int, column: Int) {
        let line = starts.count { $0 <= offset }
        let before = bytes[starts[line - 1]..<min(offset, bytes.count)]
        return (line, before.count { $0 & 0xC0 != 0x80 } + 1)
    }

    /// Range of a line without its line break.
    func line(_ number: Int) -> Range<Int> {
        let end = starts.indices.contains(number) ? starts[number] : bytes.count
        var last = end
        while last > starts[number - 1], bytes[last - 1] == 0x0A || bytes[last - 1] == 0x0D { last -= 1 }
        return starts[number - 1]..<last
    }

    /// The number of spaces at the beginning of a line; `nil` for a line of spaces only.
    func indentation(_ number: Int) -> Int? {
        let line = line(number)
        let first = line.first { bytes[$0] != 0x20 && bytes[$0] != 0x09 }
        return first.map { $0 - line.lowerBound }
    }

    /// The line ending of the file.
    var lineEnd: [UInt8] {
        bytes.firstIndex(of: 0x0A).map { $0 > 0 && bytes[$0 - 1] == 0x0D } ?? false ? [0x0D, 0x0A] : [0x0A]
    }
}

/// Finds the end of a value in flow style (flow collections and scalars; YAML 1.2 chapter 7).
struct FlowScanner {
    let bytes: [UInt8]

    /// End of the collection, quoted text or plain word at `start`; `nil` if there is none or it is not closed. For a
    /// collection also the end of its last item, before the closing bracket.
    func end(of start: Int) -> (end: Int, lastInside: Int)? {
        guard start < bytes.count else { return nil }
        var at = start
        var depth = 0
        var last = start
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                at += 1
                last = at
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth <= 0 { return depth < 0 ? nil : (at + 1, last) }
                at += 1
                last = at
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                guard let close = quoted(at) else { return nil }
                at = close
                last = at
            case 0x20, 0x09, 0x0A, 0x0D: at += 1
            case UInt8(ascii: "#") where at > 0 && [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at - 1]):
                while at < bytes.count, bytes[at] != 0x0A { at += 1 }
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "?"):
                at += 1
                last = at
            default:
                at = plain(at)
                last = at
            }
            if depth == 0 { return (last, last) }
        }
        return nil
    }

    private func quoted(_ start: Int) -> Int? {
        let quote = bytes[start]
        var at = start + 1
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                at += 2
                continue
            }
            if bytes[at] == quote {
                guard quote == UInt8(ascii: "'"), at + 1 < bytes.count, bytes[at + 1] == quote else { return at + 1 }
                at += 1
            }
            at += 1
        }
        return nil
    }

    /// End of a plain word inside a collection, without trailing blanks.
    private func plain(_ start: Int) -> Int {
        var at = start
        var last = start
        while at < bytes.count {
            let byte = bytes[at]
            if ",[]{}".utf8.contains(byte) || byte == 0x0A || byte == 0x0D { break }
            let next = at + 1 < bytes.count ? bytes[at + 1] : 0x0A
            if byte == UInt8(ascii: ":"), [0x20, 0x09, 0x0A, 0x0D].contains(next) || ",[]{}".utf8.contains(next) {
                break
            }
            if byte == UInt8(ascii: "#"), at > start, bytes[at - 1] == 0x20 || bytes[at - 1] == 0x09 { break }
            at += 1
            if byte != 0x20, byte != 0x09 { last = at }
        }
        return max(last, start + 1)
    }
}
