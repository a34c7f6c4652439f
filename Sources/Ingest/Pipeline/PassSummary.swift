import IMAP
public import Ledger
import Logging

/// The progress of a pass, in messages.
public struct PassProgress: Sendable {
    public let mailbox: String
    public let folder: String
    public let done: Int
    public let total: Int
}

/// The result of a pass.
public struct PassSummary: Sendable {
    public let mailbox: String
    public let folder: String
    /// Messages that the search found and that had no row.
    public var found = 0
    /// Messages recorded, or expunged in between.
    public var done = 0
    public var outcomes: [Outcome: Int] = [:]
    /// Recorded messages with a new outcome or draft.
    public var changed = 0
    /// Files that could not be read, and may be in the next pass.
    var faults: [String] = []
    /// The time spent on deciding and recording instead of waiting.
    var worked = Duration.zero
    /// The UIDVALIDITY of the last pass and of this one, if they differ.
    var renumbered: (UInt32, UInt32)?
    /// A file was renamed before it was read: another pass finds it.
    var isPartial = false
    /// Requested, but expunged.
    var missing = UIDSet()
    /// The response to EXAMINE; `nil` if the folder was open.
    let selected: Selected?

    init(mailbox: String, folder: String, selected: Selected? = nil) {
        self.selected = selected
        self.mailbox = mailbox
        self.folder = folder
    }
}

extension PassSummary {
    /// Adds the result of a rescan.
    mutating func add(_ rescan: PassSummary, found: Int) {
        self.found += found
        done += rescan.done
        changed += rescan.changed
        outcomes.merge(rescan.outcomes, uniquingKeysWith: +)
    }

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
