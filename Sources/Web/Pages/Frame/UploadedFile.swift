import Glibc

/// The file of a form that was sent as `multipart/form-data` (RFC 7578).
struct UploadedFile: Sendable {
    /// The name that the browser gives it, without folders.
    var name: String
    var bytes: [UInt8]
    /// The other fields of the form.
    private(set) var fields: [String: String] = [:]

    /// A longer field is left out; no form has one.
    private static let longestField = 4096
    /// The boundary has at most 70 characters (RFC 2046, section 5.1.1).
    private static let longestBoundary = 70
    /// The headers of a part; a browser's are shorter.
    private static let longestHead = 4096

    /// - Returns: `nil` if the body is of another type or has no part with a file name.
    init?(_ body: [UInt8], contentType: String) {
        guard contentType.lowercased().hasPrefix("multipart/form-data"),
            let boundary = Self.parameter("boundary", of: contentType), !boundary.isEmpty,
            boundary.utf8.count <= Self.longestBoundary
        else { return nil }
        let delimiter = Array("--\(boundary)".utf8)
        // The first delimiter has no line break before it.
        guard var position = Self.find(delimiter, in: body, from: 0).map({ $0 + delimiter.count }) else { return nil }
        let next = Array("\r\n".utf8) + delimiter
        var (file, fields): (UploadedFile?, [String: String]) = (nil, [:])
        while let end = Self.find(next, in: body, from: position) {
            if let (name, value) = Self.field(body[position..<end]) { fields[name] = value }
            if file == nil { file = Self.file(body[position..<end]) }
            position = end + next.count
        }
        guard let file else { return nil }
        self = file
        self.fields = fields
    }

    private init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    private static func file(_ part: ArraySlice<UInt8>) -> UploadedFile? {
        guard let (line, body) = disposition(part), let name = parameter("filename", of: line), !name.isEmpty else {
            return nil
        }
        let last = name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? name
        return UploadedFile(name: last, bytes: Array(body))
    }

    private static func field(_ part: ArraySlice<UInt8>) -> (name: String, value: String)? {
        guard let (line, body) = disposition(part), parameter("filename", of: line) == nil,
            let name = parameter("name", of: line), body.count <= longestField
        else { return nil }
        return (name, String(decoding: body, as: UTF8.self))
    }

    /// The header field with the name of a part, and the bytes of the part.
    private static func disposition(_ part: ArraySlice<UInt8>) -> (line: String, body: ArraySlice<UInt8>)? {
        let blank = Array("\r\n\r\n".utf8)
        let head = Array(part.prefix(longestHead))
        guard let end = find(blank, in: head, from: 0) else { return nil }
        let lines = String(decoding: head[..<end], as: UTF8.self).split(whereSeparator: \.isNewline)
        return lines.first { $0.lowercased().hasPrefix("content-disposition:") }
            .map { (String($0), part[(part.startIndex + end + blank.count)...]) }
    }

    /// The value of a parameter, quoted or not.
    private static func parameter(_ name: String, of header: String) -> String? {
        for part in header.split(separator: ";").dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].filter({ !$0.isWhitespace }).lowercased() == name else { continue }
            let value = pair[1].drop(while: \.isWhitespace)
            return value.first == "\"" ? String(value.dropFirst().prefix { $0 != "\"" }) : String(value)
        }
        return nil
    }

    /// The needle is a boundary or shorter, so that the time is linear in the body's size.
    private static func find(_ needle: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard start >= 0, let first = needle.first else { return nil }
        return bytes.withUnsafeBytes { all -> Int? in
            guard let base = all.baseAddress else { return nil }
            var position = start
            while position + needle.count <= all.count {
                guard let found = memchr(base + position, CInt(first), all.count - needle.count - position + 1) else {
                    return nil
                }
                let index = UnsafeRawPointer(found) - base
                if memcmp(base + index, needle, needle.count) == 0 { return index }
                position = index + 1
            }
            return nil
        }
    }
}
