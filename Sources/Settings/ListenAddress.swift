public import YAMLSource

/// An address and a port on which a program listens, written as `127.0.0.1:8001` or `[::1]:8001`.
public struct ListenAddress: Sendable, Equatable {
    public let host: String
    public let port: Int

    /// - Parameter usual: an address for the remedy of an error.
    public init(_ node: YAMLNode, usual: String) throws(SourceError) {
        let text = try node.string()
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (1...65535).contains(port), colon > text.startIndex
        else {
            throw node.error("'\(text)' is not ADDRESS:PORT", remedy: "\(usual) is usual.")
        }
        host = text[..<colon].filter { $0 != "[" && $0 != "]" }
        self.port = port
    }
}
