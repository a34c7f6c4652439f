import ArgumentParser
import Chronology
import Codecs
import Console
import Glibc
import Ingest
import Ledger
import Profiles
import Settings
import Store

struct Rescan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rescan",
        abstract: "Decide older mail again, after profiles were added or mended.",
        discussion: """
            Mails that are unclaimed, ignored, in review, quarantined or failed are decided again: retained ones at once, the others by the \
            running daemon, which fetches them again (so does 'spendwised ingest --once'). Booked transactions, and all that you accepted, rejected, \
            edited or deleted, stay as they are. To rescan an archive, import it again: nothing is booked twice.
            """)

    @Option(help: ArgumentHelp("Only this bank's mail; the name of its folder of profiles.", valueName: "key"))
    var bank: String?
    @Option(
        help:
            "Only mail that arrived on this day or later, yyyy-mm-dd. Default: the mailbox's 'since'.")
    var since: String?
    @Option(help: "Only this mailbox of the configuration.")
    var mailbox: String?
    @Flag(help: "Wait until the daemon has read the folders, and report the result.")
    var wait = false
    @OptionGroup var options: LedgerOptions

    func run() async throws {
        let interruption = Interruption()
        let since = try day(self.since)
        try orExit {
            guard let settings = try options.locations.settings() else {
                throw Refused("rescan needs the daemon's configuration: use --config FILE")
            }
            let profiles = try options.locations.profilesInForce(.deferred)
            let bank = try self.bank.map { key in
                guard let bank = profiles.banks.first(where: { $0.key == key }) else {
                    throw Refused(
                        "the profiles have no bank '\(key)': \(profiles.banks.map(\.key).sorted().joined(separator: ", "))"
                    )
                }
                return bank
            }
            let store = try options.locations.store(readOnly: false)
            let folders = try self.folders(settings, store)
            let kept = try options.locations.keptMails(store).decideAgain(
                Outcome.redecidable, of: .init(mailbox: mailbox, bank: bank, since: since),
                isStopped: { interruption.isRaised }
            ) { Terminal.progress("\($0.examined) retained mails decided again") }
            Terminal.progress(nil)
            if interruption.isRaised { throw Exit.interrupted }
            let today = UnixTime.now.day().daysSince1970
            let requests = try folders.map { folder, days in
                try store.rescans.request(
                    of: folder, bank: bank?.key, since: since ?? CalendarDate(daysSince1970: today - days))
            }
            let finished = try wait ? fulfilled(requests, store, interruption) : nil
            options.json ? Output.line(object(kept, requests, finished).text) : show(kept, folders.map(\.key), finished)
            if interruption.isRaised { throw Exit.interrupted }
        }
    }

    private func folders(_ settings: Settings, _ store: Store) throws -> [(key: FolderKey, days: Int)] {
        let configured =
            settings.mailboxes.map { ($0.name, $0.folders, $0.sinceDays) }
            + settings.maildirs.map { ($0.name, $0.folders, $0.sinceDays) }
        // Those of the page are in a file of the mail reader.
        let added = try store.mailboxSetups.added().map { ($0.name, $0.folders, $0.sinceDays) }
        let all = configured + added.filter { row in !configured.contains { $0.0 == row.0 } }
        if let mailbox, !all.contains(where: { $0.0 == mailbox }), !mailbox.hasPrefix("import:") {
            throw Refused(
                "the configuration has no mailbox '\(mailbox)': \(all.map(\.0).joined(separator: ", "))")
        }
        var found: [(key: FolderKey, days: Int)] = []
        for (name, folders, days) in all where mailbox == nil || name == mailbox {
            for folder in folders { found.append((FolderKey(mailbox: name, folder: folder), days)) }
        }
        return found
    }

    /// Waits until every request is fulfilled, or for Ctrl-C.
    private func fulfilled(_ ids: [Int64], _ store: Store, _ interruption: Interruption) throws -> [RescanRequest] {
        while true {
            let requests = try ids.compactMap { id in try store.rescans.find(id) }
            let open = requests.count { !$0.isFinished }
            if open == 0 || interruption.isRaised {
                Terminal.progress(nil)
                return requests
            }
            Terminal.progress(
                "waiting for spendwised: \(open) of \(ids.count) folders; after Ctrl-C it continues alone")
            // The daemon reports in the database only.
            usleep(200_000)
        }
    }

    private func show(_ kept: RetainedMails.Summary, _ folders: [FolderKey], _ finished: [RescanRequest]?) {
        Output.line(
            "retained mails: \(kept.examined) decided again, "
                + (kept.changed.isEmpty ? "nothing changed" : counts(kept.changed)))
        if !kept.unknownMailboxes.isEmpty {
            Output.line(
                "left alone, because their mailbox is not in the configuration: \(kept.unknownMailboxes.sorted().joined(separator: ", "))"
            )
        }
        if let finished {
            for request in finished {
                Output.line(
                    "\(request.mailbox)/\(request.folder): "
                        + (request.isFinished
                            ? "\(request.examined) mails read, \(request.changed) changed or new"
                            : "not done yet"))
            }
        } else if !folders.isEmpty {
            Output.line(
                "requested again: \(folders.map { "\($0.mailbox)/\($0.folder)" }.joined(separator: ", ")); spendwised reads them within seconds if it runs"
            )
        }
        if bank != nil {
            Output.line(
                "A new profile needs 'systemctl reload spendwise-ingest' (SIGHUP) first, which also requests the older mail of a new bank."
            )
        }
    }

    private func counts(_ outcomes: [Outcome: Int]) -> String {
        Outcome.allCases.compactMap { outcome in outcomes[outcome].map { "\($0) now \(outcome.rawValue)" } }.joined(
            separator: ", ")
    }

    private func object(_ kept: RetainedMails.Summary, _ ids: [Int64], _ finished: [RescanRequest]?) -> JSON {
        .object([
            (
                "kept",
                .object([
                    ("looked_at", JSON(kept.examined)),
                    ("changed", .object(Outcome.allCases.map { ($0.rawValue, JSON(kept.changed[$0] ?? 0)) })),
                    ("unknown_mailboxes", .array(kept.unknownMailboxes.sorted().map(JSON.string))),
                ])
            ),
            (
                "requests",
                .array(
                    (finished ?? []).map {
                        .object([
                            ("id", .integer($0.id)), ("mailbox", .string($0.mailbox)), ("folder", .string($0.folder)),
                            ("finished", .bool($0.isFinished)),
                            ("looked_at", JSON($0.examined)), ("changed", JSON($0.changed)),
                        ])
                    })
            ),
            ("requested", .array(ids.map(JSON.integer))),
        ])
    }
}
