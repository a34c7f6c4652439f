import ArgumentParser
import Codecs
import Console
import Ingest
import Ledger
import Review
import Settings
import Store

extension ReviewCommand {
    struct Release: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "release",
            abstract:
                "Release a quarantined mail or a possible duplicate: it is decided again without that objection.",
            discussion: """
                A quarantined mail is decided from its retained bytes as if its mailbox's own server had authenticated it. A possible duplicate is an event of \
                its own from now on. Either is booked if there is no other objection, and waits in the queue otherwise. 'parserctl review undo' undoes it.
                """)
        @Argument(help: "Numbers of transactions, or ids of mails ('parserctl mails --outcome quarantined').")
        var ids: [String]
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try orReport(nil, json: options.json) {
                let store = try options.locations.store(readOnly: false)
                try ReviewRun.run(ids, json: options.json) { id in
                    let (result, transaction) = try release(id, in: store)
                    return .init(result: result, transaction: transaction)
                }
            }
        }

        /// - Returns: the outcome that it has now, and its transaction.
        private func release(_ id: ReviewID, in store: Store) throws -> (String, Int64?) {
            let service = ReviewService(store)
            if try service.item(id)?.transaction != nil {
                let result = try service.release(id, seen: .anything, autoConfirmAt: try options.locations.thresholds())
                guard let row = result.item?.transaction else { throw Refused("there is no \(id)") }
                return (row.status == .confirmed ? "recorded" : "review", row.id)
            }
            guard case .mail(let mail) = id, let row = try store.mails.find(mail) else {
                throw Refused(
                    "there is no \(id): 'parserctl mails --outcome quarantined' lists what can be released"
                )
            }
            guard row.outcome == .quarantined else {
                throw Refused("\(id) is neither in quarantine nor a possible duplicate: it is \(row.outcome.rawValue)")
            }
            guard let recorded = try options.locations.keptMails(store).release(mail) else {
                throw Refused(
                    "its bytes are not retained, or its decision stays the same; import the saved mail with 'parserctl import --trust-delivery FILE'"
                )
            }
            return (recorded.outcome.rawValue, recorded.transactionID)
        }
    }

    struct UndoReview: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "undo",
            abstract:
                "Undo the last decision or correction made on the terminal, or the last one of a transaction; repeat it for the one before."
        )
        @Argument(help: "The number of a transaction. Default: the last change.")
        var id: Int64?
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try orReport(id.map(String.init), json: options.json) {
                let service = ReviewService(try options.locations.store(readOnly: false))
                guard let last = try service.undoLast(ofTransaction: id) else {
                    throw Refused(
                        id.map { "there is nothing to undo about transaction \($0)" }
                            ?? "there is nothing to undo")
                }
                options.show(
                    .object([
                        ("undone", .string(last.kind.rawValue)), ("change", .integer(last.id)),
                        ("transaction_id", JSON(last.transactionID)), ("mail_id", JSON(last.mailID)),
                    ]), "undone: \(last.kind.rawValue), \(last.subject), of \(last.at)")
            }
        }
    }
}

extension LedgerChange {
    /// What was changed: `transaction 4`, `recurring item`.
    fileprivate var subject: String {
        if let transactionID { return "transaction \(transactionID)" }
        if let mailID { return "mail \(mailID)" }
        // The values are those of one row, under the name of its kind.
        let key = after.split(separator: "\"", maxSplits: 2).dropFirst().first ?? "row"
        return key.split(separator: "_").joined(separator: " ")
    }
}

extension Locations {
    /// The confidence from which drafts of a bank are booked, by the bank's key.
    func thresholds() throws -> (String?) -> Double {
        let settings = try settings()
        let banks = Dictionary((settings?.banks.thresholds ?? []).map { ($0.bank, $0.value) }) { $1 }
        return { bank in bank.flatMap { banks[$0] } ?? settings?.autoConfirmAt ?? Decision.usualThreshold }
    }
}
