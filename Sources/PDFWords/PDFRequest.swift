/// A PDF for the program that reads it: a line, the password, the file.
public struct PDFRequest: Hashable, Sendable {
    /// Of request and answer: both programs come from one build, so a difference is a fault of the installation.
    static let version = "spendwise-pdf 1"
    /// A line and a password.
    private static let maximumHead = 4096
    public static let maximumBytes = PDFLimits.fileBytes + maximumHead

    /// Of the owner or user.
    public var password: String?
    public var file: [UInt8]

    public init(password: String?, file: [UInt8]) {
        self.password = password
        self.file = file
    }

    /// True if the bytes begin as a PDF; up to 1,024 bytes may come before (ISO 32000-1, annex H.3).
    public static func isFormat(_ bytes: ArraySlice<UInt8>) -> Bool {
        let head = bytes.prefix(1024)
        return head.indices.contains { head[$0...].starts(with: "%PDF-".utf8) }
    }

    public var bytes: [UInt8] {
        let length = password.map { String($0.utf8.count) } ?? "-"
        return Array("\(Self.version) \(length)\n".utf8) + Array((password ?? "").utf8) + file
    }

    /// - Returns: `nil` for bytes that ``bytes`` does not give.
    public init?(_ bytes: [UInt8]) {
        guard let end = bytes.prefix(Self.maximumHead).firstIndex(of: 0x0A) else { return nil }
        let line = String(decoding: bytes[..<end], as: UTF8.self)
        guard line.hasPrefix(Self.version + " ") else { return nil }
        let length = line.dropFirst(Self.version.count + 1)
        let rest = bytes[(end + 1)...]
        if length == "-" {
            self.init(password: nil, file: Array(rest))
            return
        }
        guard let count = Int(length), count >= 0, count <= rest.count,
            let password = String(validating: rest.prefix(count), as: UTF8.self)
        else { return nil }
        self.init(password: password, file: Array(rest.dropFirst(count)))
    }
}
