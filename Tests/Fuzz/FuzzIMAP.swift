import Chronology
import Deflate
import IMAP

/// Plays the input as the answers of a server.
///
/// The first line names what the client does, in order, with the capabilities in upper case and the bytes of a read as
/// a number: `IDLE ESEARCH 7 examine search fetch`. Words that mean nothing are skipped. The rest is sent as it is.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    let line = bytes.prefix { $0 != 10 }
    let words = line.split(separator: 32).map { String(decoding: $0, as: UTF8.self) }
    let answers = Array(bytes.dropFirst(line.count + 1))
    logIn(answers)
    let server = Server(
        bytes: answers[...], piece: words.compactMap { Int($0) }.first { $0 > 0 } ?? .max,
        known: words.filter { $0.first?.isUppercase == true })
    do {
        var session = try Session(over: DeflateStream(server), maximumMessageBytes: longestMessage)
        for word in words.prefix(mostSteps) {
            do { try step(word, &session) } catch { check(error) }
            if session.isOver { return 0 }
        }
        session.logout()
    } catch { check(error) }
    return 0
}

fileprivate let longestMessage = 1000
fileprivate let mostSteps = 12

fileprivate func step(_ word: String, _ session: inout Session<DeflateStream<Server>>) throws {
    switch word {
    case "compress": try session.compress()
    case "examine": _ = try session.examine(.inbox)
    case "fetch": try fetch(&session)
    case "folder": _ = try session.folder(for: "\\All")
    case "folders": _ = try session.folders()
    case "gmail": _ = try session.gmailMessageIDs(of: wanted)
    case "idle": _ = try session.idle()
    case "identities": _ = try session.identities(of: wanted)
    case "noop": try session.noop()
    case "pause": _ = try session.pause(for: .seconds(60))
    case "search": try search(&session)
    case "sections": _ = try session.sections(["1", "1.MIME"], of: .min)
    case "status": _ = try session.status(of: [.inbox, FolderName("Œuvres")])
    case "structure": _ = try session.structure(of: .min)
    case "wait": _ = try session.waitForChange(poll: .seconds(60))
    default: break
    }
}

fileprivate let wanted: UIDSet = {
    guard let set = UIDSet("1:4,7,9:12") else { fatalError("a set that cannot be read") }
    return set
}()

/// No message is handed out twice, unasked or beyond the limit, and the batches end in order.
fileprivate func fetch(_ session: inout Session<DeflateStream<Server>>) throws {
    var pacing = FetchPacing()
    (pacing.batch, pacing.commands) = (3, 2)
    var seen = UIDSet()
    var done: UID?
    try session.fetch(wanted, pacing: pacing) { message in
        precondition(wanted.contains(message.uid) && !seen.contains(message.uid))
        precondition(message.bytes.count <= longestMessage)
        seen.insert(message.uid)
    } done: { batch in
        if let done { precondition(batch.through > done) }
        done = batch.through
        precondition(batch.missing.intersection(seen).isEmpty)
    }
    precondition(done == wanted.last)
}

fileprivate func search(_ session: inout Session<DeflateStream<Server>>) throws {
    guard let first = UID(3), let last = UID(4000) else { return }
    let found = try session.search(SearchCriteria(first: first, through: last, from: ["bank.example", "alerts@x"]))
    if let lowest = found.first, let highest = found.last { precondition(lowest >= first && highest <= last) }
    precondition(UIDSet(found.description) == (found.isEmpty ? nil : found))
}

/// The same bytes as the lines that libcurl reports of a login.
fileprivate func logIn(_ answers: [UInt8]) {
    var transcript = LoginTranscript()
    for line in answers.split(separator: 10).prefix(mostSteps) {
        Array(line).withUnsafeBytes { transcript.parse(line: $0) }
    }
    check(transcript.loginError(peer: "imap.example", user: "a@mail.example"))
}

/// An error is one line of a log: the server's text in it is clean.
fileprivate func check(_ error: any Error) {
    precondition(error is IMAPError)
    let text = "\(error)"
    precondition(!text.isEmpty && text.utf8.count < 2000)
    precondition(text.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 })
}

/// A server that answers with some bytes, in pieces, and then closes the connection.
fileprivate struct Server: ByteStream {
    var bytes: ArraySlice<UInt8>
    let piece: Int
    let capabilities: Capabilities?

    init(bytes: ArraySlice<UInt8>, piece: Int, known: [String]) {
        (self.bytes, self.piece) = (bytes, piece)
        capabilities = known.isEmpty ? nil : Capabilities(known)
    }

    mutating func read(
        into buffer: UnsafeMutableRawBufferPointer, deadline: Deadline, wakeable: Bool
    ) throws(IMAPError) -> ReadOutcome {
        guard !bytes.isEmpty else { return wakeable ? .woken : .closed }
        let count = min(piece, buffer.count, bytes.count)
        buffer.copyBytes(from: bytes.prefix(count))
        bytes = bytes.dropFirst(count)
        return .bytes(count)
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer, deadline: Deadline) throws(IMAPError) {}
}
