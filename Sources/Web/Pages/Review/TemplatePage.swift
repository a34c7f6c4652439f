import Access
import Chronology
import Hummingbird
import InternetMessage
import Ledger
import ProfileAuthoring
import Profiles
import Review
import Store
import Synchronization

/// A template derived from one mail and its corrections, proven and shown. The program that serves the page may not
/// write profiles: a person has the mail reader use the template, or installs the file with the commands shown.
enum TemplatePage {
    /// Admits one derivation at a time, since it takes seconds of one processor.
    private final class DerivationGate: Sendable {
        let isBusy = Mutex(false)

        func run<Result>(_ body: () throws -> Result) throws -> Result {
            let isFree = isBusy.withLock { busy in
                defer { busy = true }
                return !busy
            }
            guard isFree else {
                throw PageProblem(
                    status: .serviceUnavailable, title: PageText.of("template.one-at-a-time"),
                    text: PageText.of("template.busy"))
            }
            defer { isBusy.withLock { $0 = false } }
            return try body()
        }
    }

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        let gate = DerivationGate()
        pages.get("/app/review/{id}/template", on: router) { call in
            try await pages.show(.template, call) { ledger in
                let mail = try page(ReviewID(call.parameter("id"))) { try ReviewService(ledger).reviewedMail($0) }
                return TemplateView(mail, TemplateForm(mail, call.query), back: back(call, mail), zone: ledger.timeZone)
            }
        }
        pages.post("/app/review/{id}/template", on: router) { call in
            // Not in the snapshot of the page: a derivation takes seconds.
            let preview = pages.services.previewReplay
            let view = try await pages.services.ledger { [services = pages.services] store in
                let folders = ProfileFolders(services.profileFolders, activated: services.activatedTemplates)
                let editor = TemplateEditor(store, folders: folders, limits: .daemon)
                let mail = try page(ReviewID(call.parameter("id")), editor.mail(of:))
                var view = TemplateView(
                    mail, TemplateForm(mail, call.form), back: back(call, mail), zone: store.timeZone)
                try gate.run {
                    view.derive(from: mail, by: editor)
                    if let preview { view.compare(by: preview) }
                }
                if call.context.identity.scopes.allow(.admin) {
                    view.offerUse(of: mail, asksPassphrase: call.context.isLoggedIn)
                }
                return view
            }
            return try await pages.show(.template, call) { _ in view }
        }
    }

    private static func back(_ call: PageCall, _ mail: ReviewedMail) -> String {
        call.back(otherwise: "/app/review/\(mail.id.argument)")
    }

    /// The mail of the page. A mail without a bank has none: a bank is made at the terminal.
    private static func page(
        _ id: ReviewID, _ read: (ReviewID) throws -> ReviewedMail
    ) throws -> ReviewedMail {
        do {
            let mail = try read(id)
            guard mail.bank != nil else { throw TemplateEditorError.noBank }
            return mail
        } catch let error as TemplateEditorError { throw PageProblem(error) }
    }
}

extension PageProblem {
    init(_ error: TemplateEditorError) {
        switch error {
        case .notRetained:
            self = PageProblem(
                status: .gone, title: PageText.of("template.not-retained"),
                text: PageText.of("template.save-mail"))
        case .noBank:
            self = PageProblem(
                status: .unprocessableContent, title: PageText.of("template.no-bank"),
                text: PageText.of("template.unknown-sender"))
        case .noMail, .invalidName, .noProfileFolder: self = .missing(PageText.of("missing.mail"))
        }
    }
}

/// The values and the purpose of the template, as a person fills them in.
struct TemplateForm {
    static var fields: [(field: Field, title: String)] {
        [
            (.amount, PageText.of("common.amount")), (.date, PageText.of("common.date")),
            (.time, PageText.of("common.time")), (.merchant, PageText.of("common.merchant")),
            (.account, PageText.of("common.account-digits")),
            (.reference, PageText.of("common.reference")), (.balance, PageText.of("accounts.balance")),
            (.vpa, PageText.of("common.upi-address")),
        ]
    }

    var ignores: Bool
    var reason: String
    var name: String
    var values: [Field: String] = [:]

    init(_ mail: ReviewedMail, _ fields: FormFields) {
        ignores = fields["want"].map { $0 == "ignore" } ?? false
        reason = fields.text("reason") ?? "advert"
        let usual = mail.row.map { "\($0.channel?.rawValue ?? "other")-\($0.type.rawValue)" } ?? "alert"
        name = fields.text("name") ?? mail.template.flatMap { $0.split(separator: "/").last }.map(String.init) ?? usual
        let isSent = fields["want"] != nil && Self.fields.contains { fields[$0.field.rawValue] != nil }
        for (field, _) in Self.fields { values[field] = isSent ? fields.text(field.rawValue) : mail.values[field] }
    }
}

struct TemplateView: FormView {
    struct Value {
        var name: String
        var title: String
        var value: String
    }

    struct Line {
        var sign: String
        var kind: String
        var text: String
    }

    struct OtherFile {
        var file: String
        var fileName: String
        /// The file as a `data:` address (RFC 2397).
        var download: String
    }

    var id: String
    var bank: String
    var template: String?
    var source: MailSourceView?
    var values: [Value]
    var ignores: Bool
    var reads: Bool
    var reasonChoices: [SelectChoice]
    var name: String
    var problems: [String] = []
    var back: String
    // The result:
    var isProven = false
    var heading = ""
    var notes: [String] = []
    var lines: [Line] = []
    var file = ""
    var fileName = ""
    /// The file as a `data:` address (RFC 2397).
    var download = ""
    /// Templates that get an exception.
    var others: [OtherFile] = []
    /// The changes that the files would make in the ledger.
    var replay: ReplayDifference?
    /// The form that has it used; `nil` if it has to be installed by hand.
    private(set) var use: TemplateUse?
    /// The proven template, unless other files change with it.
    private var single: (template: String, yaml: String)?
    /// The files by their paths in a profile folder.
    private var files: [String: String] = [:]
    private let form: TemplateForm

    init(_ mail: ReviewedMail, _ form: TemplateForm, back: String, zone: IANATimeZone) {
        id = mail.id.argument
        bank = mail.bank ?? ""
        template = mail.template
        ignores = form.ignores
        reads = !form.ignores
        name = form.name
        self.form = form
        self.back = back
        values = TemplateForm.fields.map {
            Value(name: $0.field.rawValue, title: $0.title, value: form.values[$0.field] ?? "")
        }
        reasonChoices = IgnoreReason.allCases.map {
            SelectChoice($0.rawValue, Self.capitalized(ReasonText.sentence($0)), chosen: form.reason)
        }
        source = MailSourceView(MailSource(mail), zone)
    }

    private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    /// Derives or mends the template and shows the result, or the problems.
    mutating func derive(from mail: ReviewedMail, by editor: TemplateEditor) {
        do {
            if !form.ignores, let template = mail.template {
                let proposal = try editor.mend(template, by: mail, form.values)
                let difference = LineDifference(from: proposal.old ?? "", to: proposal.yaml).lines
                return show(
                    proposal, heading: PageText.of("template.mended", ["template": template]), Self.changed(difference))
            }
            var purpose = TemplateEditor.Purpose.read(form.values)
            if form.ignores {
                guard let reason = IgnoreReason(rawValue: form.reason) else {
                    return problems.append(PageText.of("template.choose-reason"))
                }
                purpose = .ignore(reason)
            }
            let proposal = try editor.derive(purpose, from: mail, name: name)
            var lines = proposal.yaml.split(separator: "\n").map { Line(sign: "", kind: "same", text: String($0)) }
            for change in proposal.changed {
                lines.append(Line(sign: "", kind: "cut", text: change.path))
                lines += Self.changed(LineDifference(from: change.old, to: change.yaml).lines)
            }
            show(proposal, heading: PageText.of("template.is-new", ["template": proposal.template]), lines)
        } catch TemplateEditorError.invalidName {
            problems = [PageText.of("template.name-problem", ["rule": TemplateKey.rule])]
        } catch let error as DerivationError {
            problems =
                [error.message.prefix(1).uppercased() + error.message.dropFirst() + "."]
                + (error.remedy.map { [$0] } ?? [])
        } catch let error as RedactionError {
            problems = [error.message] + (error.remedy.map { [$0] } ?? [])
        } catch { problems = ["\(error)"] }
    }

    private mutating func show(_ proposal: TemplateEditor.Proposal, heading: String, _ lines: [Line]) {
        isProven = true
        self.heading = heading
        notes = proposal.notes
        self.lines = lines
        file = proposal.path
        others = proposal.changed.map { change in
            OtherFile(
                file: change.path, fileName: change.path.split(separator: "/").last.map(String.init) ?? "template.yaml",
                download: "data:text/yaml;charset=utf-8," + FormFields.encoded(change.yaml))
        }
        fileName = (proposal.template.split(separator: "/").last.map(String.init) ?? name) + ".yaml"
        download = "data:text/yaml;charset=utf-8," + FormFields.encoded(proposal.yaml)
        single = proposal.changed.isEmpty && proposal.bank == nil ? (proposal.template, proposal.yaml) : nil
        files = [proposal.template + ".yaml": proposal.yaml]
        for change in proposal.changed {
            files[change.path.split(separator: "/").suffix(2).joined(separator: "/")] = change.yaml
        }
    }

    /// Offers to have the template used, if it is one file.
    mutating func offerUse(of mail: ReviewedMail, asksPassphrase: Bool) {
        guard let single, single.yaml.utf8.count <= TemplateActivation.maximumBytes else { return }
        use = TemplateUse(
            mail, form, template: single.template, yaml: single.yaml, asksPassphrase: asksPassphrase)
    }

    /// Decides the booked mails of the bank by the new files, and shows the difference before they take effect.
    mutating func compare(by preview: (String, [String: String]) throws -> ReplayPreview) {
        guard isProven else { return }
        do { replay = ReplayDifference(try preview(bank, files)) } catch {
            notes.append(PageText.of("template.no-preview", ["error": "\(error)"]))
        }
    }

    /// The changed lines, each with three lines of context.
    private static func changed(_ lines: [LineDifference.Line]) -> [Line] {
        var result: [Line] = []
        var isCut = false
        for (index, line) in lines.enumerated() {
            let isNear = lines[max(0, index - 3)...min(lines.count - 1, index + 3)].contains { $0.kind != .same }
            if isNear {
                result.append(
                    Line(
                        sign: line.kind == .added ? "+" : line.kind == .removed ? "−" : " ", kind: line.kind.rawValue,
                        text: line.text))
            } else if !isCut {
                result.append(Line(sign: " ", kind: "cut", text: "…"))
            }
            isCut = !isNear
        }
        return result
    }
}

extension MailSource {
    /// A mail without the words of its fields: the page asks for them.
    fileprivate init(_ mail: ReviewedMail) {
        self.init(
            sender: mail.message.from.first?.addrSpec ?? "", subject: mail.message.subject, arrived: nil,
            text: mail.message.text.bytes, spans: [:])
    }
}
