import DurableFiles
import Glibc
import Ingest
import Logging
import Processes
import Profiles
import Settings

/// The files and ports that a role needs by its configuration, as a second layer to the restrictions of its unit.
///
/// The rules hold for the life of the process. A reload cannot add a folder that the configuration did not name at the
/// start.
enum RoleFiles {
    /// Restricts this process, which must have no other thread. Without Landlock, a line of the log says so.
    static func restrict(config: String, roles: Set<Assembly.Role>) {
        // The start reports the error of a configuration that cannot be read.
        guard let settings = try? Settings(path: config) else { return }
        let log = Logger(label: "spendwised") { _ in StandardErrorLog() }
        let reads = roles.contains(.ingest) || roles.contains(.once)
        if reads, settings.runsCommands {
            log.notice("files are not restricted: a password_command may need any of them")
            return
        }
        var rules = FileRules()
        allowSystem(&rules)
        allowShared(settings, config, &rules)
        if reads { allowMailReader(settings, config, &rules) }
        if roles.contains(.web) { allowWeb(settings, &rules) }
        rules.listening = roles.contains(.web) ? [UInt16(settings.web.port)] : []
        rules.connects = reads
        if case .unavailable(let reason) = rules.enter() {
            log.notice("files are not restricted by Landlock", metadata: ["reason": "\(reason)"])
        }
    }

    /// What the C library, TLS and the time zones read; the program, its libraries and the one that reads PDFs.
    private static func allowSystem(_ rules: inout FileRules) {
        for path in ["/usr", "/bin", "/lib", "/lib64"] { rules.allow(.run, path) }
        for path in ["/etc", "/proc", "/sys"] { rules.allow(.read, path) }
        // `/dev/null` for the input of child processes.
        rules.allow(.use, "/dev")
        // A resolver replaces this file, and on many systems it is a link into /run.
        rules.allow(.read, FilePlace.folder(of: target("/etc/resolv.conf")))
        rules.allow(.read, "/run/nscd")
        rules.allow(.run, FilePlace.folder(of: InstalledFiles.program))
        rules.allow(.run, FilePlace.folder(of: InstalledFiles.pdfProgram))
        for library in loadedFiles() { rules.allow(.run, FilePlace.folder(of: library)) }
        rules.allow(.read, InstalledFiles.shared)
        // OpenSSL's own variables.
        for variable in ["SSL_CERT_FILE", "SSL_CERT_DIR"] {
            if let path = getenv(variable) { allowFile(String(cString: path), &rules) }
        }
    }

    private static func allowShared(_ settings: Settings, _ config: String, _ rules: inout FileRules) {
        rules.allow(.read, config)
        for path in [settings.database, target(settings.database)] { rules.allow(.write, FilePlace.folder(of: path)) }
        if let proofs = Program.proofs.path { rules.allow(.write, FilePlace.folder(of: proofs)) }
        allowFile(settings.categories, &rules)
        for folder in settings.parsers { allowProfiles(folder, &rules) }
    }

    private static func allowMailReader(_ settings: Settings, _ config: String, _ rules: inout FileRules) {
        // Mailboxes that are added on the page. The folder has to exist before the rules.
        if let added = AddedMailboxes(ledger: settings.database), (try? added.makeFolders()) != nil {
            rules.allow(.write, added.folder)
        }
        // Read again by a reload and before each statement.
        allowFile(config, &rules)
        if let credentials = getenv("CREDENTIALS_DIRECTORY") { rules.allow(.read, String(cString: credentials)) }
        for secret in settings.secretFiles { allowFile(secret.path, &rules) }
        for token in settings.refreshTokenFiles {
            allowFile(token.path, &rules)
            rules.allow(.write, FilePlace.folder(of: token.path))
        }
        for maildir in settings.maildirs { rules.allow(.read, maildir.path) }
        var authorities = settings.mailboxes.compactMap(\.caFile) + settings.notifications.compactMap(\.caFile)
        for case .oauth(let oauth) in settings.mailboxes.map(\.login) {
            authorities += [oauth.caFile].compactMap(\.self)
        }
        for file in authorities { allowFile(file, &rules) }
    }

    private static func allowWeb(_ settings: Settings, _ rules: inout FileRules) {
        if let file = settings.web.clientCA { allowFile(file, &rules) }
        switch settings.web.tls {
        case .none: break
        case .files(let certificate, let key): for file in [certificate, key] { allowFile(file, &rules) }
        case .selfSigned(let certificate, _): rules.allow(.write, FilePlace.folder(of: certificate))
        }
    }

    /// Its folder, because a new version takes the place of a file, and the folder of what a link points to.
    private static func allowFile(_ path: String, _ rules: inout FileRules) {
        for file in [path, target(path)] { rules.allow(.read, FilePlace.folder(of: file)) }
    }

    /// A folder of profiles, with the targets of the links in it and in the folders of its banks.
    private static func allowProfiles(_ path: String, _ rules: inout FileRules) {
        rules.allow(.read, path)
        let banks = (FolderEntries.names(path) ?? []).filter { !$0.hasPrefix(".") }.map { path + "/" + $0 }
        for folder in [path] + banks {
            for link in FolderEntries.links(folder) where !link.hasPrefix(".") {
                rules.allow(.read, target(folder + "/" + link))
            }
        }
    }

    /// The file that a path leads to; the path itself if there is none.
    private static func target(_ path: String) -> String { FilePlace.target(of: path) ?? path }

    /// The program and its libraries: the files of which this process can execute a part (proc(5), `/proc/pid/maps`).
    private static func loadedFiles() -> Set<String> {
        guard let maps = fopen("/proc/self/maps", "re") else { return [] }
        defer { fclose(maps) }
        var text = [CChar](repeating: 0, count: Int(PATH_MAX) + 128)
        var files: Set<String> = []
        while fgets(&text, CInt(text.count), maps) != nil {
            text.withUnsafeMutableBufferPointer { line in
                // `7f0b57ff1000-7f0b57ff9000 r-xp 00002000 fe:00 1234 /usr/lib/libm.so.6`
                guard let begin = line.baseAddress, let rights = strchr(begin, 0x20), rights[3] == 0x78,
                    let slash = strchr(rights, 0x2F)
                else { return }
                slash[strcspn(slash, "\n")] = 0
                files.insert(String(cString: slash))
            }
        }
        return files
    }
}
