import ArgumentParser
import Ledger
import Store

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show how the mailboxes stand and what became of their mails.")

    @Flag(help: "One JSON object.")
    var json = false
    @OptionGroup var locations: Locations

    func run() async throws {
        try orExit {
            let summary = try locations.store().statusSummary()
            json ? print(object(summary).text) : show(summary)
        }
    }

    private func show(_ summary: StatusSummary) {
        var mailboxes = Table([("mailbox", .left), ("state", .left), ("since", .left), ("last answer", .left), ("reason", .left)])
        for state in summary.mailboxes { mailboxes.add([state.mailbox, state.state, state.changedAt, state.lastProbeAt ?? "never", state.reason ?? ""]) }
        if mailboxes.rows.isEmpty { print("no mailbox has been read yet") } else { mailboxes.print() }
        if !summary.folders.isEmpty {
            print("")
            var folders = Table([("folder", .left), ("last mail", .left)] + Outcome.allCases.map { ($0.rawValue, .right) })
            for folder in summary.folders {
                folders.add(["\(folder.key.mailbox)/\(folder.key.folder)", folder.lastReceivedAt ?? ""] + Outcome.allCases.map { "\(folder.counts[$0] ?? 0)" })
            }
            folders.print()
        }
        let counts = TransactionStatus.allCases.compactMap { status in summary.transactions[status].map { "\($0) \(status.rawValue)" } }
        print("\ntransactions: \(counts.isEmpty ? "none" : counts.joined(separator: ", ")); waiting for review: \(summary.waiting)")
    }

    private func object(_ summary: StatusSummary) -> JSON {
        .object([
            ("mailboxes", .array(summary.mailboxes.map {
                .object([("name", .string($0.mailbox)), ("state", .string($0.state)), ("reason", JSON($0.reason)), ("changed_at", .string($0.changedAt)), ("last_probe_at", JSON($0.lastProbeAt))])
            })),
            ("folders", .array(summary.folders.map { folder in
                .object([
                    ("mailbox", .string(folder.key.mailbox)), ("folder", .string(folder.key.folder)), ("last_received_at", JSON(folder.lastReceivedAt)),
                    ("last_processed_at", JSON(folder.lastProcessedAt)), ("next_uid", JSON(folder.cursor.map { Int64($0.nextUID) })),
                    ("outcomes", .object(Outcome.allCases.map { ($0.rawValue, JSON(folder.counts[$0] ?? 0)) })),
                ])
            })),
            ("templates", .array(summary.templates.map {
                .object([("mailbox", .string($0.key.mailbox)), ("folder", .string($0.key.folder)), ("outcome", .string($0.outcome.rawValue)), ("template", JSON($0.template)), ("mails", JSON($0.count))])
            })),
            ("transactions", .object(TransactionStatus.allCases.map { ($0.rawValue, JSON(summary.transactions[$0] ?? 0)) })),
            ("waiting_for_review", JSON(summary.waiting)),
        ])
    }
}
