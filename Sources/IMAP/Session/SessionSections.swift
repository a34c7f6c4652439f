import Chronology

/// The header section that identifies a message, and when and how long it is.
public struct MessageIdentity: Hashable, Sendable {
    public let uid: UID
    public let internalDate: InternalDate?
    public let size: UInt64?
    /// The requested fields as they are in the message, with the empty line after them.
    public let header: [UInt8]
}

/// Requests for parts of messages, with one command in flight (RFC 9051 section 6.4.5).
extension Session where Stream: ~Copyable {
    /// Fetches what identifies messages, without their texts.
    ///
    /// Costs some 150 bytes a message with the Message-ID alone. Messages that no longer exist are left out.
    ///
    /// - Parameter fields: names of header fields.
    public mutating func identities(
        of uids: UIDSet, fields: [String] = ["MESSAGE-ID"]
    ) throws(IMAPError) -> [MessageIdentity] {
        let section = "HEADER.FIELDS (\(fields.joined(separator: " ")))"
        var found: [MessageIdentity] = []
        var batches = UIDSet.Batches(uids, size: 1000, bytes: WireLimits.commandBytes - 200)
        while let (requested, wire) = batches.next() {
            let command = "UID FETCH \(wire) (UID INTERNALDATE RFC822.SIZE BODY.PEEK[\(section)])"
            let wanted = Set(requested)
            try fetchItems(command, "to identify its mails") { items, bytes in
                guard let uid = items.uid, wanted.contains(uid),
                    let header = items.sections.first(where: { $0.name.hasPrefix("HEADER.FIELDS") })
                else { return }
                found.append(
                    MessageIdentity(
                        uid: UID(unchecked: uid), internalDate: items.internalDate, size: items.size,
                        header: Self.text(header.body, bytes) ?? []))
            }
        }
        return found
    }

    /// The MIME structure of one message; `nil` if it no longer exists.
    public mutating func structure(of uid: UID) throws(IMAPError) -> BodyStructure? {
        var structure: BodyStructure?
        try fetchItems("UID FETCH \(uid) (UID BODYSTRUCTURE)", "to describe the mail with UID \(uid)") { items, _ in
            if items.uid == uid.rawValue { structure = items.structure ?? structure }
        }
        return structure
    }

    /// The texts of some sections of one message, such as `1.2` or `1.2.MIME`, by name. A section without a text, or
    /// one that is longer than the limit, is left out.
    public mutating func sections(_ names: [String], of uid: UID) throws(IMAPError) -> [String: [UInt8]] {
        var texts: [String: [UInt8]] = [:]
        let list = names.map { "BODY.PEEK[\($0)]" }.joined(separator: " ")
        try fetchItems("UID FETCH \(uid) (UID \(list))", "to hand out parts of the mail with UID \(uid)") {
            items, bytes in
            guard items.uid == uid.rawValue else { return }
            for section in items.sections where names.contains(section.name) {
                texts[section.name] = Self.text(section.body, bytes)
            }
        }
        return texts
    }

    private mutating func fetchItems(
        _ command: String, _ doing: String, _ each: (FetchItems, UnsafeRawBufferPointer) -> Void
    ) throws(IMAPError) {
        let tag = try send(command, .after(timing.silence))
        var unrelated = 0
        reader.expectProgress(within: timing.search)
        while true {
            guard case .response(let response) = try receive(.idle(timing.silence)) else { throw fail(timedOut()) }
            switch response {
            case .tagged(tag, let status): return try require(status, doing, scope: .folder)
            case .tagged: throw fail(malformed("an answer to another command"))
            case .fetch(let items): each(items, UnsafeRawBufferPointer(reader.response))
            default: break
            }
            unrelated += 1
            if unrelated > unrelatedLimit { throw fail(flooded()) }
        }
    }

    private static func text(_ body: FetchItems.Body, _ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard case .text(let range, isCut: false) = body else { return nil }
        return Array(bytes[range])
    }
}
