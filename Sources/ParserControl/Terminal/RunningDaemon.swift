import DurableFiles
import Glibc

/// A spendwised that has this ledger open on this machine, found in /proc (proc(5)).
struct RunningDaemon {
    let process: Int32

    /// Every such process of this user. Processes of others show no open files and accept no signals.
    static func of(database: String) -> [RunningDaemon] {
        guard let path = FilePlace.target(of: database) else { return [] }
        return processes().filter { $0.isOwn && $0.opens(path) && $0.catchesHangup }.map {
            RunningDaemon(process: $0.id)
        }
    }

    /// True if another user's spendwised runs, which may have the ledger open.
    static var otherUserRuns: Bool { processes().contains { !$0.isOwn } }

    /// Makes it read the profiles again, as `systemctl reload` does.
    /// - Returns: false if it accepts no signal.
    func reload() -> Bool { kill(process, SIGHUP) == 0 }

    /// Makes the daemon load written or removed profiles, if possible.
    /// - Returns: the completed or remaining action, in one sentence.
    static func reloadAll(database: String) -> String {
        let own = of(database: database).filter { $0.reload() }
        if !own.isEmpty {
            return
                "spendwised (process \(own.map { "\($0.process)" }.joined(separator: ", "))) uses it for new mail now"
        }
        if otherUserRuns { return "for new mail: sudo systemctl reload spendwise-ingest spendwise-web" }
        return "no spendwised runs with this ledger: it is in force from the next start"
    }

    private struct Process {
        var id: Int32
        var isOwn: Bool

        /// The first 4 KB of a file of its folder in /proc.
        func text(_ name: String) -> String {
            let descriptor = Glibc.open("/proc/\(id)/\(name)", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return "" }
            defer { close(descriptor) }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(descriptor, &bytes, bytes.count)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }

        func opens(_ path: String) -> Bool {
            (FolderEntries.names("/proc/\(id)/fd") ?? []).contains { name in
                var target = [CChar](repeating: 0, count: Int(PATH_MAX))
                let count = readlink("/proc/\(id)/fd/\(name)", &target, target.count - 1)
                return count > 0
                    && String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) == path
            }
        }

        /// A process without a handler, such as one that is starting, would be ended by SIGHUP.
        var catchesHangup: Bool {
            guard let line = text("status").split(separator: "\n").first(where: { $0.hasPrefix("SigCgt:") }),
                let mask = line.split(whereSeparator: \.isWhitespace).last
            else { return false }
            return (UInt64(mask, radix: 16) ?? 0) & 1 == 1
        }
    }

    private static func processes() -> [Process] {
        (FolderEntries.names("/proc") ?? []).compactMap { Int32($0) }.compactMap { id in
            var found = stat()
            let process = Process(id: id, isOwn: stat("/proc/\(id)", &found) == 0 && found.st_uid == geteuid())
            return process.text("comm").split(separator: "\n").first == "spendwised" ? process : nil
        }
    }
}
