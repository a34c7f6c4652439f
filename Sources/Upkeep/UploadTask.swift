import Ingest
import Ledger
import Logging
import Store

/// Decides the mails that people upload on the page: the web role records them, and this one checks their signatures.
struct UploadTask: UpkeepTask {
    private let context: UpkeepContext

    /// A person waits for the result.
    let schedule = UpkeepSchedule(interval: 3, followsChanges: true)
    let failure = "uploaded mails not decided"

    init(_ context: UpkeepContext) { self.context = context }

    func run(isStopped: () -> Bool) throws {
        let store = context.store
        let due = try store.mailboxes.dueRetries(ofMailbox: MailLocation.upload)
        if due.isEmpty { return }
        let mails = try RetainedMails(store, context.profiles.current, context.settings)
        let summary = try mails.decideAgain(
            [.failed], of: .init(ids: due, mailbox: MailLocation.upload), isStopped: isStopped)
        context.logger.info("decided uploaded mails", metadata: ["mails": "\(summary.examined)"])
    }
}
