public import InternetMessage
public import Ledger
public import Profiles
public import Store

/// Decides mails again whose bytes are kept in the ledger: no server is needed, and what a person settled stays.
public struct KeptMails {
    public struct Summary: Sendable {
        public var lookedAt = 0
        /// What mails became that are now something else, or another draft.
        public var changed: [Outcome: Int] = [:]
        /// Mailboxes that the configuration does not know: nobody says whose word on authenticity counts there.
        public var unknownMailboxes: Set<String> = []
    }

    let store: Store
    let intake: Intake
    /// Whose word counts, by mailbox.
    let policies: [String: AuthenticationPolicy]

    /// - Parameter intake: its `authentication` is not used.
    public init(store: Store, intake: Intake, policies: [String: AuthenticationPolicy]) {
        self.store = store
        self.intake = intake
        self.policies = policies
    }

    /// A bank of the profiles in force here.
    public func bank(_ key: String) -> Bank? { intake.profiles.banks.first { $0.key == key } }

    /// One commit for some mails at a time; broken off, what was committed stays, and the rest is looked at the next time.
    public func decideAgain(
        _ outcomes: Set<Outcome>, ids: [String]? = nil, mailbox: String? = nil, bank: Bank? = nil, since: String? = nil,
        isStopped: () -> Bool = { false },
        progress: (Summary) -> Void = { _ in }
    ) throws -> Summary {
        var summary = Summary()
        var intake = intake
        intake.keepsRaw = false
        try store.rescans.retainedMails(
            outcomes, ids: ids, mailbox: mailbox, bank: bank.map { ($0.key, $0.domains) }, since: since
        ) { mails in
            if isStopped() { return }
            var entries: [MailEntry] = []
            for mail in mails {
                guard let policy = policies[mail.row.mailbox] else {
                    summary.unknownMailboxes.insert(mail.row.mailbox)
                    continue
                }
                intake.authentication = policy
                let place = Intake.Place(
                    mailbox: mail.row.mailbox, folder: mail.row.folder, uidValidity: mail.row.uidValidity,
                    uid: mail.row.uid)
                entries.append(
                    mail.bytes.withUnsafeBytes { intake.entry(for: $0, at: place, receivedAt: mail.receivedAt) })
            }
            for row in try store.recording.record(entries, redeciding: outcomes)
            where row.was != nil || (row.isNew && row.outcome != .failed) {
                summary.changed[row.outcome, default: 0] += 1
            }
            summary.lookedAt += entries.count
            progress(summary)
        }
        return summary
    }
}
