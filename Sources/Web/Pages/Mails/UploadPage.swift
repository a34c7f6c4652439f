import Hummingbird
import Store

/// The upload of saved mails on the page of the mailboxes.
enum UploadPage {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.upload("/app/mailboxes/upload", on: router) { call, file in
            guard let record = pages.services.recordMails else {
                throw PageProblem.missing(PageText.of("missing.upload"))
            }
            let summary = try await pages.services.ledger { _ in try record(file.bytes, file.name) }
            guard summary.mails > 0 else {
                throw PageProblem(
                    status: .unprocessableContent, title: PageText.of("mailboxes.upload-none"),
                    text: PageText.of("mailboxes.upload-what"))
            }
            var lines = [
                PageText.of("mailboxes.upload-mails", ["count": "\(summary.mails)"]),
                PageText.of("mailboxes.upload-banks", ["count": "\(summary.fromBanks)"]),
            ]
            if summary.known > 0 { lines.append(PageText.of("mailboxes.upload-known", ["count": "\(summary.known)"])) }
            if summary.fromBanks > 0 { lines.append(PageText.of("mailboxes.upload-next")) }
            let list = "/app/mails?" + FormFields.encoded([("mailbox", MailLocation.upload)])
            let view = MessageView(lines: lines, back: summary.fromBanks > 0 ? list : "/app/mailboxes")
            return await pages.show(
                "message", view, call, title: PageText.of("mailboxes.uploaded"), section: .mailboxes)
        }
    }
}
