import ArgumentParser
import Ingest
import InternetMessage
import JSONText
import Ledger
import Profiles
import Settings
import Store

struct Retry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Try again what could not be processed; without arguments, list it.",
        discussion: """
            Mails whose bytes are kept are decided here and now. The others are marked, and the running daemon asks the server for them within seconds \
            ('spendwised ingest --once' does it, too).
            """)

    @Argument(help: "Ids of failed mails.")
    var ids: [String] = []
    @Flag(help: "All failed mails.")
    var all = false
    @Flag(help: "One JSON object a line.")
    var json = false
    @OptionGroup var locations: Locations

    func validate() throws {
        if all, !ids.isEmpty { throw ValidationError("--all is for all: name no ids with it") }
    }

    func run() async throws {
        try orExit {
            if !all, ids.isEmpty { return try list() }
            let store = try locations.store(readOnly: false)
            let wanted = all ? nil : ids.map { $0.lowercased() }
            if let wanted {
                for id in wanted {
                    guard let mail = try store.mail(id) else { throw ValidationError("there is no mail \(id)") }
                    guard mail.outcome == .failed else {
                        throw ValidationError("mail \(id) did not fail: it is \(mail.outcome.rawValue)")
                    }
                }
            }
            let marked = try store.retryNow(wanted)
            let decided = try locations.keptMails(store).decideAgain([.failed], ids: wanted)
            let done = decided.changed.values.reduce(0, +)
            if json {
                return print(
                    JSON.object([
                        ("marked", JSON(marked)), ("decided_here", JSON(decided.lookedAt)),
                        ("now", .object(Outcome.allCases.map { ($0.rawValue, JSON(decided.changed[$0] ?? 0)) })),
                        ("left_to_the_daemon", JSON(marked - decided.lookedAt)),
                    ]).text)
            }
            if marked == 0 { return print("no mail has failed") }
            if decided.lookedAt > 0 {
                let now = decided.changed.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                    "\($0.value) \($0.key.rawValue)"
                }
                print(
                    "\(decided.lookedAt) decided again from kept bytes: "
                        + (now + (decided.lookedAt > done ? ["\(decided.lookedAt - done) failed again"] : [])).joined(
                            separator: ", "))
            }
            if marked > decided.lookedAt {
                print(
                    "\(marked - decided.lookedAt) will be asked for again by spendwised, within seconds where it runs")
            }
        }
    }

    private func list() throws {
        let mails = try locations.store().failedMails()
        if json {
            for (mail, next, isKept) in mails {
                guard case .object(let pairs) = mail.json else { continue }
                print(JSON.object(pairs + [("next_attempt_at", JSON(next)), ("kept", .bool(isKept))]).text)
            }
            return
        }
        if mails.isEmpty { return print("no mail has failed") }
        var table = Table([
            ("id", .left), ("mailbox", .left), ("received", .left), ("from", .left), ("tries", .right),
            ("next try", .left), ("why", .left),
        ])
        for (mail, next, _) in mails {
            table.add([
                mail.id, "\(mail.mailbox)/\(mail.folder)", mail.receivedAt.map { String($0.prefix(16)) } ?? "",
                mail.fromAddress ?? "", "\(mail.attempts)",
                next.map { String($0.prefix(16)) } ?? "when asked", mail.reason ?? "",
            ])
        }
        table.print()
        print("\nTry again with 'parserctl retry ID…' or 'parserctl retry --all'.")
    }
}

extension Locations {
    /// For deciding kept mail again: by the profiles of now, and each mailbox's own rule on whose word counts.
    func keptMails(_ store: Store) throws -> KeptMails {
        let settings = try settings()
        var policies = try store.importAuthentication().mapValues { AuthenticationPolicy(recorded: $0) }
        for mailbox in settings?.mailboxes ?? [] {
            policies[mailbox.name] = AuthenticationPolicy(mailbox.authentication)
        }
        for mailbox in settings?.maildirs ?? [] {
            policies[mailbox.name] = AuthenticationPolicy(mailbox.authentication)
        }
        let intake = Intake(
            profiles: try profilesInForce(samples: false), categories: try store.categoryRules(),
            authentication: .nobody,
            autoConfirmAt: settings?.autoConfirmAt ?? Decision.usualThreshold, keepsRaw: false)
        return KeptMails(store: store, intake: intake, policies: policies)
    }
}
