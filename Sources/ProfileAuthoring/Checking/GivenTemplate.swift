public import Profiles

extension TemplateProof {
    /// Proves a complete file by the same checks as a derivation or a mending proves its own: against the mail, the
    /// samples of the bank, lint, mutations and the retained mails.
    ///
    /// - Parameters:
    ///   - template: its name, such as `hdfc/card-spend`, in a bank that has a profile.
    ///   - mail: must be read with its values.
    ///   - ignores: the mail must be ignored instead.
    /// - Throws: ``DerivationError`` with the first fault, or the errors of the folders or of `retained`.
    public static func prove(
        _ yaml: String, as template: String, by mail: ExampleMail, ignores: Bool, folders: ProfileFolders,
        retained: [RetainedMails]
    ) throws {
        let bank = String(template.prefix { $0 != "/" })
        let base = try ProfileSet(directories: folders, only: bank)
        guard let known = base.banks.first(where: { $0.key == bank }) else {
            throw DerivationError(
                .notProvable, "no profile is of a bank '\(bank)'", remedy: "Make the bank at the terminal first.")
        }
        let proof = try TemplateProof(folders: folders, base: base, bank: bank, template: template, bankFile: nil)
        let set = try proof.loaded(yaml)
        try proof.check(set, given: [mail], ignores: ignores)
        if known.templates.contains(where: { $0.name == template }) {
            _ = try proof.unchanged(set, retained, except: mail.bytes)
        } else {
            _ = try proof.check(set, retained: retained, given: [mail.bytes])
        }
    }
}
