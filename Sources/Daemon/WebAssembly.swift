import Chronology
import Glibc
import Ingest
import Logging
import Processes
import ServiceLifecycle
import Settings
import Store
import Web

extension Assembly {
    func webService(_ certificate: ServerCertificate?, _ systemd: SystemdNotifier) throws -> any Service {
        let server = WebServer(url: settings.web.url, certificate: certificate?.fingerprint)
        var services = WebServices(
            store: store, profiles: { [profiles] in profiles.current },
            mailboxes: settings.mailboxes.map(\.name) + settings.maildirs.map(\.name),
            version: ProgramVersion.number, logger: logger, access: settings.web.policy)
        services.profileFolders = settings.parsers
        services.activatedTemplates = settings.activatedTemplates
        services.mailActions = mailActions
        let phone = SMSIntake(
            store: store, profiles: { [profiles] in profiles.current }, decisions: settings.decisions)
        services.recordSMS = { try phone.record($0) }
        if settings.decisions.keepsRaw {
            let upload = UploadIntake(
                store: store, profiles: { [profiles] in profiles.current }, decisions: settings.decisions)
            services.recordMails = { try upload.record($0, named: $1) }
        }
        services.previewReplay = { [store, settings] bank, files in
            try ReplayPreviews(store: store, settings: settings).preview(of: bank, with: files)
        }
        services.accountsChanged = { [accounts] in accounts.refresh() }
        let startLink: @Sendable (Int64) -> String = { [services] user in
            services.makeStartLink(at: server.url, for: user)
        }
        return try WebApplication.make(
            host: settings.web.host, port: settings.web.port, services: services, certificate: certificate,
            onServerRunning: { _ in
                systemd.ready("serving")
                await reportServing(server, startLink)
            })
    }

    /// Decisions about retained mails by the profiles in force and the authentication policy of each mailbox.
    private var mailActions: MailActions {
        let retained: @Sendable () throws -> RetainedMails = { [store, profiles, settings] in
            try RetainedMails(store, profiles.current, settings)
        }
        return MailActions(
            release: { id, actor, group in try retained().release(id, by: actor, group: group)?.outcome },
            decideAgain: { try retained().decideAgain($0) })
    }

    /// - Parameter startLink: makes the link by which a user sets the first passphrase.
    private func reportServing(_ server: WebServer, _ startLink: @Sendable (Int64) -> String) async {
        var metadata: Logger.Metadata = ["url": "\(server.url)"]
        if let certificate = server.certificate { metadata["certificate.sha256"] = "\(certificate)" }
        logger.info("serving", metadata: metadata)
        // For 'parserctl pair' and 'parserctl status'. Serving does not depend on it.
        do {
            let (canLogIn, owner) = try await onThread {
                Result {
                    try store.access.setWebServer(server, at: .now)
                    return (try store.access.hasLoginSecret(), try store.access.firstOwner().id)
                }
            }.get()
            if !canLogIn, settings.web.asksForLogin {
                logger.notice("no passphrase is set, so no login is possible: run 'parserctl passphrase set'")
                // Not through the logger: the link is for whoever started the program, and it is valid for an hour.
                StandardError.write("To set the passphrase in a browser, open within an hour: \(startLink(owner))\n")
            }
        } catch {
            logger.warning("address not recorded for parserctl", metadata: ["reason": "\(error)"])
        }
    }
}
