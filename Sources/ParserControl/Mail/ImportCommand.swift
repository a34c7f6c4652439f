import ArgumentParser
import Backup
import Chronology
import Codecs
import Console
import DurableFiles
import Glibc
import Ingest
import InternetMessage
import Ledger
import Profiles
import Settings
import Store

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract:
            "Book the bank mail of archives: .eml files, mbox files (Thunderbird, Google Takeout), Maildirs, folders of these.",
        discussion: """
            Mails that were read before, over IMAP or from any archive, are duplicates: nothing is booked twice. Ctrl-C ends after the current commit; \
            the same command continues from there. Exit status: 0 all read, 1 something could not be read, 130 interrupted.

            Mails of banks are quarantined unless the sender is confirmed:

              --authserv-id mx.google.com   The archive holds mail as a provider delivered it, with the provider's Authentication-Results headers: \
            Google Takeout, a copy made by a mail program. Forged mail in it stays quarantined. Default: the authserv_id of the configuration if all \
            mailboxes have the same.
              --trust-delivery              You know that it has no forged mail: your own server refuses forgeries, or you selected the mails by hand.
            """)

    @Argument(help: "Files and folders, also .gz, .tgz, .tar and .zip files; - is standard input.")
    var paths: [String]
    @Option(help: "The name of the archive in the ledger: its mails are in the mailbox 'import:LABEL'.")
    var label = "files"
    @OptionGroup var authentication: AuthenticationOptions
    @Flag(help: "Trust every mail in the archive.")
    var trustDelivery = false
    @Flag(help: "Write nothing: list the outcome of each mail of a bank.")
    var dryRun = false
    @Flag(help: "Start again after an interrupted import. Nothing is booked twice.")
    var restart = false
    @Flag(help: "The summary as one JSON object.")
    var json = false
    @OptionGroup var locations: Locations

    func validate() throws {
        if paths.isEmpty { throw ValidationError("give a file or a folder to import") }
        if trustDelivery, authentication.authservID != nil {
            throw ValidationError("--trust-delivery and --authserv-id exclude each other")
        }
        if label.isEmpty || label.contains(where: \.isNewline) { throw ValidationError("a label is one line of text") }
    }

    /// The policy of the options, or that of the one authserv-id that all configured mailboxes have.
    private func policy(_ settings: Settings?) -> AuthenticationPolicy {
        if trustDelivery { return .trustDelivery }
        if authentication.ignoresConfiguration { return .noTrustedServer }
        if let policy = authentication.policy { return policy }
        let configured = FilePolicies(settings)
        guard configured.authservIDs.count == 1 else { return .noTrustedServer }
        return configured.policy(of: configured.authservIDs[0])
    }

    func run() async throws {
        let interruption = Interruption()
        let list = DryRunList(isJSON: json)
        let settings = try orExit { try locations.settings() }
        let policy = self.policy(settings)
        let summary = try orExit { try read(settings, policy, list, interruption) }
        let report = ImportReport(
            summary: summary, isInterrupted: interruption.isRaised, seconds: interruption.seconds,
            authservID: policy.authservID, dryRun: dryRun ? list : nil)
        Output.line(json ? report.json.text : report.text)
        if interruption.isRaised { throw Exit.interrupted }
        if !summary.faults.isEmpty { throw Exit.failed }
    }

    private func read(
        _ settings: Settings?, _ policy: AuthenticationPolicy, _ list: DryRunList, _ interruption: Interruption
    ) throws -> ImportSummary {
        let (store, scratch) = try open(settings)
        defer { withExtendedLifetime(scratch) {} }
        let intake = Intake(
            profiles: try locations.profilesInForce(.deferred), rules: try store.bookingRules(),
            authentication: policy, decisions: settings?.decisions ?? DecisionSettings())
        var work = ArchiveImport(store: store, intake: intake, mailbox: "import:" + label, unpack: PackedMail.open)
        if dryRun { work.onRecord = { list.add($0, $1, $2) } }
        let roots = try paths.map(absolute)
        var progress = ImportProgress(total: roots.reduce(0) { $0 + size($1) }, isQuiet: json || dryRun)
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

    /// The ledger; for a dry run a copy of it, which finds the same duplicates.
    private func open(_ settings: Settings?) throws -> (store: Store, scratch: Scratch?) {
        guard let path = locations.database ?? settings?.database else {
            throw Locations.noDatabase
        }
        let scratch = dryRun ? try Scratch(in: TemporaryPath.folder) : nil
        if let scratch, access(path, F_OK) == 0, !DatabasePath(path).isEmpty {
            try Store(path: path, readOnly: true).copy(to: scratch.path)
        }
        let store = try Store(path: scratch?.path ?? path, timeZone: settings?.timeZone ?? .kolkata)
        if let settings { try store.seed(from: settings.categories) }
        return (store, scratch)
    }

    private func absolute(_ path: String) throws -> String {
        if path == "-" { return path }
        guard let target = FilePlace.target(of: path) else {
            throw ArchiveMissing(path: path, reason: String(cString: strerror(errno)))
        }
        return target
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

extension AuthenticationPolicy {
    fileprivate var authservID: String? { if case .pinned(let id, _) = self { id } else { nil } }
}

fileprivate struct ArchiveMissing: Error, CustomStringConvertible {
    let path: String
    let reason: String
    var description: String { "\(path) cannot be read: \(reason)" }
}
