import ArgumentParser
import Ingest
import JSONText
import Ledger
import Settings
import Store

extension Review {
    struct Release: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Vouch for a quarantined mail, or for a possible duplicate: decided again without that objection.",
            discussion: """
                A quarantined mail is decided as if its mailbox's own server had vouched for it, from its kept bytes. A possible duplicate is an event of \
                its own from now on. Either is booked where nothing else speaks against it, and otherwise waits in the queue. 'parserctl review undo' takes it back.
                """)
        @Argument(help: "Numbers of transactions, or ids of mails ('parserctl mails --outcome quarantined').")
        var ids: [String]
        @Flag(help: "One JSON object a line.")
        var json = false
        @OptionGroup var locations: Locations

        func run() async throws {
            try orTell(nil, json: json) {
                let store = try locations.store(readOnly: false)
                try ReviewSettling.run(ids, json: json) { id in
                    let (result, transaction) = try release(id, in: store)
                    return .init(result: result, transaction: transaction)
                }
            }
        }

        /// What it became, by the words of an outcome.
        private func release(_ id: ReviewID, in store: Store) throws -> (String, Int64?) {
            if let transaction = try store.reviewItem(id)?.transaction {
                let row = try store.release(transaction: transaction.id, autoConfirmAt: try locations.thresholds())
                return (row.status == .confirmed ? "recorded" : "review", row.id)
            }
            guard case .mail(let mail) = id, let row = try store.mail(mail) else {
                throw Refused(
                    description: "there is no \(id): 'parserctl mails --outcome quarantined' lists what can be released"
                )
            }
            guard row.outcome == .quarantined else {
                throw Refused(
                    description: "\(id) is not in quarantine and no possible duplicate: it is \(row.outcome.rawValue)")
            }
            guard let recorded = try locations.keptMails(store).release(mail) else {
                throw Refused(
                    description:
                        "its bytes are not kept, or nothing more comes of it; import the saved mail with 'parserctl import --trust-delivery FILE'"
                )
            }
            return (recorded.outcome.rawValue, recorded.transactionID)
        }
    }

    struct UndoReview: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "undo",
            abstract:
                "Take back the last decision or correction that was made here, or the one of a transaction; once more for the one before it."
        )
        @Argument(help: "The number of a transaction. Default: whatever was last.")
        var id: Int64?
        @Flag(help: "One JSON object.")
        var json = false
        @OptionGroup var locations: Locations

        func run() async throws {
            try orTell(id.map(String.init), json: json) {
                let store = try locations.store(readOnly: false)
                let last = try store.changes(ofTransaction: id, limit: 1000).first {
                    $0.kind != .undone && !$0.isUndone && (id != nil || $0.actor.kind == .terminal)
                }
                guard let last else {
                    throw Refused(
                        description: id.map { "there is nothing to undo about transaction \($0)" }
                            ?? "there is nothing to undo")
                }
                try store.undo(group: last.group)
                if json {
                    return print(
                        JSON.object([
                            ("undone", .string(last.kind.rawValue)), ("change", .integer(last.id)),
                            ("transaction_id", JSON(last.transactionID)), ("mail_id", JSON(last.mailID)),
                        ]).text)
                }
                let about = last.transactionID.map { "transaction \($0)" } ?? last.mailID.map { "mail \($0)" } ?? ""
                print("undone: \(last.kind.rawValue), \(about), of \(last.at)")
            }
        }
    }
}

extension Locations {
    /// From which confidence on a bank's drafts are booked, by its key.
    func thresholds() throws -> (String?) -> Double {
        let settings = try settings()
        let banks = Dictionary((settings?.banks.thresholds ?? []).map { ($0.bank, $0.value) }) { $1 }
        return { bank in bank.flatMap { banks[$0] } ?? settings?.autoConfirmAt ?? Decision.usualThreshold }
    }
}
