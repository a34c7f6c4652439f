import Chronology
import Ingest
import Ledger
import Profiles
import Settings
import Store
import Web

/// The changes of the ledger that changed profiles would make, for the page.
struct ReplayPreviews: Sendable {
    let store: Store
    let settings: Settings

    /// The page waits for it.
    private static let timeout = Duration.seconds(20)

    /// Decides the retained booked mails of a bank by the profiles in the folders, and by the same with some files
    /// replaced. The difference is what these files change.
    ///
    /// - Parameter files: texts by their paths in a profile folder, such as `hdfc/card-spend.yaml`.
    func preview(of bank: String, with files: [String: String]) throws -> ReplayPreview {
        let end = Deadline.after(Self.timeout)
        let (today, _) = try replay(bank, [:], until: end)
        let (then, isComplete) = try replay(bank, files, until: end)
        let known = Set((today.changes + today.settled).map(Self.identity))
        let rows = then.changes.filter { !known.contains(Self.identity($0)) }
        return ReplayPreview(
            mails: then.mails, rows: rows.map(Self.row),
            settled: then.settled.count { !known.contains(Self.identity($0)) }, isComplete: isComplete)
    }

    private func replay(
        _ bank: String, _ files: [String: String], until end: Deadline
    ) throws -> (replay: Replay, isComplete: Bool) {
        let mails = try RetainedMails(
            store, ProfileSet(directories: ProfileFolders(settings), only: bank, adding: files), settings)
        let replay = try mails.replay(.init(bank: mails.bank(bank)), isStopped: { end.isPast })
        return (replay, !end.isPast)
    }

    private static func identity(_ change: ReplayedChange) -> String {
        "\(change.transaction.id) \(change.outcome.rawValue) "
            + change.values.map { "\($0.field.rawValue)=\($0.after ?? "")" }.joined(separator: " ")
    }

    private static func row(_ change: ReplayedChange) -> ReplayPreview.Row {
        ReplayPreview.Row(
            transaction: change.transaction.id, date: change.transaction.date, amount: change.transaction.amount,
            merchant: change.transaction.vendor, outcome: change.outcome,
            changes: change.values.map { .init(field: $0.field, before: $0.before, after: $0.after) })
    }
}
