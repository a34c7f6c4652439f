import Chronology
import Codecs
import Console
import Glibc
import Ingest
import Settings

/// The end of a set-up: the mailbox, what was found in it, the files, and the next command.
struct SetupResult {
    let mailbox: MailboxDraft
    let provider: String?
    let survey: MailboxSurvey
    let place: SetupPlace
    /// Paths of the files, secrets first.
    let written: [String]

    /// The command that starts reading.
    var next: String {
        guard place.isUsual, access("/run/systemd/system", F_OK) == 0 else {
            return "spendwised run --config \(place.configuration)"
        }
        // A running service reads new credentials only when it starts.
        return RunningDaemon.otherUserRuns
            ? "sudo systemctl restart spendwise-ingest" : "sudo systemctl enable --now spendwise-ingest spendwise-web"
    }

    /// True if a pass in this terminal writes the ledger as the user who reads it later.
    var canPassHere: Bool { !place.isUsual }

    static func text(of survey: MailboxSurvey, since: String) -> String {
        let mails = "\(survey.messages) mail\(survey.messages == 1 ? "" : "s") in '\(survey.folder)'"
        guard !survey.senders.isEmpty else {
            return "The login works: \(mails), none of a known bank in \(since).\n"
                + "Alerts may go to another folder (--folder) or be older (--since)."
        }
        let lines = survey.senders.map { sender in
            let newest = sender.newest.map { ", newest \($0.day())" } ?? ""
            return "  \(Terminal.printable(sender.bank)): \(sender.count)\(newest)"
        }
        let more =
            survey.bankMails > MailboxSurvey.maximumMails
            ? " (the newest \(MailboxSurvey.maximumMails) are counted)" : ""
        return "The login works: \(mails), \(survey.bankMails) of banks in \(since)\(more):\n"
            + lines.joined(separator: "\n")
    }

    var text: String {
        (written.map { "Written: \($0)" } + ["Next: \(next)"]).joined(separator: "\n")
    }

    /// `nil` if no results of the provider count.
    private var authservID: String? {
        switch mailbox.authentication {
        case .authservID(let id, _): id
        case .verify(let id, _): id
        case .trustDelivery: nil
        }
    }

    var json: JSON {
        .object([
            ("mailbox", .string(mailbox.name)), ("provider", JSON(provider)), ("host", .string(mailbox.host)),
            ("port", .integer(Int64(mailbox.port))), ("user", .string(mailbox.user)),
            ("folder", .string(survey.folder)),
            ("messages", .integer(Int64(survey.messages))), ("bank_messages", .integer(Int64(survey.bankMails))),
            (
                "banks",
                .array(
                    survey.senders.map {
                        .object([
                            ("name", .string($0.bank)), ("messages", .integer(Int64($0.count))),
                            ("newest", JSON(describing: $0.newest?.day())),
                        ])
                    })
            ), ("authserv_id", JSON(authservID)),
            (
                "proposals",
                .array(
                    survey.proposals.map {
                        .object([
                            ("authserv_id", .string($0.authservID)), ("confirmed", .integer(Int64($0.confirmed))),
                            ("of", .integer(Int64($0.of))),
                        ])
                    })
            ), ("written", .array(written.map(JSON.string))), ("next", .string(next)),
        ])
    }
}
