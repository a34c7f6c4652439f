/// The name of a folder (`mailbox` in RFC 9051 section 5.1). INBOX is case-insensitive.
public struct FolderName: Hashable, Sendable, CustomStringConvertible {
    /// In Unicode.
    public let name: String

    public static let inbox = FolderName("INBOX")

    public init(_ name: String) {
        self.name = name.utf8.count == 5 && name.uppercased() == "INBOX" ? "INBOX" : name
    }

    /// Decodes modified UTF-7. `nil` for other text; such a folder can be named with ``init(_:)`` only if its name is
    /// ASCII.
    public init?(wire: some Sequence<UInt8>) {
        guard let name = ModifiedUTF7.decode(wire) else { return nil }
        self.init(name)
    }

    public var description: String { name }

    /// A quoted string in modified UTF-7. It is printable ASCII, so that no name can end the command line.
    var quoted: String {
        var text = "\""
        for byte in ModifiedUTF7.encode(name) {
            if byte == 0x22 || byte == 0x5C { text += "\\" }
            text.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return text + "\""
    }
}
