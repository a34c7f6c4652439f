/// What the server says it can do (RFC 9051 section 7.2.2). Names are compared without case.
public struct Capabilities: Hashable, Sendable {
    private var names: Set<String> = []

    public init(_ names: some Sequence<String> = []) {
        self.names = Set(names.map { $0.uppercased() })
    }

    /// Any name as the server prints it, e.g. `AUTH=PLAIN`.
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
