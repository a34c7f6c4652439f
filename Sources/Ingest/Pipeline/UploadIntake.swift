import Chronology
import InternetMessage
import Ledger
public import Profiles
public import Settings
public import Store

/// Records the mails of banks in a file that a person uploads, and leaves their decision to the mail reader: this
/// program asks no resolver, so it can prove no sender. The mails' own Authentication-Results do not count.
public struct UploadIntake: Sendable {
    /// Mails of a commit.
    private static let batch = 256
    /// Characters of a file's name.
    private static let nameLength = 100

    private let store: Store
    private let profiles: @Sendable () -> ProfileSet
    private let decisions: DecisionSettings

    /// - Parameters:
    ///   - profiles: returns the profiles in force.
    ///   - decisions: must keep mails, for the mail reader.
    public init(store: Store, profiles: @escaping @Sendable () -> ProfileSet, decisions: DecisionSettings) {
        self.store = store
        self.profiles = profiles
        self.decisions = decisions
    }

    /// - Parameters:
    ///   - file: one mail, or an mbox file.
    ///   - name: of the file; the folder of its mails.
    public func record(_ file: [UInt8], named name: String) throws -> UploadedMails {
        var intake = Intake(
            profiles: profiles(), rules: try store.bookingRules(), authentication: .uploaded, decisions: decisions)
        intake.signatures = LeftToMailReader()
        var (summary, waiting) = (UploadedMails(), [MailEntry]())
        try MailReader().read(file, named: name) { mail in
            guard mail.isMail else { return true }
            summary.mails += 1
            let bytes = mail.number > 0 ? MboxSeparator.unquoted(mail.bytes) ?? Array(mail.bytes) : Array(mail.bytes)
            guard intake.profiles.claim(Message(parsing: bytes)).sender.bank != nil else { return true }
            summary.fromBanks += 1
            let place = MailLocation(
                mailbox: MailLocation.upload, folder: String(name.prefix(Self.nameLength)), uidValidity: 0, uid: 0)
            var entry = intake.entry(
                for: bytes, at: place, receivedAt: nil, truncatedFrom: mail.isCut ? mail.size : nil)
            entry.numberByContent()
            waiting.append(entry)
            if waiting.count == Self.batch { try commit(&waiting, &summary) }
            return true
        }
        try commit(&waiting, &summary)
        return summary
    }

    private func commit(_ waiting: inout [MailEntry], _ summary: inout UploadedMails) throws {
        let recorded = try store.recording.record(waiting)
        summary.known += recorded.count { !$0.isNew || $0.outcome == .duplicate }
        let due = recorded.filter { $0.isNew && $0.outcome == .failed }.map(\.mailID)
        if !due.isEmpty { _ = try store.mailboxes.retryNow(due) }
        waiting.removeAll()
    }
}

extension AuthenticationPolicy {
    /// Of uploaded mails: only the own check of their signatures counts.
    static let uploaded = AuthenticationPolicy.verified(authservID: nil)
}

/// The finding of a program that looks up no key.
fileprivate struct LeftToMailReader: SignatureChecker {
    func finding(for message: Message, pinned: [PinnedKey], receivedAt: UnixTime?) -> SignatureFinding { .undecided }

    func finding(for message: Message, vouchedBy forwarders: [String], receivedAt: UnixTime?) -> ARCFinding {
        .notChecked
    }
}

/// The check of the signatures of uploaded mails. A mail without a signature, or with an expired one, waits for a
/// person, who knows where the file comes from. A signature that does not fit the mail is a fault, as for mails of a
/// mailbox.
struct UploadedSignatures: SignatureChecker {
    let base: any SignatureChecker

    func finding(for message: Message, pinned: [PinnedKey], receivedAt: UnixTime?) -> SignatureFinding {
        switch base.finding(for: message, pinned: pinned, receivedAt: receivedAt) {
        case .unsigned: .unverifiable(reason: .unsigned)
        case .fail(reason: .expired): .unverifiable(reason: .expired)
        case let finding: finding
        }
    }

    func finding(for message: Message, vouchedBy forwarders: [String], receivedAt: UnixTime?) -> ARCFinding {
        base.finding(for: message, vouchedBy: forwarders, receivedAt: receivedAt)
    }
}
