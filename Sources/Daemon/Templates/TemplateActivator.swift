import Chronology
import DurableFiles
import Ingest
import Logging
import Profiles
import Review
import Settings
import Store

/// Decides about the templates that the page asks for: proves each as `parserctl new` does, writes its file, and
/// removes the files of those that are no longer wanted.
///
/// A file is written before its row becomes active, and removed before its row ends. After a crash in between, the same
/// request is decided again.
struct TemplateActivator: Sendable {
    let store: Store
    let settings: Settings
    let logger: Logger
    var isStopped: @Sendable () -> Bool = { false }

    private var files: ActivatedFiles { ActivatedFiles(settings.activatedTemplates) }
    private var rows: TemplateActivationRepository<Store> { store.templateActivations }

    /// Decides about every request.
    /// - Throws: an error of the ledger. The requests that are left stay.
    func pass() throws {
        let waiting = Set(try rows.requested().map(\.template))
        // A ledger that was restored has the rows without the files.
        for activation in try rows.active() where !waiting.contains(activation.template) {
            if !files.has(activation.template) { try rows.askAgain(activation) }
        }
        for request in try rows.requested() where !isStopped() { try decide(request) }
    }

    private func decide(_ request: TemplateActivation) throws {
        var metadata: Logger.Metadata = ["template": "\(request.template)", "digest": "\(request.digest.prefix(12))"]
        if request.withdrawAskedAt != nil {
            if let problem = restore(request.template, without: request) {
                return logger.warning("template not removed", metadata: ["reason": "\(problem)"])
            }
            try rows.withdrawn(request, at: .now)
            return logger.notice("template deactivated", metadata: metadata)
        }
        do {
            guard let reason = try refusal(of: request) else {
                try rows.activated(request, at: .now)
                return logger.notice("template activated", metadata: metadata)
            }
            // An earlier pass may have ended between the file and the row.
            if let problem = restore(request.template, without: request) { metadata["file"] = "\(problem)" }
            try rows.refused(request, because: reason, at: .now)
            // The reason may name values of the mail.
            logger.notice("template refused, the page shows why", metadata: metadata)
        } catch is CancellationError {
            return
        }
    }

    /// Proves the template and writes its file.
    ///
    /// - Returns: why it is refused; `nil` if the file is written.
    /// - Throws: `StoreError`, or `CancellationError` when the daemon stops.
    private func refusal(of request: TemplateActivation) throws -> String? {
        guard request.isIntact, request.yaml.utf8.count <= TemplateActivation.maximumBytes else {
            return "the request is damaged: draft the template again"
        }
        var limits = TemplateEditor.Limits.daemon
        limits.isStopped = isStopped
        do {
            try TemplateEditor(store, folders: ProfileFolders(settings), limits: limits).prove(
                request.yaml, as: request.template, by: request.mail, request.expected)
        } catch let error as StoreError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch let error as TemplateEditorError {
            return error.refusal
        } catch {
            return "\(error)"
        }
        do throws(FileWriteError) { try files.write(request.yaml, as: request.template) } catch {
            return "its file below \(files.folder) cannot be written: \(error)"
        }
        return nil
    }

    /// Gives the file of a template the text of the row that is in use, or removes it.
    ///
    /// - Returns: the problem, if there is one.
    private func restore(_ template: String, without request: TemplateActivation) -> String? {
        // Another name is no file of this folder, and foreign code in the web role may have written it.
        guard TemplateKey.isName(template) else { return nil }
        do {
            if let former = try rows.active().first(where: { $0.template == template && $0.id != request.id }) {
                try files.write(former.yaml, as: template)
            } else {
                try files.remove(template)
            }
            return nil
        } catch {
            return "\(error)"
        }
    }
}

extension TemplateEditorError {
    fileprivate var refusal: String {
        switch self {
        case .noMail, .notRetained: "the mail by which it is proven is no longer kept"
        case .noBank, .noProfileFolder: "no profile is of its bank"
        case .invalidName: "its name is not one of a bank and a template"
        }
    }
}
