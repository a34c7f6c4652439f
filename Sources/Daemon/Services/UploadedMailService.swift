import Ingest
import InternetMessage
import Ledger
import Logging
import Processes
import ServiceLifecycle
import Settings
import Store

/// Decides the mails that people upload on the page: the web role records them, and this role checks their signatures.
struct UploadedMailService: Service {
    let store: Store
    let settings: Settings
    let profiles: ProfilesInForce
    let logger: Logger

    /// Seconds between two queries. A person waits for the result.
    private static let interval = 3.0

    func run() async throws {
        let isStopped = StopFlag()
        let fault = PollFault()
        await withGracefulShutdownHandler {
            for await _ in Ticks(seconds: Self.interval).cancelOnGracefulShutdown() {
                if let reason = fault.new(in: await onThread { Result { try decide(isStopped) } }) {
                    logger.warning("uploaded mails not decided", metadata: ["reason": "\(reason)"])
                }
            }
        } onGracefulShutdown: {
            isStopped.raise()
        }
    }

    private func decide(_ isStopped: StopFlag) throws {
        let due = try store.mailboxes.dueRetries(ofMailbox: MailLocation.upload)
        if due.isEmpty { return }
        let intake = Intake(
            profiles: profiles.current, rules: try store.bookingRules(), authentication: .noTrustedServer,
            decisions: settings.decisions)
        let mails = RetainedMails(
            store: store, intake: intake, policies: try RetainedMails.policies(settings, store))
        let summary = try mails.decideAgain(
            [.failed], of: .init(ids: due, mailbox: MailLocation.upload), isStopped: { isStopped.isRaised })
        logger.info("decided uploaded mails", metadata: ["mails": "\(summary.examined)"])
    }
}
