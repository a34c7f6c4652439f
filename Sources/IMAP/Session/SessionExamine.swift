/// The response to EXAMINE (RFC 9051 section 6.3.3).
public struct Selected: Hashable, Sendable {
    public let uidValidity: UIDValidity
    /// No message has this UID or a higher one; `nil` if an old server does not send it.
    public let uidNext: UID?
    /// The number of messages.
    public let exists: Int
}

extension Session where Stream: ~Copyable {
    /// Opens a folder read-only. Clears ``changed``.
    public mutating func examine(_ folder: FolderName) throws(IMAPError) -> Selected {
        exists = 0
        var validity: UInt32?
        var next: UInt32?
        let status = try perform("EXAMINE \(folder.quoted)") { response in
            guard case .status(let status) = response else { return }
            switch status.code {
            case .uidValidity(let value): validity = value
            case .uidNext(let value): next = value
            default: break
            }
        }
        try require(status, "to open the folder \(ServerText.clean(folder.name))", scope: .folder)
        guard let validity = validity.flatMap({ UIDValidity($0) }) else {
            throw IMAPError(
                .malformed, scope: .folder, retry: .later,
                what: "\(peer) gives the folder \(ServerText.clean(folder.name)) no UIDVALIDITY",
                remedy: "a folder without lasting UIDs cannot be watched; the server's log may have details")
        }
        changed = false
        return Selected(uidValidity: validity, uidNext: next.flatMap { UID($0) }, exists: Int(exists))
    }
}
