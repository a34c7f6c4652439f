import Glibc

/// Notices of the kernel about new files in folders (inotify(7)). For one thread.
final class FolderNotices {
    enum Notice: Equatable {
        /// A file is complete: it was moved here, or closed after writing.
        case file(folder: Int, name: String)
        /// A file was created, and may still be written.
        case begun(folder: Int, name: String)
        /// Events were dropped: all folders are to be read.
        case overflow
        /// A folder was moved, deleted or unmounted, and is no longer watched.
        case gone
    }

    /// For `poll(2)`.
    let descriptor: Int32
    /// The number of each folder, by its watch.
    private var folders: [Int32: Int] = [:]
    private static let events = UInt32(
        IN_MOVED_TO | IN_CREATE | IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

    /// `nil` if the system has no instance left (fs.inotify.max_user_instances): only polling remains.
    init?() {
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// - Returns: false if it cannot be watched, with the reason in `errno`.
    func watch(_ path: String, as folder: Int) -> Bool {
        let watch = inotify_add_watch(descriptor, path, Self.events)
        if watch >= 0 { folders[watch] = folder }
        return watch >= 0
    }

    /// Watches only for a move or deletion of the folder itself.
    func watchPlace(of path: String) {
        _ = inotify_add_watch(descriptor, path, UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR))
    }

    /// Reads all pending notices without waiting.
    func read() -> [Notice] {
        var notices: [Notice] = []
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 16) { buffer in
            while true {
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                var at = 0
                let header = MemoryLayout<inotify_event>.size
                while at + header <= count {
                    let event = buffer.loadUnaligned(fromByteOffset: at, as: inotify_event.self)
                    let name = buffer[(at + header)..<min(at + header + Int(event.len), count)].prefix { $0 != 0 }
                    if let notice = notice(event.wd, event.mask, name) { notices.append(notice) }
                    at += header + Int(event.len)
                }
            }
        }
        return notices
    }

    private func notice(_ watch: Int32, _ mask: UInt32, _ name: Slice<UnsafeMutableRawBufferPointer>) -> Notice? {
        if mask & UInt32(IN_Q_OVERFLOW) != 0 { return .overflow }
        if mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT) != 0 { return .gone }
        guard let folder = folders[watch], !name.isEmpty, mask & UInt32(IN_ISDIR) == 0 else { return nil }
        let text = String(decoding: name, as: UTF8.self)
        return mask & UInt32(IN_CREATE) != 0 ? .begun(folder: folder, name: text) : .file(folder: folder, name: text)
    }
}
