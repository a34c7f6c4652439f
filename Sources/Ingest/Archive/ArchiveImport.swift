public import InternetMessage
public import Ledger
import Profiles
public import Store

/// Books the bank mail of archives by the daemon's own code: the same decision, the same row, the same duplicates.
///
/// A mail's row is found again by what the mail is, not by where it stands: the same archive once more, grown or compacted, books nothing twice.
/// Each commit holds mails and how far the archive has been read, so a crash neither loses nor repeats one. For one thread.
public struct ArchiveImport {
    /// Mails per commit, and bytes of theirs that wait for it.
    static let batch = 256
    static let waitingBytes = 4 << 20
    /// Bytes read after which the place is noted although no mail was to be recorded.
    static let noteAfter: Int64 = 256 << 20

    let store: Store
    let intake: Intake
    let mailbox: String
    private let reader = MailReader()
    private var waiting: [MailEntry] = []
    private var waitingBytes = 0
    private var notedAt: Int64 = 0
    private var state: ImportState
    public private(set) var summary = ImportSummary()

    /// - Parameter mailbox: `import:` and a label.
    public init(store: Store, intake: Intake, mailbox: String) {
        self.store = store
        self.intake = intake
        self.mailbox = mailbox
        state = ImportState(mailbox: mailbox, root: "", authentication: intake.authentication.recorded)
    }

    /// Reads one archive to its end, or until `isStopped`, and commits what it read.
    ///
    /// - Parameters:
    ///   - root: absolute, or `-` for standard input, which cannot be taken up again.
    ///   - resumes: whether to begin where an import that was broken off ended.
    ///   - progress: is called for every mail and file.
    /// - Throws: what the database says. What cannot be read of the archive stands in ``ImportSummary/faults``.
    public mutating func run(
        _ root: String, resumes: Bool = true, isStopped: () -> Bool, progress: (ImportSummary) -> Void
    ) throws {
        state.root = root
        (state.file, state.identity, state.nextOffset, state.isFinished) = (nil, FileIdentity(), 0, false)
        if root == "-" {
            try read("-", FileIdentity(), from: 0, isDelivery: false, isStopped, progress)
            try commit(isFinished: !isStopped())
            return
        }
        var begun: ImportState?
        if resumes, let last = try store.imports.state(mailbox: mailbox, root: root), !last.isFinished,
            last.authentication == state.authentication
        {
            begun = last
        }
        var faults: [ArchiveFault] = []
        try ArchiveWalk(root: root).files(from: begun?.file) {
            faults.append($0)
        } each: { file in
            var offset: Int64 = 0
            if let last = begun, last.file == file.path, last.identity == file.identity { offset = last.nextOffset }
            summary.resumedBytes += offset
            summary.bytes += offset
            guard offset < file.identity.size else { return !isStopped() }
            do {
                try read(file.path, file.identity, from: offset, isDelivery: file.isDelivery, isStopped, progress)
            } catch let fault as ArchiveFault {
                faults.append(fault)
            }
            return !isStopped()
        }
        summary.faults += faults
        try commit(isFinished: !isStopped())
    }

    private mutating func read(
        _ path: String, _ identity: FileIdentity, from offset: Int64, isDelivery: Bool, _ isStopped: () -> Bool,
        _ progress: (ImportSummary) -> Void
    ) throws {
        (state.file, state.identity, state.nextOffset) = (path == "-" ? nil : path, identity, offset)
        var begin = offset
        let profiles = intake.profiles
        try reader.read(path, from: offset) { header in
            profiles.claim(Message(parsing: header)).sender.bank != nil
        } each: { mail in
            summary.mails += 1
            if mail.isWanted { try take(mail, receivedAt: isDelivery ? identity.modifiedAt / 1_000_000_000 : nil) }
            state.nextOffset = mail.end
            summary.bytes += mail.end - begin
            begin = mail.end
            if waiting.count >= Self.batch || waitingBytes >= Self.waitingBytes
                || summary.bytes - notedAt >= Self.noteAfter
            {
                try commit()
            }
            progress(summary)
            return !isStopped()
        }
        // Of a file that is one mail, and none of a bank, only the header was read.
        if !isStopped() {
            summary.bytes += max(0, identity.size - begin)
            state.nextOffset = max(identity.size, state.nextOffset)
        }
    }

    private mutating func take(_ mail: ArchivedMail, receivedAt: Int64?) throws {
        summary.fromBanks += 1
        let place = Intake.Place(mailbox: mailbox, folder: folder, uidValidity: 0, uid: 0)
        let cut = mail.isCut ? mail.size : nil
        var entry: MailEntry
        if mail.number > 0, let bytes = MboxSeparator.unquoted(mail.bytes) {
            entry = bytes.withUnsafeBytes {
                intake.entry(for: $0, at: place, receivedAt: receivedAt, truncatedFrom: cut)
            }
        } else {
            entry = intake.entry(for: mail.bytes, at: place, receivedAt: receivedAt, truncatedFrom: cut)
        }
        let identity = Message.identity(messageID: entry.messageID, contentDigest: entry.contentDigest ?? [])
        (entry.uidValidity, entry.uid) = (
            UInt32(truncatingIfNeeded: identity >> 32), UInt32(truncatingIfNeeded: identity)
        )
        // The archive itself keeps what is settled. What is to be booked may still wait, as a possible duplicate.
        entry.keepsSettled = false
        if ![.recorded, .review, .quarantined, .failed].contains(entry.decision.outcome) { entry.raw = nil }
        if entry.decision.outcome == .quarantined, let name = ImportSummary.authservID(in: mail.bytes) {
            summary.authservIDs[name, default: 0] += 1
        }
        waitingBytes += entry.raw?.count ?? 0
        waiting.append(entry)
    }

    /// The archive's name: a row for each of its files would make a tree of them unreadable in every list.
    private var folder: String { state.root.split(separator: "/").last.map(String.init) ?? state.root }

    private mutating func commit(isFinished: Bool = false) throws {
        state.isFinished = isFinished
        if isFinished { (state.file, state.nextOffset) = (nil, 0) }
        let recorded = try store.recording.record(
            waiting, redeciding: Outcome.redecidable, noting: state.root == "-" ? nil : .importing(state))
        for row in recorded { summary.add(row) }
        waiting.removeAll(keepingCapacity: true)
        waitingBytes = 0
        notedAt = summary.bytes
    }
}

/// What an import has done so far.
public struct ImportSummary: Sendable {
    /// Of the archives, resumed ones included.
    public internal(set) var bytes: Int64 = 0
    /// Of these, done by an import before this one.
    public internal(set) var resumedBytes: Int64 = 0
    public internal(set) var mails = 0
    public internal(set) var fromBanks = 0
    /// Rows that are new.
    public internal(set) var outcomes: [Outcome: Int] = [:]
    /// Mails that this label knew already.
    public internal(set) var known = 0
    /// Of these, decided anew: what they became.
    public internal(set) var changed: [Outcome: Int] = [:]
    /// The names in the topmost Authentication-Results of mails that are quarantined. The sender may have written them.
    public internal(set) var authservIDs: [String: Int] = [:]
    public internal(set) var faults: [ArchiveFault] = []

    /// Written so far, as rows of mails.
    public var rows: Int { outcomes.values.reduce(0, +) }

    mutating func add(_ row: RecordedMail) {
        if row.isNew { outcomes[row.outcome, default: 0] += 1 } else { known += 1 }
        if row.was != nil { changed[row.outcome, default: 0] += 1 }
    }

    /// `mx.google.com` of `Authentication-Results: mx.google.com; …`, where it is a plain name.
    static func authservID(in mail: UnsafeRawBufferPointer) -> String? {
        let header = mail.prefix(MailReader.headerEnd(mail) ?? 0)
        let name = Array("authentication-results:".utf8)
        for line in header.split(separator: 0x0A)
        where line.count > name.count && zip(line, name).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 }) {
            let value = line.dropFirst(name.count).drop { $0 == 0x20 }
                .prefix {
                    $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D
                }
            return value.isEmpty || value.count > 100 ? nil : String(decoding: value, as: UTF8.self).lowercased()
        }
        return nil
    }
}

extension AuthenticationPolicy {
    /// How it stands in the ledger, so that mail of an import is decided again as it was imported.
    public var recorded: String {
        switch self {
        case .pinned(let id): "authserv_id: " + id
        case .trustDelivery: "trust-delivery"
        case .unverified, .nobody: ""
        }
    }

    public init(recorded: String) {
        let prefix = "authserv_id: "
        self =
            recorded == "trust-delivery"
            ? .trustDelivery
            : recorded.hasPrefix(prefix) ? .pinned(authservID: String(recorded.dropFirst(prefix.count))) : .nobody
    }
}
