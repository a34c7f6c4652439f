import IMAP

/// What each folder said when it was last read to its end, to tell from a STATUS whether anything is new. Pure.
struct FolderMarks {
    private struct Mark: Equatable {
        var uidValidity: UIDValidity?
        var uidNext: UID?
    }

    private var marks: [String: Mark] = [:]
    /// Folders that could not be opened.
    private(set) var faults: [String: IMAPError] = [:]

    /// - Parameter selected: what EXAMINE said *before* the folder was read: what came during it makes a difference next time.
    mutating func wasRead(_ folder: String, _ selected: Selected) {
        marks[folder] = Mark(uidValidity: selected.uidValidity, uidNext: selected.uidNext)
        faults[folder] = nil
    }

    mutating func failed(_ folder: String, _ fault: IMAPError) {
        marks[folder] = nil
        faults[folder] = fault
    }

    /// - Parameter status: `nil` where the server would not say: the folder is gone.
    func needsReading(_ folder: String, _ status: FolderStatus?) -> Bool {
        guard let status else {
            // Known to be gone already; otherwise a try to open it tells why.
            return faults[folder] == nil
        }
        guard let mark = marks[folder] else { return true }
        if let validity = status.uidValidity, validity != mark.uidValidity { return true }
        // Without UIDNEXT a deletion and an arrival between two looks could not be told apart from nothing.
        guard let next = status.uidNext, let last = mark.uidNext else { return true }
        return next != last
    }
}
