public import Chronology
import Dispatch
public import InternetMessage
public import Ledger
public import Profiles
public import Settings
public import Store
import Synchronization

/// Decides messages again whose bytes are in the ledger. No server is needed, and decisions of a person stay.
public struct RetainedMails: Sendable {
    public struct Summary: Sendable {
        public var examined = 0
        /// The new outcomes of messages that changed their outcome or draft.
        public var changed: [Outcome: Int] = [:]
        /// Mailboxes that are not in the configuration, so that their authentication policy is unknown.
        public var unknownMailboxes: Set<String> = []
    }

    /// Conditions that a message must meet; `nil` means none.
    public struct Selection: Sendable {
        public var ids: [String]?
        public var mailbox: String?
        public var bank: Bank?
        public var since: CalendarDate?

        public init(ids: [String]? = nil, mailbox: String? = nil, bank: Bank? = nil, since: CalendarDate? = nil) {
            (self.ids, self.mailbox, self.bank, self.since) = (ids, mailbox, bank, since)
        }
    }

    let store: Store
    let intake: Intake
    /// The authentication policy of each mailbox.
    let policies: [String: AuthenticationPolicy]

    /// - Parameter intake: its `authentication` is not used.
    public init(store: Store, intake: Intake, policies: [String: AuthenticationPolicy]) {
        self.store = store
        self.intake = intake
        self.policies = policies
    }

    /// The mails of a ledger by profiles, and the authentication policy of each mailbox.
    public init(_ store: Store, _ profiles: ProfileSet, _ settings: Settings) throws {
        self.init(
            store: store,
            intake: Intake(
                profiles: profiles, rules: try store.bookingRules(), authentication: .noTrustedServer,
                decisions: settings.decisions),
            policies: try Self.policies(settings, store))
    }

    /// Decides one message again.
    ///
    /// - Returns: its new outcome; `nil` if it or its draft stays.
    public func decideAgain(_ id: String) throws -> Outcome? {
        guard let before = try store.mails.find(id)?.outcome else { return nil }
        return try decideAgain([before], of: Selection(ids: [id])).changed.keys.first
    }

    /// The authentication policy of each mailbox: as configured, or as an archive was imported.
    public static func policies(_ settings: Settings?, _ store: Store) throws -> [String: AuthenticationPolicy] {
        var policies = try store.imports.authentication().mapValues { AuthenticationPolicy(recorded: $0) }
        policies[MailLocation.phone] = .phone(books: settings?.booksSMS ?? false)
        policies[MailLocation.upload] = .uploaded
        for mailbox in settings?.mailboxes ?? [] {
            policies[mailbox.name] = AuthenticationPolicy(mailbox.authentication)
        }
        for mailbox in settings?.maildirs ?? [] {
            policies[mailbox.name] = AuthenticationPolicy(mailbox.authentication)
        }
        // The configuration has precedence, as in the mail reader.
        for mailbox in try store.mailboxSetups.added() where policies[mailbox.name] == nil {
            policies[mailbox.name] = AuthenticationPolicy(mailbox.authentication)
        }
        return policies
    }

    /// The bank with this key.
    public func bank(_ key: String) -> Bank? { intake.profiles.banks.first { $0.key == key } }

    /// Decides again, several messages per commit. After an interruption the commits stay, and the next call does the
    /// rest.
    public func decideAgain(
        _ outcomes: Set<Outcome>, of selection: Selection = Selection(), isStopped: () -> Bool = { false },
        progress: (Summary) -> Void = { _ in }
    ) throws -> Summary {
        var summary = Summary()
        summary.unknownMailboxes = try eachEntry(outcomes, of: selection, isStopped: isStopped) { entries in
            for row in try store.recording.record(entries.map(\.entry), redeciding: outcomes)
            where row.was != nil || (row.isNew && row.outcome != .failed) {
                summary.changed[row.outcome, default: 0] += 1
            }
            summary.examined += entries.count
            progress(summary)
        }
        return summary
    }

    /// Calls `body` with retained messages, decided by the profiles and each mailbox's own authentication policy, in
    /// groups.
    ///
    /// - Returns: mailboxes that are not in the configuration; their messages are left out.
    func eachEntry(
        _ outcomes: Set<Outcome>, of selection: Selection, isStopped: () -> Bool,
        _ body: ([(row: MailRow, entry: MailEntry)]) throws -> Void
    ) throws -> Set<String> {
        var unknown: Set<String> = []
        try store.rescans.retainedMails(
            outcomes, ids: selection.ids, bank: selection.bank.map { ($0.key, $0.domains) },
            arrived: (selection.mailbox, selection.since)
        ) { mails in
            if isStopped() { return }
            let known = mails.filter { policies[$0.row.mailbox] != nil }
            if known.count < mails.count {
                unknown.formUnion(mails.lazy.map(\.row.mailbox).filter { policies[$0] == nil })
            }
            try body(decided(known))
        }
        return unknown
    }

    /// The messages with their entries, decided on all cores.
    private func decided(_ mails: [RetainedMail]) -> [(row: MailRow, entry: MailEntry)] {
        let slices = min(RecordingWorkers.cores, mails.count)
        let found = Mutex<[Int: [MailEntry]]>([:])
        DispatchQueue.concurrentPerform(iterations: slices) { [self] slice in
            let range = mails.count * slice / slices..<mails.count * (slice + 1) / slices
            let entries = mails[range].map(entry)
            found.withLock { $0[slice] = entries }
        }
        let entries = found.withLock { found in (0..<slices).flatMap { found[$0] ?? [] } }
        return zip(mails, entries).map { ($0.row, $1) }
    }

    private func entry(of mail: RetainedMail) -> MailEntry {
        var intake = intake
        intake.decisions.keepsRaw = false
        intake.authentication = policies[mail.row.mailbox] ?? .noTrustedServer
        if mail.row.mailbox == MailLocation.upload {
            intake.signatures = UploadedSignatures(base: intake.signatures)
        }
        // What was proven once stays proven: keys disappear, and reduced mail has no signature.
        switch AuthenticationWord(of: mail.authentication) {
        case .pass: intake.signatures = ProvenBefore()
        case .vouched:
            // But not by a forwarder that is named no more.
            if let forwarder = AuthenticationVerdict.forwarder(inDescription: mail.authentication),
                intake.authentication.forwarders.contains(forwarder)
            {
                intake.signatures = VouchedBefore(forwarder: forwarder)
            }
        default: break
        }
        let place = MailLocation(
            mailbox: mail.row.mailbox, folder: mail.row.folder, uidValidity: mail.row.uidValidity, uid: mail.row.uid)
        return intake.entry(for: mail.bytes, at: place, receivedAt: mail.receivedAt)
    }
}

/// The finding for a message that an earlier decision authenticated.
fileprivate struct ProvenBefore: SignatureChecker {
    func finding(for message: Message, pinned: [PinnedKey], receivedAt: UnixTime?) -> SignatureFinding { .pass }
}

/// The findings for a message for which a forwarder vouched in an earlier decision: its own signature did not count
/// then.
fileprivate struct VouchedBefore: SignatureChecker {
    let forwarder: String

    func finding(for message: Message, pinned: [PinnedKey], receivedAt: UnixTime?) -> SignatureFinding {
        .unverifiable(reason: .keyMissing)
    }

    func finding(for message: Message, vouchedBy forwarders: [String], receivedAt: UnixTime?) -> ARCFinding {
        .vouched(forwarder: forwarder)
    }
}
