import Glibc

/// A spendwised that has this ledger open on this machine, as /proc tells (proc(5)).
struct RunningDaemon {
    let process: Int32

    /// Every one of this user; those of others show neither their files nor take this user's signals.
    static func of(database: String) -> [RunningDaemon] {
        guard let resolved = realpath(database, nil) else { return [] }
        defer { free(resolved) }
        let path = String(cString: resolved)
        return processes().filter { $0.isOwn && $0.opens(path) && $0.catchesHangup }.map {
            RunningDaemon(process: $0.id)
        }
    }

    /// Whether one runs that belongs to another user, and may have it open.
    static var isThereAnothers: Bool { processes().contains { !$0.isOwn } }

    /// Asks it to read the profiles anew, as `systemctl reload` does.
    /// - Returns: whether it could be asked.
    func reload() -> Bool { kill(process, SIGHUP) == 0 }

    /// What is to be done, or was done, so that written or removed profiles come into force; one sentence.
    static func takeOver(database: String) -> String {
        let own = of(database: database).filter { $0.reload() }
        if !own.isEmpty {
            return
                "spendwised (process \(own.map { "\($0.process)" }.joined(separator: ", "))) takes it over for new mail now"
        }
        if isThereAnothers { return "for new mail: sudo systemctl reload spendwise-ingest spendwise-web" }
        return "no spendwised runs here with this ledger: it is in force from its next start"
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
            RunningDaemon.names(in: "/proc/\(id)/fd").contains { name in
                var target = [CChar](repeating: 0, count: Int(PATH_MAX))
                let count = readlink("/proc/\(id)/fd/\(name)", &target, target.count - 1)
                return count > 0
                    && String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) == path
            }
        }

        /// SIGHUP ends whoever does not handle it, such as one that only now starts.
        var catchesHangup: Bool {
            guard let line = text("status").split(separator: "\n").first(where: { $0.hasPrefix("SigCgt:") }),
                let mask = line.split(whereSeparator: \.isWhitespace).last
            else { return false }
            return (UInt64(mask, radix: 16) ?? 0) & 1 == 1
        }
    }

    private static func processes() -> [Process] {
        names(in: "/proc").compactMap { Int32($0) }.compactMap { id in
            var found = stat()
            let process = Process(id: id, isOwn: stat("/proc/\(id)", &found) == 0 && found.st_uid == geteuid())
            return process.text("comm").split(separator: "\n").first == "spendwised" ? process : nil
        }
    }

    private static func names(in folder: String) -> [String] {
        guard let handle = opendir(folder) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
