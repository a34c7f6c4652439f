import ArgumentParser
import Console
import DurableFiles
import Glibc
import Ingest
import Ledger
import Review
import ReviewScreen
import Settings
import Store
import YAMLSource

/// The review screen on this terminal, with the template files of this machine.
struct ReviewScreenProgram {
    let locations: Locations
    let store: Store

    /// Runs the screen until the person quits.
    static func run(_ locations: Locations) throws {
        let store = try locations.store(readOnly: false)
        let program = ReviewScreenProgram(locations: locations, store: store)
        let actions = ReviewActions(
            ReviewService(store), editor: TemplateEditor(store, folders: try locations.templateFolders()),
            files: TemplateFiles(write: program.write, remove: program.remove),
            autoConfirmAt: try locations.thresholds())
        let wantsColours = getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
        let done: Int
        do { done = try ReviewScreen.run(actions, wantsColours: wantsColours) } catch {
            throw Refused("\(error)")
        }
        let left = try store.monitoring.status().waiting
        Output.line("\(done) decided, \(left == 0 ? "nothing" : "\(left)") left")
    }

    private func write(_ proposal: TemplateEditor.Proposal) throws -> String {
        for (path, yaml) in [(proposal.path, proposal.yaml)] + (proposal.bank.map { [$0] } ?? []) {
            let folder = FilePlace.folder(of: path)
            if mkdir(folder, 0o755) != 0, errno != EEXIST {
                throw SourceError(
                    file: folder, message: "cannot be created: \(String(cString: strerror(errno)))",
                    remedy: "Name a folder of your own with --parsers, the last one.")
            }
            try NewFile.write(Array(yaml.utf8), to: path, replacing: false)
        }
        for change in proposal.changed { try NewFile.write(Array(change.yaml.utf8), to: change.path, replacing: true) }
        return try "written to \(proposal.path)\n\(decideAgain(proposal))\n"
            + RunningDaemon.reloadAll(database: store.path)
    }

    private func remove(_ proposal: TemplateEditor.Proposal) throws -> String {
        for change in proposal.changed where change.exists {
            try NewFile.write(Array(change.old.utf8), to: change.path, replacing: true)
        }
        let made =
            [proposal.path] + (proposal.bank.map { [$0.path] } ?? [])
            + proposal.changed.filter { !$0.exists }.map(\.path)
        for path in made where unlink(path) != 0 && errno != ENOENT {
            throw SourceError(
                file: path, message: "cannot be removed: \(String(cString: strerror(errno)))",
                remedy: "Remove it as the user that owns it.")
        }
        return try "removed; \(decideAgain(proposal)); \(RunningDaemon.reloadAll(database: store.path))"
    }

    /// Decides the bank's retained mail by the profiles as they are on the disk now.
    private func decideAgain(_ proposal: TemplateEditor.Proposal) throws -> String {
        let key = String(proposal.template.prefix { $0 != "/" })
        let kept = try locations.keptMails(store)
        guard let bank = kept.bank(key) else { return "no retained mail changed" }
        let summary = try kept.decideAgain(Outcome.redecidable, of: .init(bank: bank))
        let changed = Outcome.allCases.compactMap { outcome in
            summary.changed[outcome].map { "\($0) \(outcome.rawValue)" }
        }
        let left = summary.unknownMailboxes.isEmpty ? "" : ", some left alone (use --config)"
        return (changed.isEmpty ? "no retained mail changed" : "retained mails: " + changed.joined(separator: ", "))
            + left
    }
}

/// A review item without the mail or the profiles that a template needs, in the words of the commands.
extension SourceError {
    init(_ error: TemplateEditorError, item: String) {
        let (message, remedy) =
            switch error {
            case .noMail: ("there is no such item with a mail", "'parserctl review' lists them.")
            case .notRetained:
                ("its mail is no longer retained", "Save the mail from the mailbox and name the file instead.")
            case .noBank: ("no profile knows its sender", "'parserctl new' makes a bank.")
            case .invalidName(let name): ("'\(name)' is not a name", "Use \(TemplateKey.rule.dropFirst(4)).")
            case .noProfileFolder: ("no profile folder is known", "Use --parsers FOLDER.")
            }
        self.init(file: "review item \(item)", message: message, remedy: remedy)
    }
}
