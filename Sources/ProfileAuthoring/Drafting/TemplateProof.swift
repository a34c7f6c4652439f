import Chronology
import InternetMessage
public import Ledger
import Profiles

/// A mail from which a template is derived, with the values that it must read.
public struct ExampleMail: Sendable {
    /// A name for messages, such as the file's.
    public var name: String
    public var bytes: [UInt8]
    public var values: [Field: String]

    public init(name: String, bytes: [UInt8], values: [Field: String]) {
        self.name = name
        self.bytes = bytes
        self.values = values
    }
}

/// Tries a template together with all others of its bank, as if it were in a folder after the profile folders.
public struct TemplateProof {
    let folders: ProfileFolders
    let bank: String
    /// Name such as `hdfc/card-spend`.
    let template: String
    /// Set for a bank without a profile.
    let bankFile: String?
    let base: ProfileSet
    private let baseline: Set<String>
    private let baseFindings: Set<String>

    init(folders: ProfileFolders, base: ProfileSet, bank: String, template: String, bankFile: String?) throws {
        self.folders = folders
        self.base = base
        self.bank = bank
        self.template = template
        self.bankFile = bankFile
        let alone = base.only(bank)
        baseline = Set(alone.checkSamples().filter { !$0.holds }.map { "\($0.template)\n\($0.sample)" })
        baseFindings = Set(alone.lint([bank]).map { "\($0.template)\n\($0.message)" })
    }

    /// The bank's profiles with this one among them.
    /// - Parameter changed: other templates of the bank, by name, as they would be.
    func loaded(_ yaml: String, _ changed: [String: String] = [:]) throws -> ProfileSet {
        var files = [template + ".yaml": yaml]
        for (name, text) in changed { files[name + ".yaml"] = text }
        if let bankFile { files[bank + "/_bank.yaml"] = bankFile }
        do { return try ProfileSet(directories: folders, only: bank, adding: files) } catch {
            throw DerivationError(.notProvable, "the template does not load: \(error)")
        }
    }

    /// Throws if the template reads the given mails wrongly, or breaks any sample of its bank.
    /// - Parameter ignores: true for an ignore template.
    func check(_ set: ProfileSet, given: [ExampleMail], ignores: Bool) throws {
        for mail in given { try checkReading(of: mail, by: set, ignores: ignores) }
        let alone = set.only(bank)
        for result in alone.checkSamples()
        where !result.holds && !baseline.contains("\(result.template)\n\(result.sample)") {
            let difference =
                result.differences.first.map {
                    " (\($0.field): got \($0.got ?? "nothing"), expected \($0.expected ?? "nothing"))"
                } ?? ""
            throw DerivationError(
                .notProvable, "it breaks the sample '\(result.sample)' of \(result.template)\(difference)",
                remedy: result.template == template
                    ? nil
                    : "\(result.path):\(result.line) reads the same form: mend that template, or give more mails so that the forms can be told apart."
            )
        }
        for finding in alone.lint([bank]) + alone.lint([template], attacks: true)
        where !baseFindings.contains("\(finding.template)\n\(finding.message)") {
            throw DerivationError(.notProvable, "lint, \(finding.template): \(finding.message)", remedy: finding.remedy)
        }
    }

    /// Throws if the template reads this mail wrongly.
    func checkReading(of mail: ExampleMail, by set: ProfileSet, ignores: Bool) throws {
        let claim = set.claim(Message(parsing: mail.bytes))
        let claimants = claim.claimants()
        guard claimants == [template] else {
            if claimants.contains(template) {
                throw DerivationError(
                    .notProvable,
                    "\(mail.name) is claimed by \(claimants.filter { $0 != template }.joined(separator: ", ")) too",
                    remedy: "A mail belongs to one template. If the other reads it wrong, mend that one.")
            }
            throw DerivationError(.notProvable, "the pattern derived does not match \(mail.name)")
        }
        let decision = claim.decide(trusting: .unverified, receivedAt: nil)
        if ignores {
            guard decision.outcome == .ignored else {
                throw DerivationError(.notProvable, "\(mail.name) becomes \(decision.outcome.rawValue), not ignored")
            }
            return
        }
        guard let draft = decision.draft else {
            throw DerivationError(
                .notProvable,
                "nothing is read from \(mail.name): \(decision.reasons.map(\.note).joined(separator: "; "))")
        }
        for (field, value) in mail.values where !draft.reads(field, as: value) {
            throw DerivationError(
                .notProvable,
                "\(mail.name): the \(field.rawValue) is read as '\(draft.text(of: field) ?? "nothing")', not '\(value)'"
            )
        }
    }

    /// Calls `each` with every retained mail and its name.
    public typealias RetainedMails = (_ each: (_ name: String, _ bytes: [UInt8]) throws -> Void) throws -> Void

    struct ArchiveResult {
        var mails = 0
        /// Number of mails that the template claims and that were unclaimed before.
        var newlyRead = 0
    }

    /// Runs further mails through the profiles with and without the template. Throws at the first claim conflict.
    func check(_ set: ProfileSet, retained: [RetainedMails], given: Set<[UInt8]>) throws -> ArchiveResult {
        var result = ArchiveResult()
        for source in retained {
            try source { name, bytes in
                let message = Message(parsing: bytes)
                let claim = set.claim(message)
                guard claim.sender.bank?.key == bank else { return }
                result.mails += 1
                let claimants = claim.claimants()
                guard claimants.contains(template), !given.contains(bytes) else { return }
                guard claimants.count == 1 else {
                    throw DerivationError(
                        .notProvable, "\(name) becomes contested: \(claimants.joined(separator: ", "))",
                        remedy: "Give that mail too if it is of this form; otherwise give more mails of this one.")
                }
                if claim.decide(trusting: .unverified, receivedAt: nil).outcome == .failed {
                    throw DerivationError(.notProvable, "\(name) hits a limit of the pattern")
                }
                let before = base.claim(message).claimants()
                if before.isEmpty { result.newlyRead += 1 }
            }
        }
        return result
    }

    /// Throws at the first retained mail that a template read and that is read differently now.
    ///
    /// - Parameter given: the bytes of the mail whose reading is to change.
    /// - Returns: the result for a person.
    func unchanged(
        _ set: ProfileSet, _ retained: [RetainedMails], except given: [UInt8]
    ) throws -> String {
        var (count, newly) = (0, 0)
        for source in retained {
            try source { name, bytes in
                let other = Message(parsing: bytes)
                guard bytes != given, base.claim(other).sender.bank != nil else { return }
                count += 1
                let (before, after) = (
                    base.claim(other).decide(trusting: .unverified, receivedAt: nil),
                    set.claim(other).decide(trusting: .unverified, receivedAt: nil)
                )
                if before.template == after.template, before.draft?.values == after.draft?.values { return }
                guard TemplateName.template(before.template) == nil else {
                    let field = Field.allCases.first { before.draft?.text(of: $0) != after.draft?.text(of: $0) }
                    throw DerivationError(
                        .notProvable,
                        "\(name), which \(before.template ?? "a template") reads, would be read otherwise"
                            + (field.map { " (\($0.rawValue))" } ?? ""),
                        remedy: "Correct that mail first if it was read wrongly, too.")
                }
                newly += 1
            }
        }
        return "tried on \(count) mails of this bank that are kept: all read as before"
            + (newly > 0 ? ", and \(newly) that no template read" : "")
    }
}

extension TransactionDraft {
    /// True if a field was read as the value that a person gave, in any form.
    func reads(_ field: Field, as value: String) -> Bool {
        guard let got = text(of: field) else { return false }
        let plain = value.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
        switch field {
        case .amount, .balance, .limit:
            let digits = value.drop { !$0.isNumber && $0 != "." }
            let start = digits.first == "." && value.first != "." ? digits.drop { $0 == "." } : digits
            let money = field == .amount ? amount : field == .balance ? balance : limit
            return money.flatMap {
                Money(
                    printed: start.utf8.filter { byte in byte != UInt8(ascii: "/") && byte != UInt8(ascii: "-") },
                    currency: $0.currency)
            } == money
        case .date: return (CalendarDate(iso: value) ?? DateText.read(value.utf8, arrival: date)) == date
        case .time:
            return TimeText.read(value.utf8).map {
                $0.time == time || $0.time.secondsSinceMidnight == (time?.secondsSinceMidnight ?? -1) / 60 * 60
            } ?? false
        case .account: return got == value.filter { ("0"..."9").contains($0) }
        case .type, .channel: return got == value
        default: return got.lowercased() == plain
        }
    }
}

extension TransactionDraft {
    /// All field values, without their spans.
    fileprivate var values: [Field: String] {
        Dictionary(Field.allCases.compactMap { field in text(of: field).map { (field, $0) } }) { first, _ in first }
    }
}
