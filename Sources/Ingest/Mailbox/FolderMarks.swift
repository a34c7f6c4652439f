import IMAP

/// The state of each folder at its last complete read, for comparison with a STATUS. Pure.
struct FolderMarks {
    private struct Mark: Equatable {
        var uidValidity: UIDValidity?
        var uidNext: UID?
    }

    private var marks: [String: Mark] = [:]
    /// Folders that could not be opened or read.
    private(set) var faults: [String: IMAPError] = [:]

    /// - Parameter selected: the response to EXAMINE *before* the read, so that mail which arrived during it shows next
    ///   time.
    mutating func wasRead(_ folder: String, _ selected: Selected) {
        marks[folder] = Mark(uidValidity: selected.uidValidity, uidNext: selected.uidNext)
        faults[folder] = nil
    }

    mutating func failed(_ folder: String, _ fault: IMAPError) {
        marks[folder] = nil
        faults[folder] = fault
    }

    /// - Parameter status: `nil` if the server refused it: the folder is gone.
    func needsReading(_ folder: String, _ status: FolderStatus?) -> Bool {
        guard let status else {
            // Opening a folder that was not known to be gone shows the reason.
            return faults[folder] == nil
        }
        guard let mark = marks[folder] else { return true }
        if let validity = status.uidValidity, validity != mark.uidValidity { return true }
        // Without UIDNEXT a deletion and an arrival between two polls appear as no change.
        guard let next = status.uidNext, let last = mark.uidNext else { return true }
        return next != last
    }
}
