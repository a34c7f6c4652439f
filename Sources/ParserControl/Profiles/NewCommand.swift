import ArgumentParser
import Codecs
import Console
import Glibc
import Ingest
import InternetMessage
import Ledger
import ProfileAuthoring
import Profiles
import Review
import Settings
import Store
import YAMLSource

struct New: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Derive a template from mails and their values, and prove it.",
        discussion: """
            Give a value once for all mails; or once for each mail, in their order, with '-' for a mail that does not print it.
            The template is shown only if it reads these values, breaks no sample of the bank, and lint finds nothing.
            Exit status: 0 derived, 1 cannot load or write, 2 cannot be derived or proven.
            """)

    @Argument(help: "Mail files of one form.")
    var mails: [String] = []
    @Option(
        help:
            "The mail of a review item, with its corrected values; may be given several times. Needs --database or --config."
    )
    var review: [String] = []
    @Option(help: "The bank's key: its folder under the profile folders, which is made for a new bank.")
    var bank: String
    @Option(help: "The name of the template, such as card-spend.")
    var name: String
    @OptionGroup(title: "Values") var values: Values
    @Option(help: "expense, income or transfer. Default: concluded from the words.")
    var type: String?
    @Option(
        help: "upi, card, neft, imps, rtgs, atm, mandate, cheque, wallet or other. Default: concluded from the words."
    )
    var channel: String?
    @Option(
        help:
            "Ignore such mails. The reason: otp, declined, reminder, statement, mandate, request, login, advert, balance or service."
    )
    var ignore: String?
    @Flag(help: "Mend the file of the template of this name, which reads the mail wrongly, instead of making another.")
    var mend = false
    @Option(
        help:
            "Mail in which no mail may become contested: .eml files, mbox files, Maildirs; may be given several times.")
    var archive: [String] = []
    @Option(help: "The name of a new bank. Default: the sender's.")
    var bankName: String?
    @Flag(help: "Put the mails into the samples without redaction.")
    var keepValues = false
    @Flag(help: "Write the file instead of showing it.")
    var write = false
    @Option(help: "The profile folder to write into. Default: the last one.")
    var into: String?
    @Flag(help: "Replace an existing template.")
    var force = false
    @Flag(help: "One JSON object.")
    var json = false
    @OptionGroup var locations: Locations

    func validate() throws {
        for (what, text) in [("bank", bank), ("name", name)] where !TemplateKey.isValid(text) {
            throw ValidationError("--\(what) '\(text)': \(TemplateKey.rule)")
        }
        if mails.isEmpty, review.isEmpty {
            throw ValidationError("no mail is given: give files, or a review item with --review")
        }
        if ignore == nil, values.amount.isEmpty, review.isEmpty || !mails.isEmpty {
            throw ValidationError("--amount is missing: give the amount in the mail, or --ignore REASON")
        }
    }

    func run() async throws {
        let options = DraftOptions(
            type: try type.map { try choice($0, "a type") }, channel: try channel.map { try choice($0, "a channel") },
            ignore: try ignore.map { try choice($0, "a reason") })
        do {
            let given = try sources()
            if mend { return try mended(given) }
            var derivation = try Derivation(
                folders: try locations.templateFolders(),
                target: Derivation.Target(bank: bank, name: name, bankName: bankName, replaces: force), mails: given,
                options: options)
            if !force, let shared = try derivation.bankOfSharedTemplates() { return try use(shared) }
            let result = try derivation.run(archive: archive, keepValues: keepValues)
            for note in result.notes { StandardError.write("\(Terminal.printable(note))\n") }
            if write { try save(result) } else { show(result) }
        } catch let error as DerivationError {
            for line in "parserctl new: \(error)".split(separator: "\n") {
                StandardError.write(Terminal.printable(String(line)) + "\n")
            }
            if error.cause == .valueNotFound, let given = try? sources() { showTexts(given) }
            throw Exit.differs
        } catch let error as RedactionError {
            StandardError.write(
                "parserctl new: \(error.message)\nGive --keep-values to store the mails in the samples unchanged.\n")
            throw Exit.differs
        } catch let error as ValidationError {
            throw error
        } catch {
            StandardError.write("parserctl: \(error)\n")
            throw Exit.failed
        }
    }

    /// Shows the texts that patterns match, for a person who searches a value.
    private func showTexts(_ given: [ExampleMail]) {
        for mail in given {
            StandardError.write("\nThe text of \(mail.name):\n")
            for line in Message(parsing: mail.bytes).text.description.split(separator: "\n").prefix(60) {
                StandardError.write("  | \(Terminal.printable(String(line)))\n")
            }
        }
    }

    private func mended(_ given: [ExampleMail]) throws {
        guard given.count == 1, let mail = given.first else { throw ValidationError("--mend takes one mail") }
        if ignore != nil {
            throw ValidationError(
                "--mend is for templates that read transactions; without it, --ignore also gives the template that claims the mail an exception"
            )
        }
        let mending = try TemplateMending(
            folders: try locations.templateFolders(), template: "\(bank)/\(name)", mail: mail)
        let result = try mending.run(
            retained: archive.map { path in { each in try MailArchive.read(path, each: each) } })
        for note in result.notes { StandardError.write("\(Terminal.printable(note))\n") }
        let whole = Derivation.Result(yaml: result.yaml, bankYAML: nil, notes: result.notes)
        if write { try save(whole, replacing: true) } else { show(whole) }
    }

    /// Nothing needs to be derived: the shared templates of a folder read the mails of the new bank.
    private func use(_ shared: (folder: String, bankYAML: String)) throws {
        let words =
            "no template is needed: the shared templates of '\(shared.folder)' read these mails as given (--force derives one all the same)"
        StandardError.write("\(words)\n")
        let path = "\(bank)/_bank.yaml"
        if write {
            try save([ProfileFile(path: path, yaml: shared.bankYAML, replaces: false)], of: nil, notes: [words])
        } else if json {
            Output.line(described(nil, bankYAML: shared.bankYAML, notes: [words], changed: [], file: nil))
        } else {
            Output.text("# \(path)\n\(shared.bankYAML)")
        }
    }

    /// The mails in their order with their values, those of review items last. A given value replaces that of the item.
    private func sources() throws -> [ExampleMail] {
        let names = mails + review.map { "review item \($0)" }
        let given = try values.byMail(names)
        var found: [ExampleMail] = []
        for (path, values) in zip(mails, given) {
            found.append(.init(name: path, bytes: try OneMail.read(path), values: values))
        }
        if review.isEmpty { return found }
        let editor = TemplateEditor(try locations.store(), folders: [])
        for (id, values) in zip(review, given[mails.count...]) {
            let reviewed: ReviewedMail
            do { reviewed = try editor.mail(of: ReviewID(id)) } catch let error as TemplateEditorError {
                throw SourceError(error, item: id)
            }
            found.append(
                .init(name: "review item \(id)", bytes: reviewed.bytes, values: reviewed.values.merging(values) { $1 }))
        }
        return found
    }

    /// The object of `--json`.
    private func described(
        _ yaml: String?, bankYAML: String?, notes: [String], changed: [Derivation.Change], file: String?
    ) -> String {
        JSON.object([
            ("template", .string("\(bank)/\(name)")), ("yaml", JSON(yaml)), ("bank_yaml", JSON(bankYAML)),
            (
                "changed",
                .array(changed.map { .object([("template", .string($0.template)), ("yaml", .string($0.yaml))]) })
            ),
            ("notes", .array(notes.map(JSON.string))), ("file", JSON(file)),
        ]).text
    }

    private func show(_ result: Derivation.Result) {
        if json {
            return Output.line(
                described(
                    result.yaml, bankYAML: result.bankYAML, notes: result.notes, changed: result.changed, file: nil))
        }
        var others = result.changed.map { ($0.template + ".yaml", $0.yaml) }
        if let bankYAML = result.bankYAML { others.insert(("\(bank)/_bank.yaml", bankYAML), at: 0) }
        for (path, yaml) in others { Output.line("# \(path)\n\(yaml)") }
        if !others.isEmpty { Output.line("# \(bank)/\(name).yaml") }
        Output.text(result.yaml)
    }

    private func save(_ result: Derivation.Result, replacing: Bool = false) throws {
        var files: [ProfileFile] = []
        if let bankYAML = result.bankYAML {
            files.append(ProfileFile(path: "\(bank)/_bank.yaml", yaml: bankYAML, replaces: force))
        }
        files.append(ProfileFile(path: "\(bank)/\(name).yaml", yaml: result.yaml, replaces: force || replacing))
        for change in result.changed {
            files.append(ProfileFile(path: change.template + ".yaml", yaml: change.yaml, replaces: true))
        }
        try save(files, of: result, notes: result.notes)
    }

    private struct ProfileFile {
        /// In the profile folder.
        var path: String
        var yaml: String
        var replaces: Bool
    }

    private func save(
        _ files: [ProfileFile], of result: Derivation.Result?, notes: [String]
    ) throws {
        guard let folder = try into ?? locations.profileFolders().last else {
            throw Refused("no profile folder is known: use --into FOLDER")
        }
        if mkdir("\(folder)/\(bank)", 0o755) != 0, errno != EEXIST {
            throw SourceError(
                file: "\(folder)/\(bank)", message: "cannot be created: \(String(cString: strerror(errno)))",
                remedy: "Check that this user may write there, or use --into FOLDER.")
        }
        for file in files {
            try NewFile.write(Array(file.yaml.utf8), to: "\(folder)/\(file.path)", replacing: file.replaces)
        }
        if json {
            return Output.line(
                described(
                    result?.yaml, bankYAML: result?.bankYAML ?? (result == nil ? files.first?.yaml : nil), notes: notes,
                    changed: result?.changed ?? [], file: result.map { _ in "\(folder)/\(bank)/\(name).yaml" }))
        }
        for file in files { Output.line("\(folder)/\(file.path)") }
        if let activated = try locations.templateFolders().activated {
            for file in files where access("\(activated)/\(file.path)", F_OK) == 0 {
                StandardError.write(
                    "\(activated)/\(file.path) takes precedence: deactivate that template on the page, under Settings.\n"
                )
            }
        }
        StandardError.write(
            "In force after 'systemctl reload spendwise-ingest'; then 'parserctl rescan --bank \(bank)' decides the waiting mails again.\n"
        )
    }
}

/// The values of the mails.
struct Values: ParsableArguments {
    @Option(help: "The amount, as 1234.56; with its currency unless it is INR: 'USD 12.50'.")
    var amount: [String] = []
    @Option(help: "The day, as yyyy-mm-dd.")
    var date: [String] = []
    @Option(help: "The time, as hh:mm or hh:mm:ss, 24 hours.")
    var time: [String] = []
    @Option(help: "The counterparty, as it is printed.")
    var merchant: [String] = []
    @Option(help: "The digits of the account or card, as they are printed.")
    var account: [String] = []
    @Option(help: "The reference, as it is printed.")
    var reference: [String] = []
    @Option(help: "The balance after it.")
    var balance: [String] = []
    @Option(help: "The limit after it.")
    var limit: [String] = []
    @Option(help: "The UPI address of the counterparty.")
    var vpa: [String] = []

    private var all: [(Field, [String])] {
        [
            (.amount, amount), (.date, date), (.time, time), (.merchant, merchant), (.account, account),
            (.reference, reference), (.balance, balance), (.limit, limit), (.vpa, vpa),
        ]
    }

    /// - Returns: the values of each mail.
    func byMail(_ mails: [String]) throws -> [[Field: String]] {
        var result = [[Field: String]](repeating: [:], count: mails.count)
        for (field, list) in all where !list.isEmpty {
            guard list.count == 1 || list.count == mails.count else {
                throw ValidationError(
                    "--\(field.rawValue) is given \(list.count) times for \(mails.count) mails: give it once, or once for each mail ('-' where a mail does not print it)"
                )
            }
            for index in mails.indices {
                let value = list.count == 1 ? list[0] : list[index]
                if value != "-" { result[index][field] = value }
            }
        }
        return result
    }
}

extension Locations {
    /// The profile folders by the rules of `profiles()`.
    func profileFolders() throws -> [String] {
        if !parsers.isEmpty { return parsers }
        if let config { return try Settings(path: config).parsers }
        if access("parsers", R_OK) == 0 { return ["parsers"] }
        return try settings()?.parsers ?? [InstalledFiles.profiles]
    }

    /// The same with the folder of activated templates, if they are those of a configuration.
    func templateFolders() throws -> ProfileFolders {
        ProfileFolders(
            try profileFolders(),
            activated: try parsers.isEmpty ? settingsOfProfiles()?.activatedTemplates : nil)
    }
}

extension Derivation {
    /// - Parameter archive: .eml files, mbox files, Maildirs.
    mutating func run(archive: [String], keepValues: Bool) throws -> Result {
        try run(
            keepValues: keepValues, retained: archive.map { path in { each in try MailArchive.read(path, each: each) } }
        )
    }
}
