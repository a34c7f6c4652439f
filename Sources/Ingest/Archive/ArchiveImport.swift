import Chronology
public import InternetMessage
public import Ledger
import Profiles
public import Store

/// Imports the bank mail of archives with the daemon's code: the same decisions, rows and duplicates.
///
/// A message is identified by its content, not by its place: importing the same archive again, grown or compacted,
/// books nothing twice. Each commit contains messages and the position in the archive, so a crash neither loses nor
/// repeats one. For one thread.
public struct ArchiveImport {
    /// Messages per commit, and retained bytes that wait for it.
    static let batch = 256
    static let waitingBytes = 4 << 20
    /// Bytes read after which the position is committed without any message.
    static let noteAfter: Int64 = 256 << 20

    let store: Store
    let intake: Intake
    let mailbox: String
    private let reader: MailReader
    private var waiting: [MailEntry] = []
    /// Names of the waiting messages, if they are reported.
    private var names: [String] = []
    private var waitingBytes = 0
    private var notedAt: Int64 = 0
    private var state: ImportState
    public private(set) var summary = ImportSummary()
    /// Called for every message of a bank after its commit.
    public var onRecord: ((_ name: String, MailEntry, RecordedMail) -> Void)?

    /// - Parameters:
    ///   - mailbox: `import:` and a label.
    ///   - unpack: opens packed files; without it they are read as they are.
    public init(store: Store, intake: Intake, mailbox: String, unpack: Unpack? = nil) {
        reader = MailReader(unpack: unpack)
        self.store = store
        self.intake = intake
        self.mailbox = mailbox
        state = ImportState(mailbox: mailbox, root: "", authentication: intake.authentication.recorded)
    }

    /// Reads one archive to its end, or until `isStopped`, and commits what was read.
    ///
    /// - Parameters:
    ///   - root: an absolute path, or `-` for standard input, which cannot be resumed.
    ///   - resumes: continues an interrupted import.
    ///   - progress: called for every message and file.
    /// - Throws: errors of the database. Faults of the archive are in ``ImportSummary/faults``.
    public mutating func run(
        _ root: String, resumes: Bool = true, isStopped: () -> Bool, progress: (ImportSummary) -> Void
    ) throws {
        state.root = root
        let before = (mails: summary.mails, others: summary.otherCount)
        defer { refuse(root, since: before) }
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

    /// Notes an archive in which every file is something else than mail.
    private mutating func refuse(_ root: String, since before: (mails: Int, others: Int)) {
        let count = summary.otherCount - before.others
        guard count > 0, summary.mails == before.mails else { return }
        let itself = summary.lastOther.flatMap { $0.path == root ? $0 : nil }
        summary.faults.append(
            itself ?? ArchiveFault(root, "holds no mail: \(count) files in it are something else"))
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
            if mail.isMail {
                summary.mails += 1
            } else {
                summary.addOther(mail.name(in: path), MailSigns.objection(to: mail.bytes))
            }
            if mail.isWanted {
                try add(mail, path, receivedAt: isDelivery ? identity.modificationTime : nil)
            }
            // A packed file cannot be read from its middle.
            if mail.member == nil { state.nextOffset = mail.end }
            summary.bytes += max(0, mail.end - begin)
            begin = max(begin, mail.end)
            if waiting.count >= Self.batch || waitingBytes >= Self.waitingBytes
                || summary.bytes - notedAt >= Self.noteAfter
            {
                try commit()
            }
            progress(summary)
            return !isStopped()
        }
        // If the file is one message and not from a bank, only the header was read.
        if !isStopped() {
            summary.bytes += max(0, identity.size - begin)
            state.nextOffset = max(identity.size, state.nextOffset)
        }
    }

    private mutating func add(_ mail: ArchivedMail, _ path: String, receivedAt: UnixTime?) throws {
        summary.fromBanks += 1
        let place = MailLocation(mailbox: mailbox, folder: folder, uidValidity: 0, uid: 0)
        let cut = mail.isCut ? mail.size : nil
        var entry: MailEntry
        if mail.number > 0, let bytes = MboxSeparator.unquoted(mail.bytes) {
            entry = bytes.withUnsafeBytes {
                intake.entry(for: $0, at: place, receivedAt: receivedAt, truncatedFrom: cut)
            }
        } else {
            entry = intake.entry(for: mail.bytes, at: place, receivedAt: receivedAt, truncatedFrom: cut)
        }
        entry.numberByContent()
        if entry.decision.outcome == .quarantined, let name = Message(parsing: mail.bytes).authservID {
            summary.authservIDs[name, default: 0] += 1
        }
        waitingBytes += entry.raw?.count ?? 0
        waiting.append(entry)
        if onRecord != nil { names.append(mail.name(in: path)) }
    }

    /// The name of the archive. One folder per file would make every list of a large tree unreadable.
    private var folder: String { state.root.split(separator: "/").last.map(String.init) ?? state.root }

    private mutating func commit(isFinished: Bool = false) throws {
        state.isFinished = isFinished
        if isFinished { (state.file, state.nextOffset) = (nil, 0) }
        let recorded = try store.recording.record(
            waiting, redeciding: Outcome.redecidable, noting: state.root == "-" ? nil : .importing(state))
        for row in recorded { summary.add(row) }
        if let onRecord {
            for (index, row) in recorded.enumerated() { onRecord(names[index], waiting[index], row) }
            names.removeAll(keepingCapacity: true)
        }
        waiting.removeAll(keepingCapacity: true)
        waitingBytes = 0
        notedAt = summary.bytes
    }
}

extension MailEntry {
    /// Gives the mail of a file the numbers of its content: it has no others, and the same mail has the same place.
    mutating func numberByContent() {
        let identity = Message.identity(messageID: messageID, contentDigest: contentDigest ?? [])
        (location.uidValidity, location.uid) = (
            UInt32(truncatingIfNeeded: identity >> 32), UInt32(truncatingIfNeeded: identity)
        )
    }
}

/// The result of an import so far.
public struct ImportSummary: Sendable {
    /// Bytes of the archives, resumed parts included.
    public internal(set) var bytes: Int64 = 0
    /// Bytes read by an earlier import.
    public internal(set) var resumedBytes: Int64 = 0
    public internal(set) var mails = 0
    public internal(set) var fromBanks = 0
    /// New rows.
    public internal(set) var outcomes: [Outcome: Int] = [:]
    /// Messages recorded before under this label.
    public internal(set) var known = 0
    /// New outcomes of recorded messages.
    public internal(set) var changed: [Outcome: Int] = [:]
    /// The names in the topmost Authentication-Results of quarantined messages. The sender may have forged them.
    public internal(set) var authservIDs: [String: Int] = [:]
    public internal(set) var faults: [ArchiveFault] = []
    /// Files that are no mail: their number, and the first of them with the reasons.
    public private(set) var otherCount = 0
    public private(set) var others: [ArchiveFault] = []
    fileprivate private(set) var lastOther: ArchiveFault?

    /// New rows in total.
    public var rows: Int { outcomes.values.reduce(0, +) }

    mutating func addOther(_ path: String, _ objection: String) {
        otherCount += 1
        let fault = ArchiveFault(path, objection)
        lastOther = fault
        if others.count < Self.shownOthers { others.append(fault) }
    }

    /// The number of files that are no mail that are named.
    private static let shownOthers = 5

    mutating func add(_ row: RecordedMail) {
        if row.isNew { outcomes[row.outcome, default: 0] += 1 } else { known += 1 }
        if row.was != nil { changed[row.outcome, default: 0] += 1 }
    }
}

extension AuthenticationPolicy {
    /// The form in the ledger, so that imported messages are decided again under the same policy.
    public var recorded: String {
        switch self {
        case .pinned(let id, let forwarders): Self.recorded(forwarders) + "authserv_id: " + id
        case .trustDelivery: "trust-delivery"
        case .verified(let id, let forwarders):
            Self.recorded(forwarders) + "verify" + (id.map { ", authserv_id: " + $0 } ?? "")
        case .unverified, .noTrustedServer, .phone: ""
        }
    }

    /// Domains contain neither a space nor a comma.
    private static func recorded(_ forwarders: [String]) -> String {
        forwarders.isEmpty ? "" : "arc_forwarders: " + forwarders.joined(separator: " ") + ", "
    }

    public init(recorded: String) {
        let words = recorded.split(separator: "authserv_id: ", maxSplits: 1, omittingEmptySubsequences: false)
        let id = words.count == 2 ? String(words[1]) : nil
        var mode = words[0]
        var forwarders: [String] = []
        if mode.hasPrefix("arc_forwarders: "), let comma = mode.firstIndex(of: ",") {
            forwarders = mode[..<comma].split(separator: " ").dropFirst().map(String.init)
            mode = mode[mode.index(after: comma)...].drop { $0 == " " }
        }
        self =
            switch (mode, id) {
            case ("trust-delivery", nil): .trustDelivery
            case ("verify", nil): .verified(authservID: nil, forwarders: forwarders)
            case ("verify, ", let id?): .verified(authservID: id, forwarders: forwarders)
            case ("", let id?): .pinned(authservID: id, forwarders: forwarders)
            default: .noTrustedServer
            }
    }
}
