import Chronology

/// The response to STATUS for a folder that is not open (RFC 9051 section 6.3.11).
public struct FolderStatus: Hashable, Sendable {
    /// `nil` if an old server does not send it.
    public let uidValidity: UIDValidity?
    public let uidNext: UID?
    public let messages: UInt32?
}

extension Session where Stream: ~Copyable {
    /// Requests the status of folders that are not open, in one round trip.
    ///
    /// - Returns: one status per folder, in order; `nil` if the server refused it or sent none.
    public mutating func status(of folders: [FolderName]) throws(IMAPError) -> [FolderStatus?] {
        var found: [FolderStatus?] = []
        // Command and response are short: the buffers of neither side can fill up with some dozens in flight.
        for group in stride(from: 0, to: folders.count, by: Self.statusesUnderWay).lazy.map({
            folders[$0...].prefix(Self.statusesUnderWay)
        }) {
            let deadline = Deadline.after(timing.answer)
            var tags: [UInt64] = []
            for folder in group {
                tags.append(try send("STATUS \(folder.quoted) (UIDNEXT UIDVALIDITY MESSAGES)", deadline))
            }
            for tag in tags {
                var answered: FolderStatus?
                // Responses come in the order of the commands, so the one before this tag is about its folder. Names
                // are not compared: servers print them differently.
                let status = try answer(to: tag, .deadline(deadline)) {
                    if case .folderStatus(let status) = $0 { answered = status }
                }
                found.append(status.outcome == .ok ? answered : nil)
            }
        }
        return found
    }

    static var statusesUnderWay: Int { 16 }
}

extension WireCursor {
    /// Parses after `* STATUS `: `"name" (UIDNEXT 5 MESSAGES 4)`.
    mutating func folderStatus() throws(Malformed) -> FolderStatus {
        skipBlanks()
        if peek == 0x22 || peek == 0x7B { _ = try expectNString("the name in a STATUS") } else { _ = readAtom() }
        skipBlanks()
        try expect(0x28, "a STATUS without its list")
        var (validity, next, messages): (UInt32?, UInt32?, UInt32?)
        skipBlanks()
        while !accept(0x29) {
            let name = readAtom()
            if name.isEmpty { throw Malformed(what: "a STATUS item without a name") }
            skipBlanks()
            if matches(name, "UIDNEXT") {
                next = try expectNumber32("a UIDNEXT that is not a number")
            } else if matches(name, "UIDVALIDITY") {
                validity = try expectNumber32("a UIDVALIDITY that is not a number")
            } else if matches(name, "MESSAGES") {
                messages = try expectNumber32("a count of messages that is not a number")
            } else {
                try skipValue()
            }
            skipBlanks()
        }
        return FolderStatus(
            uidValidity: validity.flatMap { UIDValidity($0) }, uidNext: next.flatMap { UID($0) }, messages: messages)
    }
}
