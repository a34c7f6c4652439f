internal import Glibc
public import Ledger
import ProfileAuthoring
public import Profiles
public import Store

/// Derives new templates from review items and mends the templates that read them wrongly.
///
/// Every result is proven: against the bank's samples, the retained mail and lint. Nothing is written.
public struct TemplateEditor: Sendable {
    /// The work that a surface can afford.
    public struct Limits: Sendable {
        /// The maximum number of retained mails that a template is tried on, the oldest first; `nil` for all.
        public var retainedMails: Int?
        /// Loads the profiles of the mail's bank only, to save memory.
        public var loadsOneBank: Bool
        /// Asked before each retained mail. If true, the work ends with a `CancellationError`.
        public var isStopped: @Sendable () -> Bool = { false }

        public init(retainedMails: Int? = nil, loadsOneBank: Bool = false) {
            self.retainedMails = retainedMails
            self.loadsOneBank = loadsOneBank
        }

        /// Those of the daemon, which runs where memory is short.
        public static let daemon = Limits(retainedMails: 2000, loadsOneBank: true)
    }

    /// The purpose of a new template.
    public enum Purpose: Hashable, Sendable {
        /// Reads such mails as transactions with these values.
        case read([Field: String])
        /// Ignores such mails.
        case ignore(IgnoreReason)
    }

    /// A proven template that is not written yet.
    public struct Proposal: Sendable {
        /// `hdfc/card-spend`.
        public var template: String
        /// In the last profile folder.
        public var path: String
        public var yaml: String
        /// The present content of the file, if a template is mended.
        public var old: String?
        /// The choices made, and the result of the proof.
        public var notes: [String]
        /// The file of a bank that has no profile yet.
        public var bank: (path: String, yaml: String)?
        /// The bank's templates that claimed the mail, with an exception for such mails.
        public var changed: [Change] = []

        public init(template: String, path: String, yaml: String, notes: [String]) {
            self.template = template
            self.path = path
            self.yaml = yaml
            self.notes = notes
        }
    }

    /// Another template as it would be.
    public struct Change: Hashable, Sendable {
        /// In the last profile folder.
        public var path: String
        public var old: String
        public var yaml: String
        /// The folder has the file already; otherwise the file of an earlier folder is in force without this one.
        public var exists: Bool
    }

    /// Other mails of the same shape that are examples for a template that ignores: more examples show what varies.
    static let alikeMails = 3

    private let store: Store
    private let folders: ProfileFolders
    private let limits: Limits

    public init(_ store: Store, folders: ProfileFolders, limits: Limits = Limits()) {
        self.store = store
        self.folders = folders
        self.limits = limits
    }

    /// - Throws: ``TemplateEditorError``, `StoreError`.
    public func mail(of id: ReviewID) throws -> ReviewedMail { try ReviewedMail(id, in: store) }

    /// Mends the template that claimed the mail.
    /// - Throws: ``TemplateEditorError``, `DerivationError`, `RedactionError`, or an error of the profile files.
    public func mend(_ template: String, by mail: ReviewedMail, _ values: [Field: String]) throws -> Proposal {
        guard let bank = mail.bank else { throw TemplateEditorError.noBank }
        let folder = try folder()
        let result = try TemplateMending(folders: folders, template: template, mail: mail.example(values))
            .run(retained: [retainedMails(of: bank)])
        var proposal = Proposal(
            template: template, path: "\(folder)/\(template).yaml", yaml: result.yaml, notes: result.notes)
        proposal.old = result.old
        return proposal
    }

    /// Derives a new template.
    /// - Parameters:
    ///   - name: within the bank; `nil` for a free name that names the reason.
    ///   - withAlike: also derives from waiting mails of the same shape, if that succeeds.
    /// - Throws: ``TemplateEditorError``, `DerivationError`, `RedactionError`, or an error of the profile files.
    public func derive(
        _ purpose: Purpose, from mail: ReviewedMail, name: String?, withAlike: Bool = false
    ) throws -> Proposal {
        guard let bank = mail.bank else { throw TemplateEditorError.noBank }
        let folder = try folder()
        let name = try name ?? freeName(for: purpose, of: bank)
        guard TemplateKey.isValid(name) else { throw TemplateEditorError.invalidName(name) }
        let own: ExampleMail
        let options: DraftOptions
        switch purpose {
        case .read(let values):
            own = mail.example(values)
            options = DraftOptions(type: mail.row?.type, channel: mail.row?.channel)
        case .ignore(let reason):
            own = mail.example([:])
            options = DraftOptions(ignore: reason)
        }
        func derivation(_ mails: [ExampleMail]) throws -> Derivation.Result {
            var derivation = try Derivation(
                folders: folders, target: Derivation.Target(bank: bank, name: name), mails: mails, options: options,
                isAlone: limits.loadsOneBank)
            return try derivation.run(keepValues: false, retained: [retainedMails(of: bank)])
        }
        let alike = withAlike ? try waitingMails(alike: mail.mail) : []
        let result: Derivation.Result
        do { result = try derivation([own] + alike) } catch  where !alike.isEmpty { result = try derivation([own]) }
        var proposal = Proposal(
            template: "\(bank)/\(name)", path: "\(folder)/\(bank)/\(name).yaml", yaml: result.yaml, notes: result.notes)
        proposal.bank = result.bankYAML.map { ("\(folder)/\(bank)/_bank.yaml", $0) }
        proposal.changed = result.changed.map { change in
            let path = "\(folder)/\(change.template).yaml"
            return Change(path: path, old: change.old, yaml: change.yaml, exists: access(path, F_OK) == 0)
        }
        return proposal
    }

    /// Proves a complete template file again, by the same checks as ``derive(_:from:name:withAlike:)`` and
    /// ``mend(_:by:_:)`` prove theirs.
    ///
    /// - Parameters:
    ///   - mail: the ID of a retained mail that it must read with the values, or ignore if there are none.
    /// - Throws: ``TemplateEditorError``, `DerivationError`, `StoreError`, or an error of the profile files.
    public func prove(_ yaml: String, as template: String, by mail: String, _ values: [Field: String]?) throws {
        guard TemplateKey.isName(template) else { throw TemplateEditorError.invalidName(template) }
        guard let bytes = try store.mails.raw(ofMail: mail) else { throw TemplateEditorError.notRetained }
        try TemplateProof.prove(
            yaml, as: template, by: ExampleMail(name: "the mail", bytes: bytes, values: values ?? [:]),
            ignores: values == nil, folders: folders,
            retained: [retainedMails(of: String(template.prefix { $0 != "/" }))])
    }

    private func folder() throws(TemplateEditorError) -> String {
        guard let folder = folders.configured.last else { throw .noProfileFolder }
        return folder
    }

    private func freeName(for purpose: Purpose, of bank: String) throws(TemplateEditorError) -> String {
        guard case .ignore(let reason) = purpose else { throw .invalidName("") }
        let base = "not-booked-\(reason.rawValue)"
        let all = folders.configured + [folders.activated].compactMap(\.self)
        func isTaken(_ name: String) -> Bool { all.contains { access("\($0)/\(bank)/\(name).yaml", F_OK) == 0 } }
        return ([base] + (2...99).map { "\(base)-\($0)" }).first { !isTaken($0) } ?? base
    }

    private func waitingMails(alike mail: MailRow) throws -> [ExampleMail] {
        guard let shape = mail.shape else { return [] }
        var found: [ExampleMail] = []
        for item in try store.review.queue(limit: Self.alikeMails + 1, shape: shape) {
            guard let other = item.mail, other.id != mail.id, found.count < Self.alikeMails,
                let bytes = try store.mails.raw(ofMail: other.id)
            else { continue }
            found.append(.init(name: "mail \(other.id)", bytes: bytes, values: [:]))
        }
        return found
    }

    private struct LimitReached: Error {}

    private func retainedMails(of bank: String) -> TemplateProof.RetainedMails {
        { each in
            var count = 0
            do {
                try store.rescans.retainedMails(Set(Outcome.allCases), bank: (bank, [])) { mails in
                    for mail in mails {
                        if count == limits.retainedMails { throw LimitReached() }
                        if limits.isStopped() { throw CancellationError() }
                        count += 1
                        try each("mail \(mail.row.id)", mail.bytes)
                    }
                }
            } catch is LimitReached {}
        }
    }
}

extension ReviewedMail {
    fileprivate func example(_ values: [Field: String]) -> ExampleMail {
        .init(name: "this mail", bytes: bytes, values: values)
    }
}
