public import Logging
public import Settings
public import Store

extension AddedMailboxes {
    /// Reads the mailboxes that were added on the page, and makes the rows of the ledger those of the file. Problems
    /// are logged and stored with the mailbox; they stop no other one.
    public func load(beside settings: Settings, into store: Store, logger: Logger) -> [MailboxSettings] {
        do {
            let (mailboxes, problems) = try read(beside: settings)
            for problem in problems {
                logger.error("mailbox of the page not read", metadata: ["reason": "\(problem.error)"])
            }
            let known = try store.mailboxSetups.added()
            let unread = problems.compactMap { problem in
                problem.name.map { name in
                    var row =
                        known.first { $0.name == name }
                        ?? AddedMailbox(
                            name: name, host: "", user: "", folders: [], sinceDays: 1, authservID: nil,
                            verifies: true)
                    row.problem = "\(problem.error)"
                    return row
                }
            }
            try store.mailboxSetups.setAdded(unread + mailboxes.map { AddedMailbox($0) })
            return mailboxes
        } catch {
            logger.error("mailboxes of the page not read", metadata: ["reason": "\(error)"])
            return []
        }
    }
}
