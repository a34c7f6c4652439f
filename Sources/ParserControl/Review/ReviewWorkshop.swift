import ArgumentParser
import Glibc
import Ingest
import Ledger
import Profiles
import ReviewScreen
import Settings
import Store
import YAMLSource

/// `parserctl new` for the review screen: templates from items of the queue.
struct ReviewWorkshop {
    /// Mails of one form from which a template to ignore them is derived: more of them show what varies.
    static let alikeMails = 3

    let locations: Locations
    let store: Store

    /// The screen on this terminal, until the person quits.
    static func runScreen(_ locations: Locations) throws {
        let store = try locations.store(readOnly: false)
        let workshop = ReviewWorkshop(locations: locations, store: store)
        let desk = LedgerDesk(
            store, workshop: Workshop(propose: workshop.propose, write: workshop.write, takeBack: workshop.takeBack),
            autoConfirmAt: try locations.thresholds())
        let wantsColours = getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
        let done: Int
        do { done = try ReviewScreen.run(desk, wantsColours: wantsColours) } catch { throw ValidationError("\(error)") }
        let left = try store.statusSummary().waiting
        print("\(done) settled, \(left == 0 ? "nothing" : "\(left)") left")
    }

    func propose(_ id: ReviewID, _ wish: Proposal.Wish) throws -> Proposal {
        guard let item = try store.reviewItem(id), let mail = item.mail else { throw ValidationError("it has no mail") }
        guard let bank = mail.profile ?? item.transaction?.profile else {
            throw ValidationError("no profile knows this sender: 'parserctl new' makes a bank")
        }
        let folders = try locations.profileFolders()
        guard let folder = folders.last else {
            throw ValidationError("no profile folder is known: use --parsers FOLDER")
        }
        let name: String
        var values: [Field: String] = [:]
        var draftWish = TemplateDraft.Wish()
        switch wish {
        case .ignore(let reason):
            name = freeName(reason, bank, folders)
            draftWish.ignore = IgnoreReason(rawValue: reason)
        case .read(let wanted):
            guard New.isKey(wanted) else {
                throw ValidationError("'\(wanted)': use lower-case letters, digits and hyphens, a letter first")
            }
            name = wanted
            draftWish.type = item.transaction?.type
            draftWish.channel = item.transaction?.channel
        }
        let reviewed = try ReviewedMail(id.argument, in: store)
        if draftWish.ignore == nil { values = reviewed.values }
        let own = TemplateProof.Given(name: "this mail", bytes: reviewed.bytes, values: values)
        func derive(_ mails: [TemplateProof.Given]) throws -> Derivation.Result {
            var derivation = try Derivation(
                folders: folders, bank: bank, name: name, bankName: nil, mails: mails, wish: draftWish, replaces: false)
            return try derivation.run(keepValues: false, kept: [{ try kept(of: bank, $0) }])
        }
        let result: Derivation.Result
        do {
            let others = draftWish.ignore == nil ? [] : try alike(mail)
            do { result = try derive([own] + others) } catch  where !others.isEmpty { result = try derive([own]) }
        } catch let error as DerivationError { throw Refused(description: "\(error)") } catch let error
            as RedactionError
        { throw Refused(description: error.message) }
        return Proposal(
            id: id, wish: wish, template: "\(bank)/\(name)", path: "\(folder)/\(bank)/\(name).yaml", yaml: result.yaml,
            notes: result.notes,
            bank: result.bankYAML.map { ("\(folder)/\(bank)/_bank.yaml", $0) })
    }

    /// Other mails of its form that wait.
    private func alike(_ mail: MailRow) throws -> [TemplateProof.Given] {
        guard let shape = mail.shape else { return [] }
        var given: [TemplateProof.Given] = []
        for item in try store.reviewQueue(limit: Self.alikeMails + 1, shape: shape) {
            guard let other = item.mail, other.id != mail.id, given.count < Self.alikeMails,
                let bytes = try store.raw(ofMail: other.id)
            else { continue }
            given.append(.init(name: "mail \(other.id)", bytes: bytes, values: [:]))
        }
        return given
    }

    private func kept(of bank: String, _ each: (String, [UInt8]) throws -> Void) throws {
        try store.keptMails(Set(Outcome.allCases), bank: (bank, [])) { mails in
            for mail in mails { try each("mail \(mail.row.id)", mail.bytes) }
        }
    }

    private func freeName(_ reason: String, _ bank: String, _ folders: [String]) -> String {
        func isTaken(_ name: String) -> Bool { folders.contains { access("\($0)/\(bank)/\(name).yaml", F_OK) == 0 } }
        let base = "not-booked-\(reason)"
        return ([base] + (2...99).map { "\(base)-\($0)" }).first { !isTaken($0) } ?? base
    }

    func write(_ proposal: Proposal) throws -> String {
        for (path, yaml) in [(proposal.path, proposal.yaml)] + (proposal.bank.map { [$0] } ?? []) {
            let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
            if mkdir(folder, 0o755) != 0, errno != EEXIST {
                throw SourceError(
                    file: folder, message: "cannot be made: \(String(cString: strerror(errno)))",
                    remedy: "Name a folder of your own with --parsers, the last one.")
            }
            try NewFile.write(Array(yaml.utf8), to: path, replacing: false)
        }
        return try "written to \(proposal.path)\n\(decideAgain(proposal))\n"
            + RunningDaemon.takeOver(database: store.path)
    }

    func takeBack(_ proposal: Proposal) throws -> String {
        for path in [proposal.path] + (proposal.bank.map { [$0.path] } ?? []) where unlink(path) != 0 && errno != ENOENT
        {
            throw SourceError(
                file: path, message: "cannot be removed: \(String(cString: strerror(errno)))",
                remedy: "Remove it as the user that owns it.")
        }
        return try "removed; \(decideAgain(proposal)); \(RunningDaemon.takeOver(database: store.path))"
    }

    /// The kept mails of the bank, by the profiles as they are now on the disk.
    private func decideAgain(_ proposal: Proposal) throws -> String {
        let key = String(proposal.template.prefix { $0 != "/" })
        let kept = try locations.keptMails(store)
        guard let bank = kept.bank(key) else { return "no kept mail changed" }
        let summary = try kept.decideAgain(Outcome.redecidable, bank: bank)
        let changed = Outcome.allCases.compactMap { outcome in
            summary.changed[outcome].map { "\($0) \(outcome.rawValue)" }
        }
        let left = summary.unknownMailboxes.isEmpty ? "" : ", some left alone (use --config)"
        return (changed.isEmpty ? "no kept mail changed" : "kept mails: " + changed.joined(separator: ", ")) + left
    }
}

extension ReviewID {
    /// As the commands take it.
    var argument: String {
        switch self {
        case .transaction(let id): "\(id)"
        case .mail(let id): id
        }
    }
}
