import ArgumentParser
import Chronology
import Codecs
import Console
import Ingest
import Ledger
import Profiles
import Store

/// Decides booked mails again and shows what would change.
struct ReplayMails: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Decide booked mails again, and show what the profiles would read differently today.",
        discussion: """
            Nothing is written without --apply. It changes all of them in one step, which --undo reverts; transactions that a person edited \
            stay, and none is removed: one whose mail would not be booked today returns to the queue. 'rescan' decides mails that are not booked.
            """)

    @Option(help: ArgumentHelp("Only this bank's mail; the name of its folder of profiles.", valueName: "key"))
    var bank: String?
    @Option(help: "Only mail that arrived on this day or later, yyyy-mm-dd.")
    var since: String?
    @Flag(help: "Write the changes.")
    var apply = false
    @Flag(help: "Do not ask before writing.")
    var yes = false
    @Option(help: ArgumentHelp("Take back the changes of an earlier --apply.", valueName: "group"))
    var undo: String?
    @OptionGroup var options: LedgerOptions

    func validate() throws {
        if undo != nil, apply || bank != nil || since != nil { throw ValidationError("--undo takes no other option") }
    }

    func run() async throws {
        let interruption = Interruption()
        let since = try day(self.since)
        try options.open(forChanges: apply || undo != nil) { store in
            if let undo { return try revert(undo, store) }
            let kept = try options.locations.keptMails(store)
            let replay = try kept.replay(
                .init(bank: try selectedBank(kept), since: since), isStopped: { interruption.isRaised }
            ) { Terminal.progress("\($0.mails) booked mails decided again, \($0.changes.count) differ") }
            Terminal.progress(nil)
            if interruption.isRaised { throw Exit.interrupted }
            show(replay)
            if apply, !replay.changes.isEmpty { try write(replay, kept) }
        }
    }

    private func selectedBank(_ kept: RetainedMails) throws -> Bank? {
        try bank.map { key in
            guard let bank = kept.bank(key) else { throw Refused("the profiles have no bank '\(key)'") }
            return bank
        }
    }

    private func write(_ replay: Replay, _ kept: RetainedMails) throws {
        if !yes {
            let question = "change \(count(replay.changes.count))?"
            guard try options.confirm(question, unattended: "replay --apply changes transactions") else {
                return Output.line("nothing was changed")
            }
        }
        let (group, changed) = try kept.apply(replay)
        options.show(
            .object([("changed", JSON(changed)), ("group", .string(group))]),
            "\(count(changed)) changed; undo with: parserctl replay --undo \(group)")
    }

    private func revert(_ group: String, _ store: Store) throws {
        let undone = try store.journal.undo(group: group.lowercased()).count
        options.show(.object([("undone", JSON(undone))]), "\(undone) changes undone")
    }

    private func count(_ number: Int) -> String { "\(number) transaction\(number == 1 ? "" : "s")" }

    private func show(_ replay: Replay) {
        options.show(replay.changes, as: .replayedChanges)
        if options.json { return }
        var lines = ["\(replay.mails) booked mails were decided again: \(count(replay.changes.count)) would change"]
        if !replay.settled.isEmpty {
            lines.append(
                "\(count(replay.settled.count)) would change, but a person edited it or a reconciled statement has it: it stays"
            )
        }
        if replay.notRetained > 0 {
            lines.append("\(replay.notRetained) booked mails are not retained in the ledger and were not decided again")
        }
        for mailbox in replay.unknownMailboxes.sorted() {
            lines.append("the mails of '\(mailbox)' were left out: the configuration has no such mailbox")
        }
        Output.line(lines.joined(separator: "\n"))
    }
}

extension RowFormat where Row == ReplayedChange {
    fileprivate static var replayedChanges: RowFormat {
        RowFormat(
            empty: "nothing would change",
            object: { change in
                .object([
                    ("transaction", .integer(change.transaction.id)), ("mail", .string(change.mail.id)),
                    ("outcome", .string(change.outcome.rawValue)),
                    (
                        "changes",
                        .array(
                            change.values.map {
                                .object([
                                    ("field", .string($0.field.rawValue)), ("before", JSON($0.before)),
                                    ("after", JSON($0.after)),
                                ])
                            })
                    ),
                ])
            },
            columns: [
                .right("id") { "\($0.transaction.id)" }, .left("date") { $0.transaction.date.description },
                .right("amount") { $0.transaction.amount.decimal }, .left("bank") { $0.transaction.profile ?? "" },
                .left("merchant") { $0.transaction.vendor ?? "" },
                .left("today") { change in
                    let values = change.values.map {
                        "\($0.field.rawValue): \($0.before ?? "none") -> \($0.after ?? "none")"
                    }
                    return ((change.outcome == .recorded ? [] : [change.outcome.rawValue]) + values)
                        .joined(separator: "; ")
                },
            ])
    }
}
