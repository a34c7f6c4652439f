import Chronology
import ChronologyFixture
import IMAP

/// An IMAP server in memory, as far as a session uses one, with faults on request.
final class FakeServer {
    struct Mail {
        var uid: UInt32
        /// INTERNALDATE, seconds since 1970.
        var date: UnixTime
        var bytes: [UInt8]
        var gmail: UInt64 = 0
        /// The first word after `Message-ID:`.
        var id = ""
    }

    struct Folder {
        var validity: UInt32 = 7
        var next: UInt32 = 1
        var mails: [Mail] = []
        var attributes = ""

        mutating func add(_ bytes: [UInt8], date: UnixTime = Sample.arrival, gmail: UInt64 = 0) {
            let id = String(decoding: bytes, as: UTF8.self).components(behind: "Message-ID: <", upTo: ">").first ?? ""
            mails.append(Mail(uid: next, date: date, bytes: bytes, gmail: gmail, id: id))
            next += 1
        }
    }

    var folders: [String: Folder] = ["INBOX": Folder()]
    var capabilities = ["IMAP4REV1", "IDLE", "ESEARCH"]
    var sendsUIDNext = true
    /// Sent with the login.
    var sendsCapabilities = true
    /// Sends EXISTS only in response to EXAMINE.
    var isSilent = false
    /// Announces mail in IDLE and at its end. GNU Mailutils does so only in the response to NOOP.
    var announcesInIdle = true
    /// Commands that old servers answer with BAD: SEARCH with OR, FETCH of parts, X-GM-RAW.
    var refuses: (_ command: String) -> Bool = { _ in false }
    /// Called with every command, without its tag, before the response. May change anything, and may return the
    /// response instead: lines (`%` is the tag), or none.
    var intercept: (FakeServer, String) -> [String]? = { _, _ in nil }
    /// Called while the client waits in IDLE or between polls.
    var onIdle: (FakeServer) throws(IMAPError) -> ReadOutcome = { (_: FakeServer) throws(IMAPError) -> ReadOutcome in
        .timedOut
    }
    /// Called before each read.
    var onRead: () -> Void = {}
    /// Events for `onIdle`, one each time the client waits.
    var arrivals: ArraySlice<@Sendable (FakeServer) -> Void> = []
    /// Changes the response to a command.
    var rewrite: (String, [UInt8]) -> [UInt8] = { $1 }
    /// The connection closes after so many bytes.
    var cut: Int?
    /// Number of bytes after which nothing more is sent while the connection stays open.
    var stall: Int?
    /// Maximum bytes per read.
    var chunk = Int.max
    var reversesFetch = false
    private(set) var isCompressed = false
    private(set) var commands: [String] = []
    private(set) var sent = 0
    private var output: [UInt8] = []
    private var input: [UInt8] = []
    private var selected: String?
    private var announced = 0
    private var idleTag: String?
    private var isClosed = false

    /// A new connection to the same folders, without the faults.
    func reconnect() {
        (output, input, selected, idleTag, isClosed, cut, stall, sent, commands) = (
            [], [], nil, nil, false, nil, nil, 0, []
        )
        (chunk, isCompressed) = (.max, false)
        intercept = { _, _ in nil }
        rewrite = { $1 }
    }

    func send(_ line: String) { output += Array((line + "\r\n").utf8) }

    func close() { isClosed = true }

    // MARK: The stream's side

    func read(into buffer: UnsafeMutableRawBufferPointer, wakeable: Bool) throws(IMAPError) -> ReadOutcome {
        if output.isEmpty, !isClosed {
            if idleTag != nil || wakeable {
                let outcome = try onIdle(self)
                if announcesInIdle || idleTag == nil { announceMail() }
                if output.isEmpty { return outcome }
            } else {
                return .timedOut
            }
        }
        let allowed = min(cut ?? .max, stall ?? .max) - sent
        let count = min(output.count, buffer.count, chunk, max(0, allowed))
        guard count > 0 else { return stall.map { sent >= $0 } ?? false ? .timedOut : .closed }
        onRead()
        buffer.copyBytes(from: output[..<count])
        output.removeFirst(count)
        sent += count
        return .bytes(count)
    }

    /// Begins compression, which this server only pretends: DeflateTests test it.
    func compress(received: UnsafeRawBufferPointer) {
        output.insert(contentsOf: received, at: 0)
        isCompressed = true
    }

    func write(_ bytes: UnsafeRawBufferPointer) {
        input += bytes
        while let end = input.firstIndex(of: 0x0A) {
            let line = String(decoding: input[..<end].filter { $0 != 0x0D }, as: UTF8.self)
            input.removeSubrange(...end)
            receive(line)
        }
    }

    private func receive(_ line: String) {
        let (tag, command) = line == "DONE" ? (idleTag ?? "", line) : line.cut(at: " ")
        commands.append(command)
        idleTag = nil
        if let lines = intercept(self, command) {
            for line in lines { send(line.replacing("%", with: tag)) }
            return
        }
        if line == "DONE" {
            if announcesInIdle { announceMail() }
            if !tag.isEmpty { respond(to: command, tag) { send("\(tag) OK idle done") } }
            return
        }
        respond(to: command, tag) { answer(command, tag) }
    }

    private func respond(to command: String, _ tag: String, _ body: () -> Void) {
        let before = output
        output = []
        body()
        output = before + rewrite(command, output)
    }

    // MARK: Commands

    private func answer(_ command: String, _ tag: String) {
        let (verb, rest) = command.cut(at: " ")
        if refuses(command) { return send("\(tag) BAD Error in IMAP command") }
        switch verb {
        case "CAPABILITY": send("* CAPABILITY \(capabilities.joined(separator: " "))")
        case "EXAMINE":
            selected = nil
            guard let folder = folders[rest.unquoted] else {
                return send("\(tag) NO [NONEXISTENT] Mailbox doesn't exist")
            }
            selected = rest.unquoted
            announced = folder.mails.count
            send("* FLAGS (\\Seen)")
            send("* \(announced) EXISTS")
            send("* OK [UIDVALIDITY \(folder.validity)] valid")
            if sendsUIDNext { send("* OK [UIDNEXT \(folder.next)] next") }
        case "STATUS":
            let name = String(rest.prefix { $0 != "(" }).trimmingBlanks.unquoted
            guard let folder = folders[name] else { return send("\(tag) NO [NONEXISTENT] no") }
            send(
                "* STATUS \"\(name)\" (MESSAGES \(folder.mails.count) UIDVALIDITY \(folder.validity)\(sendsUIDNext ? " UIDNEXT \(folder.next)" : ""))"
            )
        case "LIST":
            for (name, folder) in folders.sorted(by: { $0.key < $1.key }) {
                send("* LIST (\\HasNoChildren \(folder.attributes)) \"/\" \"\(name)\"")
            }
        case "UID":
            guard let name = selected, let folder = folders[name] else { return send("\(tag) BAD nothing is open") }
            if rest.hasPrefix("SEARCH") { search(rest, folder, tag) } else { fetch(rest, folder) }
        case "IDLE":
            idleTag = tag
            send("+ idling")
            if announcesInIdle { announceMail() }
            return
        case "LOGOUT": send("* BYE see you")
        case "NOOP", "ID", "COMPRESS": break
        default: return send("\(tag) BAD unknown")
        }
        announceMail()
        send("\(tag) OK done")
    }

    /// Sends EXISTS and EXPUNGE, as servers do with the response to any command.
    private func announceMail() {
        guard !isSilent, let selected, let count = folders[selected]?.mails.count, count != announced else { return }
        while announced > count {
            send("* 1 EXPUNGE")
            announced -= 1
        }
        if announced < count { send("* \(count) EXISTS") }
        announced = count
    }

    private func search(_ text: String, _ folder: Folder, _ tag: String) {
        var range = UIDSet(UID.min...UID.max)
        let words = text.split(separator: " ").map(String.init)
        for (index, word) in words.enumerated() where word == "UID" && index + 1 < words.count {
            range = UIDSet(words[index + 1].replacing("*", with: "\(max(folder.mails.last?.uid ?? 1, 1))")) ?? range
        }
        let senders = text.components(behind: "FROM \"", upTo: "\"") + text.components(behind: "from:", upTo: " }\"")
        let after =
            text.components(behind: "after:", upTo: " ").first.flatMap { Int64($0) }.map(UnixTime.init(seconds:))
            ?? .epoch
        let since = text.components(behind: "SINCE ", upTo: " ").first
        let found = folder.mails.filter { mail in
            let header = String(decoding: mail.bytes.prefix { $0 != 0x0D }, as: UTF8.self)
            return range.contains(UID(exactly: mail.uid) ?? .max) && mail.date >= after
                && (since.map { Day(mail.date).isOnOrAfter($0) } ?? true)
                && (senders.isEmpty || senders.contains { header.contains($0) })
        }.map { "\($0.uid)" }
        if capabilities.contains("ESEARCH") {
            send("* ESEARCH (TAG \"\(tag)\") UID" + (found.isEmpty ? "" : " ALL " + found.joined(separator: ",")))
        } else {
            send("* SEARCH" + found.map { " " + $0 }.joined())
        }
    }

    private func fetch(_ text: String, _ folder: Folder) {
        let words = text.split(separator: " ")
        guard words.count > 2, let wanted = UIDSet(String(words[1])) else { return }
        let mails = Array(folder.mails.enumerated()).filter { wanted.contains(UID(exactly: $0.element.uid) ?? .max) }
        for (index, mail) in reversesFetch ? mails.reversed() : mails {
            var items = "UID \(mail.uid)"
            if text.contains("X-GM-MSGID") { items += " X-GM-MSGID \(mail.gmail)" }
            if text.contains("(MESSAGE-ID)") {
                let id = String(decoding: mail.bytes, as: UTF8.self).components(behind: "Message-ID: <", upTo: ">")
                    .first
                let field = (id.map { "Message-ID: <\($0)>\r\n" } ?? "") + "\r\n"
                items += " INTERNALDATE \"\(Day.wire(mail.date))\" RFC822.SIZE \(mail.bytes.count)"
                items += " BODY[HEADER.FIELDS (MESSAGE-ID)] {\(field.utf8.count)}\r\n\(field)"
            }
            guard text.contains("BODY.PEEK[]") else {
                send("* \(index + 1) FETCH (\(items))")
                continue
            }
            output += Array(
                "* \(index + 1) FETCH (\(items) INTERNALDATE \"\(Day.wire(mail.date))\" RFC822.SIZE \(mail.bytes.count) BODY[]<0> {\(mail.bytes.count)}\r\n"
                    .utf8)
            output += mail.bytes
            output += Array(")\r\n".utf8)
        }
    }
}
