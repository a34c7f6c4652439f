import IMAP
public import Ledger
import Logging

/// How far a pass has come, in mails.
public struct PassProgress: Sendable {
    public let mailbox: String
    public let folder: String
    public let done: Int
    public let total: Int
}

/// What a pass found.
public struct PassSummary: Sendable {
    public let mailbox: String
    public let folder: String
    /// Mails that the search found and that had no row yet.
    public var found = 0
    /// Of these, recorded or gone in between.
    public var done = 0
    public var outcomes: [Outcome: Int] = [:]
    /// Recorded before, and now another outcome or another draft.
    public var changed = 0
    /// What could not be read, and may be the next time.
    var faults: [String] = []
    /// The time in which nothing was waited for.
    var worked = Duration.zero
    /// The folder's UIDVALIDITY was another at the last pass: that and the present one.
    var renumbered: (UInt32, UInt32)?
    /// Something was renamed while it was to be read: another look finds it.
    var isPartial = false
    /// Asked for, but gone.
    var missing = UIDSet()
    /// What the folder said when it was opened for this pass; `nil` where it was open.
    let selected: Selected?

    init(mailbox: String, folder: String, selected: Selected? = nil) {
        self.selected = selected
        self.mailbox = mailbox
        self.folder = folder
    }
}

extension PassSummary {
    func log(to logger: Logger) {
        logger.info(
            "pass finished",
            metadata: [
                "folder": "\(folder)", "mails": "\(done)",
                "outcomes":
                    "\(outcomes.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.rawValue)=\($0.value)" }.joined(separator: " "))",
            ])
    }
}
