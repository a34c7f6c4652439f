/// What STATUS says about a folder that is not open (RFC 9051 section 6.3.11).
public struct FolderStatus: Hashable, Sendable {
    /// `nil` where an old server does not say.
    public let uidValidity: UIDValidity?
    public let uidNext: UID?
    public let messages: UInt32?
}

extension Session where Stream: ~Copyable {
    /// Asks about folders that are not open, all in one round trip. Nothing is opened or changed.
    ///
    /// - Returns: one answer for each folder, in their order: `nil` where the server refused it or said nothing about it.
    public mutating func status(of folders: [FolderName]) throws(IMAPError) -> [FolderStatus?] {
        var found: [FolderStatus?] = []
        // The command is short and so is the answer: neither side's buffers can fill up with some dozens under way.
        for group in stride(from: 0, to: folders.count, by: Self.statusesUnderWay).lazy.map({
            folders[$0...].prefix(Self.statusesUnderWay)
        }) {
            let deadline = Deadline.after(timing.answer)
            var tags: [UInt64] = []
            for folder in group {
                tags.append(try send("STATUS \(folder.quoted) (UIDNEXT UIDVALIDITY MESSAGES)", deadline))
            }
            for tag in tags {
                var said: FolderStatus?
                // Answers come in the order of the commands, so whatever stands before this tag is about its folder. Names are not
                // compared: servers differ in how they print them.
                let status = try answer(to: tag, .until(deadline)) {
                    if case .folderStatus(let status) = $0 { said = status }
                }
                found.append(status.outcome == .ok ? said : nil)
            }
        }
        return found
    }

    static var statusesUnderWay: Int { 16 }
}

extension WireCursor {
    /// Behind `* STATUS `: `"name" (UIDNEXT 5 MESSAGES 4)`.
    mutating func folderStatus() throws(Malformed) -> FolderStatus {
        skipBlanks()
        if peek == 0x22 || peek == 0x7B { _ = try expectNString("the name in a STATUS") } else { _ = takeAtom() }
        skipBlanks()
        try expect(0x28, "a STATUS without its list")
        var (validity, next, messages): (UInt32?, UInt32?, UInt32?)
        skipBlanks()
        while !take(0x29) {
            let name = takeAtom()
            if name.isEmpty { throw Malformed(what: "a STATUS item without a name") }
            skipBlanks()
            if matches(name, "UIDNEXT") {
                next = try expectNumber32("a UIDNEXT that is no number")
            } else if matches(name, "UIDVALIDITY") {
                validity = try expectNumber32("a UIDVALIDITY that is no number")
            } else if matches(name, "MESSAGES") {
                messages = try expectNumber32("a count of messages that is no number")
            } else {
                try skipValue()
            }
            skipBlanks()
        }
        return FolderStatus(
            uidValidity: validity.flatMap { UIDValidity($0) }, uidNext: next.flatMap { UID($0) }, messages: messages)
    }
}
