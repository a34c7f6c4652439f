internal import InternetMessage
import Ledger
public import Store

/// The latest mails of banks in one mailbox, all quarantined: a sign of a wrong `authserv_id`.
public struct QuarantineRun: Hashable, Sendable {
    public struct Name: Hashable, Sendable {
        public var authservID: String
        public var mails: Int
    }

    public var mailbox: String
    public var mails: Int
    /// The names in the topmost Authentication-Results of these mails, the most frequent first. A sender can forge one.
    public var names: [Name]
    /// False for a mailbox of the configuration file.
    public var isAddedOnPage = false

    /// Minimum length. Forged mail comes singly or between genuine mail.
    static let minimum = 5
    /// The number of mails that are examined.
    static let window = 40
}

extension ReviewService {
    /// The mailboxes whose latest mails of banks are all quarantined. Parses mails only if there is such a mailbox.
    public func quarantineRuns() throws(StoreError) -> [QuarantineRun] {
        let latest = try store.mails.latest(
            [.quarantined, .recorded, .review, .duplicate, .ignored], limit: QuarantineRun.window)
        var boxes: [String] = []
        var runs: [String: [MailRow]] = [:]
        var ended: Set<String> = []
        for mail in latest {
            if runs[mail.mailbox] == nil {
                boxes.append(mail.mailbox)
                runs[mail.mailbox] = []
            }
            if mail.outcome != .quarantined { ended.insert(mail.mailbox) }
            if !ended.contains(mail.mailbox) { runs[mail.mailbox]?.append(mail) }
        }
        var result: [QuarantineRun] = []
        for box in boxes {
            guard let mails = runs[box], mails.count >= QuarantineRun.minimum else { continue }
            var counts: [String: Int] = [:]
            for mail in mails {
                guard let bytes = try store.mails.raw(ofMail: mail.id), let name = Message(parsing: bytes).authservID
                else { continue }
                counts[name, default: 0] += 1
            }
            let names = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3).map {
                QuarantineRun.Name(authservID: $0.key, mails: $0.value)
            }
            result.append(QuarantineRun(mailbox: box, mails: mails.count, names: Array(names)))
        }
        if result.isEmpty { return [] }
        // One whose name the configuration has, too, is not read as the page added it.
        let added = Set(try store.mailboxSetups.added().filter { $0.problem == nil }.map(\.name))
        for index in result.indices { result[index].isAddedOnPage = added.contains(result[index].mailbox) }
        return result
    }
}
