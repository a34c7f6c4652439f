/// The name of a folder (`mailbox` in the standard's words, RFC 9051 section 5.1). INBOX is the same in every case; other names are
/// as the server has them.
public struct FolderName: Hashable, Sendable, CustomStringConvertible {
    /// As people read it.
    public let name: String

    public static let inbox = FolderName("INBOX")

    public init(_ name: String) {
        self.name = name.utf8.count == 5 && name.uppercased() == "INBOX" ? "INBOX" : name
    }

    /// From the wire's modified UTF-7. Refuses text that is none; such a folder can be named by its raw text with ``init(_:)`` only
    /// where that is plain ASCII.
    public init?(wire: some Sequence<UInt8>) {
        guard let name = ModifiedUTF7.decode(wire) else { return nil }
        self.init(name)
    }

    public var description: String { name }

    /// Modified UTF-7 as a quoted string: only printable ASCII, so nothing in a name can end the command line.
    var quoted: String {
        var text = "\""
        for byte in ModifiedUTF7.encode(name) {
            if byte == 0x22 || byte == 0x5C { text += "\\" }
            text.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return text + "\""
    }
}
