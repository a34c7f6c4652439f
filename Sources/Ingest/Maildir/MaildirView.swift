import Chronology
import DurableFiles
import Settings

/// The state of a Maildir's folders while they are watched.
struct MaildirView {
    /// The folders that exist.
    let folders: [MaildirFolder]
    /// `nil` if inotify is not available: then only polling finds new files.
    let notices: FolderNotices?
    /// Files that may still be written.
    var pending: [MaildirFolder.File] = []
    /// All folders are to be read, whether they changed or not.
    var readsAll = true
    var hasUnreadable = false
    /// The identity of each configured folder.
    private let identities: [[Int64]?]
    private let absence: MaildirFault?
    private var stamps: [[FileStamp]?]
    private var faults: [String?]

    /// - Throws: ``MaildirFault`` if no folder exists. A missing folder does not block the others.
    init(_ settings: MaildirSettings) throws(MaildirFault) {
        let named = settings.folders.map { MaildirFolder($0, of: settings) }
        identities = named.map(\.identity)
        folders = named.filter { $0.absence == nil }
        absence = named.lazy.compactMap(\.absence).first
        if folders.isEmpty, let absence { throw absence }
        // Watched before it is read, so that no message arrives unseen in between.
        notices = Self.watch(folders, settings)
        stamps = folders.map { _ in nil }
        faults = folders.map { _ in nil }
    }

    /// - Returns: `nil` if one of the folders cannot be watched.
    private static func watch(_ folders: [MaildirFolder], _ settings: MaildirSettings) -> FolderNotices? {
        guard let notices = FolderNotices() else { return nil }
        notices.watchPlace(of: settings.path)
        for (index, folder) in folders.enumerated() {
            if folder.path != settings.path { notices.watchPlace(of: folder.path) }
            for (offset, directory) in [folder.new, folder.cur].enumerated() {
                guard notices.watch(directory, as: 2 * index + offset) else { return nil }
            }
        }
        return notices
    }

    /// True if one of the paths names another folder now. inotify watches the old one, and reports no change above it.
    func isReplaced(_ settings: MaildirSettings) -> Bool {
        settings.folders.map { MaildirFolder($0, of: settings).identity } != identities
    }

    /// Every configured folder exists and was read.
    var isWhole: Bool { absence == nil && !hasUnreadable }

    /// The first fault, for health.
    var reason: String? { absence?.description ?? faults.lazy.compactMap(\.self).first }

    /// True if a folder changed since it was read without a fault.
    func isDue(_ index: Int) -> Bool { readsAll || stamps[index] == nil || stamps[index] != folders[index].stamps }

    /// - Parameter before: the folder's stamps before it was read.
    mutating func wasRead(_ index: Int, _ before: [FileStamp]?, fault: String?) {
        faults[index] = fault
        let now = UnixTime.now.seconds
        stamps[index] = fault == nil ? before.flatMap { $0.allSatisfy { $0.isSettled(at: now) } ? $0 : nil } : nil
    }

    /// Reads the notices of the kernel.
    ///
    /// - Returns: the files that are complete; `nil` if a folder is gone.
    mutating func arrivedFiles() -> [MaildirFolder.File]? {
        var files: [MaildirFolder.File] = []
        for notice in notices?.read() ?? [] {
            switch notice {
            case .gone: return nil
            case .overflow: readsAll = true
            case .begun(let folder, let name): if let file = file(name, in: folder) { pending.append(file) }
            case .file(let folder, let name):
                guard let file = file(name, in: folder) else { continue }
                files.append(file)
                pending.removeAll { $0.id == file.id }
            }
        }
        return files
    }

    /// - Parameter number: of the watch.
    private func file(_ name: String, in number: Int) -> MaildirFolder.File? {
        let folder = folders[number / 2]
        return MaildirFolder.File(directory: number % 2 == 0 ? folder.new : folder.cur, name: name)
    }
}
