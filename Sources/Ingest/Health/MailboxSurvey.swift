public import Chronology
public import CurlTransport
import Deflate
import IMAP
import InternetMessage
public import Profiles
public import Settings

/// The contents of a folder that decide about its configuration: which banks wrote, and which server checked their
/// mails. Only headers are read, and no flag changes.
public struct MailboxSurvey: Sendable {
    /// The mails of one bank.
    public struct Sender: Sendable {
        public let bank: String
        public fileprivate(set) var count: Int
        /// The time of arrival of the newest one.
        public fileprivate(set) var newest: UnixTime?

        fileprivate mutating func add(_ arrived: UnixTime?) {
            count += 1
            if let arrived { newest = max(arrived, newest ?? arrived) }
        }
    }

    /// The folder as the server names it.
    public let folder: String
    /// Number of mails in the folder.
    public let messages: Int
    /// Banks with mails in the surveyed days, the most frequent first.
    public let senders: [Sender]
    /// Number of mails of banks; ``senders`` counts the newest ``maximumMails`` of them.
    public let bankMails: Int
    /// Authserv-ids that would confirm mails, the best first.
    public let proposals: [AuthservProposal]
    /// The folders that can be opened; empty if they were not asked for.
    public let folders: [String]

    /// The authserv-id to use unless a person knows better; `nil` if signatures have to be verified here.
    public func proposed(of provider: EmailProvider?) -> String? {
        // A name that confirms few mails is for a person to judge.
        guard let best = proposals.first, best.confirmed * 2 >= best.of else { return provider?.authservID }
        return best.authservID
    }

    /// Largest number of mails whose headers are read: a few seconds on a slow line.
    public static let maximumMails = 1000
    /// Number of mails of any sender that are read if no bank wrote.
    static let otherMails = 25
}

/// The folder does not exist, or cannot be opened.
public struct MissingFolder: Error, Sendable, CustomStringConvertible {
    public let name: String
    /// The folders that can be opened.
    public let folders: [String]

    public var description: String {
        "there is no folder '\(name)'; the mailbox has: "
            + (folders.isEmpty ? "none" : folders.map { "'\($0)'" }.joined(separator: ", "))
    }
}

extension MailboxCheck {
    /// Logs in, opens the first folder and reads headers of its mails. Blocks.
    ///
    /// - Parameters:
    ///   - candidates: authserv-ids that are proposed if they confirm mails.
    ///   - listing: asks for the names of the folders, too.
    /// - Throws: ``MissingFolder``, or the fault of the connection or of the login.
    public func survey(
        _ credential: Credential, profiles: ProfileSet, candidates: [String], listing: Bool = false
    ) throws -> MailboxSurvey {
        var session = try open(
            DeflateStream(try CurlConnection(to: settings.endpoint, credential: credential, wake: wake)))
        let survey = try survey(&session, profiles, candidates, listing)
        session.logout()
        return survey
    }

    /// Does the same with a password that is in no file yet.
    public func survey(
        password: [UInt8], profiles: ProfileSet, candidates: [String], listing: Bool = false
    ) throws -> MailboxSurvey {
        let credential = Credential(
            user: settings.user, secret: .password(password), mechanism: settings.mechanism)
        return try survey(credential, profiles: profiles, candidates: candidates, listing: listing)
    }

    private func survey<Stream: ByteStream & ~Copyable>(
        _ session: inout Session<Stream>, _ profiles: ProfileSet, _ candidates: [String],
        _ listing: Bool
    ) throws -> MailboxSurvey {
        let (folder, selected) = try examineFirst(&session)
        let since = UnixTime.now - Int64(settings.sinceDays) * 86400
        // SEARCH compares without regard to the zone.
        let day = Day(since - 86400)
        let found = try session.search(
            SearchCriteria(first: .min, from: profiles.senderDomains, since: day, sinceInstant: since))
        var mails = try headers(of: Self.newest(found, MailboxSurvey.maximumMails), &session)
        var senders: [String: MailboxSurvey.Sender] = [:]
        var bankMails: [Message] = []
        for mail in mails {
            guard let bank = profiles.claim(mail.message).sender.bank else { continue }
            bankMails.append(mail.message)
            senders[bank.key, default: .init(bank: bank.name, count: 0)].add(mail.arrived)
        }
        let isComplete = found.count <= MailboxSurvey.maximumMails
        if bankMails.isEmpty {
            let others = try session.search(SearchCriteria(first: .min, since: day))
            mails = try headers(of: Self.newest(others, MailboxSurvey.otherMails), &session)
        }
        return MailboxSurvey(
            folder: folder, messages: selected.exists,
            senders: senders.values.sorted { ($1.count, $0.bank) < ($0.count, $1.bank) },
            bankMails: isComplete ? bankMails.count : found.count,
            proposals: AuthservProposal.all(
                for: bankMails.isEmpty ? mails.map(\.message) : bankMails, candidates: candidates),
            folders: listing ? try session.folders().map(\.name) : [])
    }

    /// Opens the first folder of the configuration, or throws with the list of all.
    private func examineFirst<Stream: ByteStream & ~Copyable>(
        _ session: inout Session<Stream>
    ) throws -> (String, Selected) {
        let wanted = settings.folders.first ?? "INBOX"
        do {
            let name = try session.folders(named: [wanted]).first ?? wanted
            return (name, try session.examine(FolderName(name)))
        } catch let fault as IMAPError {
            guard fault.kind == .refused, !session.isOver else { throw fault }
            throw MissingFolder(name: wanted, folders: try session.folders().map(\.name))
        }
    }

    /// The fields that name the sender and the check of the provider.
    private func headers<Stream: ByteStream & ~Copyable>(
        of uids: UIDSet, _ session: inout Session<Stream>
    ) throws(IMAPError) -> [(message: Message, arrived: UnixTime?)] {
        guard !uids.isEmpty else { return [] }
        return try session.identities(of: uids, fields: ["FROM", "RECEIVED", "AUTHENTICATION-RESULTS"]).map {
            (Message(parsing: $0.header), $0.internalDate?.instant)
        }
    }

    private static func newest(_ uids: UIDSet, _ count: Int) -> UIDSet { UIDSet(Array(uids).suffix(count)) }
}
