import ArgumentParser
import Chronology
import Codecs
import Glibc
import Ingest
import InternetMessage
import Ledger
import Profiles
import Settings
import Store

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Book the bank mail of archives: .eml files, mbox files (Thunderbird, Google Takeout), Maildirs, folders of these.",
        discussion: """
            Mails that were read before, over IMAP or from any archive, are duplicates: nothing is booked twice. Ctrl-C ends after the current commit; \
            the same command continues from there. Exit status: 0 all read, 1 something could not be read, 130 interrupted.

            The authenticity of mails needs one of the two options below. Without them, mails of banks are quarantined.

              --authserv-id mx.google.com   The archive holds mail as a provider delivered it, with the provider's Authentication-Results headers: \
            Google Takeout, a copy made by a mail program. Forged mail in it stays quarantined.
              --trust-delivery              You know that it has no forged mail: your own server refuses forgeries, or you selected the mails by hand.
            """)

    @Argument(
        help:
            "Files and folders; - is standard input, a mail or an mbox file ('zcat all.mbox.gz | parserctl import -').")
    var paths: [String]
    @Option(help: "The name of the archive in the ledger: its mails are in the mailbox 'import:LABEL'.")
    var label = "files"
    @Option(
        name: .customLong("authserv-id"),
        help: ArgumentHelp("Trust the Authentication-Results of this name (Gmail: mx.google.com).", valueName: "id"))
    var authservID: String?
    @Flag(help: "Trust every mail in the archive.")
    var trustDelivery = false
    @Flag(help: "Write nothing: report what would be booked.")
    var dryRun = false
    @Flag(help: "Start again after an interrupted import. Nothing is booked twice.")
    var restart = false
    @Flag(help: "The summary as one JSON object.")
    var json = false
    @OptionGroup var locations: Locations

    func validate() throws {
        if paths.isEmpty { throw ValidationError("give a file or a folder to import") }
        if trustDelivery, authservID != nil {
            throw ValidationError("--trust-delivery and --authserv-id exclude each other")
        }
        if authservID == "" { throw ValidationError("--authserv-id needs a name, such as mx.google.com") }
        if label.isEmpty || label.contains(where: \.isNewline) { throw ValidationError("a label is one line of text") }
    }

    private var policy: AuthenticationPolicy {
        trustDelivery ? .trustDelivery : authservID.map { .pinned(authservID: $0) } ?? .noTrustedServer
    }

    func run() async throws {
        let interruption = Interruption()
        let summary = try orExit {
            let settings = try locations.settings()
            let (store, scratch) = try open(settings)
            defer { scratch?.remove() }
            let intake = Intake(
                profiles: try locations.profilesInForce(samples: false), categories: try store.categories.rules(),
                authentication: policy,
                decisions: settings?.decisions ?? DecisionSettings())
            var work = ArchiveImport(store: store, intake: intake, mailbox: "import:" + label)
            let roots = try paths.map(absolute)
            var progress = ImportProgress(total: roots.reduce(0) { $0 + size($1) }, isQuiet: json)
            for root in roots where !interruption.isRaised {
                try work.run(
                    root, resumes: !restart && !dryRun, isStopped: { interruption.isRaised },
                    progress: { progress.show($0) })
            }
            progress.finish()
            // A copy of the database file alone must hold what was imported.
            try store.checkpoint()
            return work.summary
        }
        let report = ImportReport(
            summary: summary, isDryRun: dryRun, isInterrupted: interruption.isRaised, seconds: interruption.seconds,
            command: self)
        Output.line(json ? report.json.text : report.text)
        if interruption.isRaised { throw ExitCode(130) }
        if !summary.faults.isEmpty { throw ExitCode(1) }
    }

    /// The ledger; for a dry run a copy of it, which finds the same duplicates.
    private func open(_ settings: Settings?) throws -> (store: Store, scratch: ScratchLedger?) {
        guard let path = locations.database ?? settings?.database else {
            throw Locations.noDatabase
        }
        let scratch = dryRun ? try ScratchLedger(copying: path) : nil
        let store = try Store(path: scratch?.path ?? path, timeZone: settings?.timeZone ?? .kolkata)
        if let settings { try store.seed(from: settings.categories) }
        return (store, scratch)
    }

    private func absolute(_ path: String) throws -> String {
        if path == "-" { return path }
        guard let real = realpath(path, nil) else {
            throw ArchiveMissing(path: path, reason: String(cString: strerror(errno)))
        }
        defer { free(real) }
        return String(cString: real)
    }

    private func size(_ root: String) -> Int64 {
        var total: Int64 = 0
        if root != "-" {
            try? ArchiveWalk(root: root).files(fault: { _ in }) {
                total += $0.identity.size
                return true
            }
        }
        return total
    }
}

fileprivate struct ArchiveMissing: Error, CustomStringConvertible {
    let path: String
    let reason: String
    var description: String { "\(path) cannot be read: \(reason)" }
}

/// A temporary copy of the ledger.
fileprivate struct ScratchLedger {
    private let folder: String
    var path: String { folder + "/ledger.db" }

    init(copying path: String) throws {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/parserctl-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw ArchiveMissing(path: parent, reason: String(cString: strerror(errno)))
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if access(path, F_OK) == 0 {
            do { try Store(path: path, readOnly: true).copy(to: self.path) } catch {
                remove()
                throw error
            }
        }
    }

    func remove() {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
        rmdir(folder)
    }
}
