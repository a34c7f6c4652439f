import ArgumentParser
import Chronology
import Codecs
import Console
import Ingest
import InternetMessage
import Ledger
import Profiles
import Settings
import Store

struct Retry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Process failed mails again; without arguments, list them.",
        discussion: """
            Retained mails are decided at once. The others are marked, and the running daemon fetches them within seconds \
            (so does 'spendwised ingest --once').
            """)

    @Argument(help: "Ids of failed mails.")
    var ids: [String] = []
    @Flag(help: "All failed mails.")
    var all = false
    @OptionGroup var options: LedgerOptions

    func validate() throws {
        if all, !ids.isEmpty { throw ValidationError("--all takes no ids") }
    }

    func run() async throws {
        try orExit {
            if !all, ids.isEmpty { return try list() }
            let store = try options.locations.store(readOnly: false)
            let wanted = all ? nil : ids.map { $0.lowercased() }
            if let wanted {
                for id in wanted {
                    guard let mail = try store.mails.find(id) else { throw Refused("there is no mail \(id)") }
                    guard mail.outcome == .failed else {
                        throw Refused("mail \(id) did not fail: it is \(mail.outcome.rawValue)")
                    }
                }
            }
            // Decides retained mails before marking the others, because a running daemon fetches marked mails at once.
            let decided = try options.locations.keptMails(store).decideAgain([.failed], of: .init(ids: wanted))
            let done = decided.changed.values.reduce(0, +)
            let marked = try store.mailboxes.retryNow(wanted)
            let left = marked + done - decided.examined
            if options.json {
                return Output.line(
                    JSON.object([
                        ("marked", JSON(marked + done)), ("decided_here", JSON(decided.examined)),
                        ("now", .object(Outcome.allCases.map { ($0.rawValue, JSON(decided.changed[$0] ?? 0)) })),
                        ("left_to_the_daemon", JSON(left)),
                    ]).text)
            }
            if marked + done == 0 { return Output.line("no mail has failed") }
            if decided.examined > 0 {
                let now = decided.changed.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                    "\($0.value) \($0.key.rawValue)"
                }
                Output.line(
                    "\(decided.examined) decided again from retained bytes: "
                        + (now + (decided.examined > done ? ["\(decided.examined - done) failed again"] : [])).joined(
                            separator: ", "))
            }
            if left > 0 {
                Output.line("\(left) will be fetched again by spendwised, within seconds if it runs")
            }
        }
    }

    private func list() throws {
        let mails = try options.locations.store().mails.failed()
        options.show(mails, as: .failedMails)
        if !mails.isEmpty, !options.json {
            Output.line("\nTry again with 'parserctl retry ID…' or 'parserctl retry --all'.")
        }
    }
}

extension RowFormat where Row == FailedMail {
    fileprivate static var failedMails: RowFormat {
        func minute(_ instant: UnixTime) -> String { String(instant.description.prefix(16)) }
        return RowFormat(
            empty: "no mail has failed",
            object: { failed in
                guard case .object(let members) = failed.mail.json else { return failed.mail.json }
                return .object(
                    members + [
                        ("next_attempt_at", JSON(describing: failed.nextAttemptAt)),
                        ("kept", .bool(failed.isRetained)),
                    ])
            },
            columns: [
                .left("id") { $0.mail.id }, .left("mailbox") { "\($0.mail.mailbox)/\($0.mail.folder)" },
                .left("received") { $0.mail.receivedAt.map(minute) ?? "" }, .left("from") { $0.mail.fromAddress ?? "" },
                .right("tries") { "\($0.mail.attempts)" },
                .left("next try") { $0.nextAttemptAt.map(minute) ?? "when asked" },
                .left("why") { $0.mail.reason ?? "" },
            ])
    }
}

extension Locations {
    /// Decides retained mail again by the current profiles and each mailbox's own authentication policy.
    func keptMails(_ store: Store) throws -> RetainedMails {
        let settings = try settings()
        let intake = Intake(
            profiles: try profilesInForce(.deferred), rules: try store.bookingRules(),
            authentication: .noTrustedServer,
            decisions: settings?.decisions ?? DecisionSettings())
        return RetainedMails(store: store, intake: intake, policies: try policies(store))
    }

    /// The authentication policy of each mailbox: as configured, or as an archive was imported.
    func policies(_ store: Store) throws -> [String: AuthenticationPolicy] {
        try RetainedMails.policies(settings(), store)
    }
}
