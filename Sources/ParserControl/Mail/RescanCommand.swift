import ArgumentParser
import Glibc
import Ingest
import JSONText
import Ledger
import Profiles
import Settings
import Store

struct Rescan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "After profiles were added or mended: decide older mail again.",
        discussion: """
            Mails that are unclaimed, ignored, in review, quarantined or failed are decided again: from their kept bytes at once, the others by the \
            running daemon, which asks the server again ('spendwised ingest --once' does it, too). What is booked, and what you accepted, rejected, \
            edited or deleted, stays as it is. Of archives, import the file again: nothing is booked twice.
            """)

    @Option(help: ArgumentHelp("Only this bank's mail; the name of its folder of profiles.", valueName: "key"))
    var bank: String?
    @Option(
        help:
            "Only mail that came on this day or later, yyyy-mm-dd. Default: as far back as the mailbox's 'since' says.")
    var since: String?
    @Option(help: "Only this mailbox of the configuration.")
    var mailbox: String?
    @Flag(help: "Wait until the daemon has asked the servers, and say what came of it.")
    var wait = false
    @Flag(help: "One JSON object.")
    var json = false
    @OptionGroup var locations: Locations

    func run() async throws {
        let interruption = Interruption()
        let since = try day(self.since)
        try orExit {
            guard let settings = try locations.settings() else {
                throw ValidationError("rescan needs the daemon's configuration: use --config FILE")
            }
            let profiles = try locations.profilesInForce(samples: false)
            let bank = try self.bank.map { key in
                guard let bank = profiles.banks.first(where: { $0.key == key }) else {
                    throw ValidationError(
                        "no bank '\(key)' is in the profiles: \(profiles.banks.map(\.key).sorted().joined(separator: ", "))"
                    )
                }
                return bank
            }
            let folders = try self.folders(settings)
            let store = try locations.store(readOnly: false)
            let kept = try locations.keptMails(store).decideAgain(
                Outcome.redecidable, mailbox: mailbox, bank: bank, since: since?.description,
                isStopped: { interruption.isRaised }
            ) { Terminal.progress("\($0.lookedAt) kept mails decided again") }
            Terminal.progress(nil)
            if interruption.isRaised { throw ExitCode(130) }
            let today = Int(time(nil)) / 86_400
            let requests = try folders.map { folder, days in
                try store.requestRescan(
                    of: folder, bank: bank?.key, since: since ?? CalendarDate(daysSince1970: today - days))
            }
            let finished = try wait ? fulfilled(requests, store, interruption) : nil
            json ? print(object(kept, requests, finished).text) : show(kept, folders.map(\.key), finished)
            if interruption.isRaised { throw ExitCode(130) }
        }
    }

    private func folders(_ settings: Settings) throws -> [(key: Store.FolderKey, days: Int)] {
        let all =
            settings.mailboxes.map { ($0.name, $0.folders, $0.sinceDays) }
            + settings.maildirs.map { ($0.name, $0.folders, $0.sinceDays) }
        if let mailbox, !all.contains(where: { $0.0 == mailbox }), !mailbox.hasPrefix("import:") {
            throw ValidationError(
                "no mailbox '\(mailbox)' is in the configuration: \(all.map(\.0).joined(separator: ", "))")
        }
        var found: [(key: Store.FolderKey, days: Int)] = []
        for (name, folders, days) in all where mailbox == nil || name == mailbox {
            for folder in folders { found.append((Store.FolderKey(mailbox: name, folder: folder), days)) }
        }
        return found
    }

    /// Until every request is fulfilled, or Ctrl-C.
    private func fulfilled(_ ids: [Int64], _ store: Store, _ interruption: Interruption) throws -> [Store.RescanRequest]
    {
        while true {
            let requests = try ids.compactMap { id in try store.rescanRequest(id) }
            let open = requests.count { !$0.isFinished }
            if open == 0 || interruption.isRaised {
                Terminal.progress(nil)
                return requests
            }
            Terminal.progress("waiting for spendwised: \(open) of \(ids.count) folders; Ctrl-C leaves it to it")
            // The daemon does it, and tells by the database alone.
            usleep(200_000)
        }
    }

    private func show(_ kept: KeptMails.Summary, _ folders: [Store.FolderKey], _ finished: [Store.RescanRequest]?) {
        print(
            "kept mails: \(kept.lookedAt) decided again, "
                + (kept.changed.isEmpty ? "nothing changed" : counts(kept.changed)))
        if !kept.unknownMailboxes.isEmpty {
            print(
                "left alone, because the configuration does not know their mailbox: \(kept.unknownMailboxes.sorted().joined(separator: ", "))"
            )
        }
        if let finished {
            for request in finished {
                print(
                    "\(request.mailbox)/\(request.folder): "
                        + (request.isFinished
                            ? "\(request.lookedAt) mails looked at, \(request.changed) changed or new"
                            : "still to be done"))
            }
        } else if !folders.isEmpty {
            print(
                "asked for again: \(folders.map { "\($0.mailbox)/\($0.folder)" }.joined(separator: ", ")); spendwised does it within seconds where it runs"
            )
        }
        if bank != nil {
            print(
                "A profile that is new needs 'systemctl reload spendwise-ingest' first (SIGHUP); that alone asks for a new bank's older mail, too."
            )
        }
    }

    private func counts(_ outcomes: [Outcome: Int]) -> String {
        Outcome.allCases.compactMap { outcome in outcomes[outcome].map { "\($0) now \(outcome.rawValue)" } }.joined(
            separator: ", ")
    }

    private func object(_ kept: KeptMails.Summary, _ ids: [Int64], _ finished: [Store.RescanRequest]?) -> JSON {
        .object([
            (
                "kept",
                .object([
                    ("looked_at", JSON(kept.lookedAt)),
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
                            ("looked_at", JSON($0.lookedAt)), ("changed", JSON($0.changed)),
                        ])
                    })
            ),
            ("requested", .array(ids.map(JSON.integer))),
        ])
    }
}
