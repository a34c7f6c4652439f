import InternetMessage
import Ledger
import Profiles

/// Other templates that claim the mails.
extension Derivation {
    /// Throws if another template of the bank claims a mail. A shared template may: the bank's own take precedence. So
    /// may a template that reads transactions, if the new one ignores: it gets an exception.
    mutating func checkClaimants() throws {
        for (mail, message) in zip(mails, messages) {
            let claimants = base.claim(message).claimants().filter { $0 != template }
            if options.ignore != nil, let other = claimants.first, claimants.count == 1, reads(other) {
                if !exceptions.contains(where: { $0.template == other }) {
                    exceptions.append(try TemplateException(template: other, of: base, in: proof.folders))
                    options.familiar.formUnion(sentences(of: other))
                    notes.append("\(other) claims \(mail.name): it gets an exception for such mails")
                }
                continue
            }
            if let other = claimants.first(where: { !$0.hasPrefix("_") }) {
                throw DerivationError(
                    .notProvable, "\(mail.name) is read by \(other) already",
                    remedy: "See what it reads with 'parserctl explain'; if it reads it wrong, mend that template.")
            }
            if let other = claimants.first {
                notes.append(
                    "\(mail.name) is read by the shared template \(other) too, which gives way to this one: if that reads it right, this one is not needed"
                )
            }
        }
    }

    private func own(_ name: String) -> Template? {
        base.banks.first { $0.key == bank }?.templates.first { $0.name == name }
    }

    /// True if it is a template of the bank's own that reads transactions.
    private func reads(_ name: String) -> Bool {
        if case .transaction? = own(name)?.kind { true } else { false }
    }

    /// The sentences of the mails that a template reads.
    private func sentences(of name: String) -> Set<String> {
        var found: Set<String> = []
        for sample in own(name)?.samples ?? [] {
            guard case .fields = sample.expectation else { continue }
            let text = sample.canonicalText
            found.formUnion(Sentences.all(in: text).map { String(decoding: text[$0], as: UTF8.self).lowercased() })
        }
        return found
    }

    /// The excepted templates as they would be, by name.
    func changed(_ draft: TemplateDraft, _ sample: TemplateDraft.WrittenSample?) throws -> [String: String] {
        guard var pattern = draft.patterns.first, !exceptions.isEmpty else { return [:] }
        var part = TemplateException.Part.text
        if let subject = draft.subjectPattern, subjectsNameReason { (pattern, part) = (subject, .subject) }
        var found: [String: String] = [:]
        for exception in exceptions {
            var sample = sample
            sample?.expect = .none
            sample?.name = "\(template.split(separator: "/").last ?? "another") is not claimed"
            found[exception.template] = try exception.yaml(pattern, on: part, sample)
        }
        return found
    }

    /// True if mails with an exception have the texts of transactions, and subjects that distinguish them.
    var onlySubjectDiffers: Bool {
        !exceptions.isEmpty && subjectsNameReason
            && !messages.contains { namesReason(String(decoding: $0.text.bytes, as: UTF8.self)) }
    }

    /// True if the subjects have a word of the reason for which the mails are ignored. Without one, a subject may be
    /// that of the transactions too.
    private var subjectsNameReason: Bool { messages.allSatisfy { namesReason($0.subject) } }

    private func namesReason(_ text: String) -> Bool {
        guard let words = options.ignore.flatMap({ TemplateDraft.ignoreWords[$0] }) else { return false }
        let text = text.lowercased()
        return words.contains { text.contains($0) }
    }

    /// The folders of shared templates in the order in which they are tried: most used by the banks of the new bank's
    /// currency first.
    func sharedFolders() -> [String] {
        var uses: [String: Int] = [:]
        for bank in base.banks where bank.currency == currency {
            for group in bank.shared { uses[group.folder, default: 0] += 1 }
        }
        return base.shared.map(\.key).sorted { (uses[$1] ?? 0, $0) < (uses[$0] ?? 0, $1) }
    }

    /// A `_bank.yaml` that uses a folder of shared templates, if these read all mails with the given values: then the
    /// bank needs no template of its own. The folders that banks with the same currency use most are tried first.
    public func bankOfSharedTemplates() throws -> (folder: String, bankYAML: String)? {
        guard let bankFile else { return nil }
        for folder in sharedFolders() {
            let yaml = bankFile + "shared: [\(folder)]\n"
            let set = try ProfileSet(directories: proof.folders, only: bank, adding: [bank + "/_bank.yaml": yaml])
            let readsAll = zip(mails, messages).allSatisfy { mail, message in
                let decision = set.claim(message).decide(trusting: .unverified, receivedAt: nil)
                if let reason = options.ignore {
                    return decision.outcome == .ignored && decision.reasons.first?.name == reason.rawValue
                }
                guard decision.outcome == .recorded, let draft = decision.draft else { return false }
                return mail.values.allSatisfy { draft.reads($0.key, as: $0.value) }
                    && ExampleLocale.isRead(mail, as: draft.amount.currency)
            }
            if readsAll { return (folder, yaml) }
        }
        return nil
    }
}
