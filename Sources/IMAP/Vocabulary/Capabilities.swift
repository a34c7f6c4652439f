/// The capabilities of a server (RFC 9051 section 7.2.2). Names are case-insensitive.
public struct Capabilities: Hashable, Sendable {
    private var names: Set<String> = []

    public init(_ names: some Sequence<String> = []) {
        self.names = Set(names.map { $0.uppercased() })
    }

    /// - Parameter name: for example `AUTH=PLAIN`.
    public func contains(_ name: String) -> Bool { names.contains(name.uppercased()) }

    public var isEmpty: Bool { names.isEmpty }

    /// RFC 2177.
    public var idle: Bool { contains("IDLE") || contains("IMAP4REV2") }

    /// RFC 4731: SEARCH results as a compact set.
    public var esearch: Bool { contains("ESEARCH") || contains("IMAP4REV2") }

    /// RFC 2971.
    public var id: Bool { contains("ID") }

    /// Gmail's extensions: X-GM-RAW, X-GM-MSGID.
    public var gmail: Bool { contains("X-GM-EXT-1") }
}
