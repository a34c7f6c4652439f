import Hummingbird
import InternetMessage
import Ledger
import Profiles
import Store
import Synchronization

/// A template drafted from one mail by what a person put right in it, or one that ignores its kind: derived, proven and
/// shown. The program that serves the page may not write profiles; it says where the file belongs.
enum TemplatePage {
    /// Mails of the bank on which a draft is tried, the oldest first.
    static let tried = 2000

    /// Deriving costs seconds of one processor, so it is done once at a time.
    private final class Bench: Sendable {
        let isBusy = Mutex(false)

        func use<Result>(_ body: () throws -> Result) throws -> Result {
            let isFree = isBusy.withLock { busy in
                defer { busy = true }
                return !busy
            }
            guard isFree else {
                throw PageProblem(
                    status: .serviceUnavailable, title: "One at a time",
                    text: "Another template is being drafted. Try again in some seconds.")
            }
            defer { isBusy.withLock { $0 = false } }
            return try body()
        }
    }

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        let bench = Bench()
        pages.get("/app/review/{id}/template", on: router) { call in
            let view = try await pages.services.ledger { [folder = pages.folder] store in
                let mail = try TemplateMail(ReviewID(call.parameter("id")), in: store)
                return TemplateView(
                    mail, TemplateForm(mail, call.query), folder: folder,
                    back: call.back(otherwise: "/app/review/\(mail.id.path)"))
            }
            return await pages.show("template", view, call, title: "A template", section: .review)
        }
        pages.post("/app/review/{id}/template", on: router) { call in
            let view = try await pages.services.ledger {
                [folders = pages.services.profileFolders, folder = pages.folder] store in
                let mail = try TemplateMail(ReviewID(call.parameter("id")), in: store)
                var view = TemplateView(
                    mail, TemplateForm(mail, call.form), folder: folder,
                    back: call.back(otherwise: "/app/review/\(mail.id.path)"))
                try bench.use { view.draft(mail, folders, store) }
                return view
            }
            return await pages.show(
                "template", view, call, title: "A template", section: .review,
                status: view.problems.isEmpty ? .ok : .unprocessableContent)
        }
    }
}

extension Pages {
    /// Where a template of one's own belongs.
    fileprivate var folder: String { services.profileFolders.last ?? "/etc/spendwise/parsers" }
}

/// The mail, and what is known of it.
struct TemplateMail {
    let id: ReviewID
    let bytes: [UInt8]
    let message: Message
    let row: TransactionRow?
    let bank: String
    /// The template of a file that reads it.
    let template: String?

    init(_ id: ReviewID, in store: Store) throws {
        guard let item = try store.reviewItem(id), let mail = item.mail else {
            throw PageProblem.missing("mail of this number")
        }
        guard let bytes = try store.raw(ofMail: mail.id) else {
            throw PageProblem(
                status: .gone, title: "Not kept any more",
                text: "The mail's text is not kept any more. Save it from your mailbox and give it to parserctl new.")
        }
        guard let bank = mail.profile ?? item.transaction?.profile else {
            throw PageProblem(
                status: .unprocessableContent, title: "No bank",
                text: "No profile knows this sender: parserctl new makes a bank.")
        }
        self.id = id
        self.bytes = bytes
        self.bank = bank
        message = Message(parsing: bytes)
        row = item.transaction
        template = mail.template.flatMap { $0.hasPrefix(bank + "/") ? $0 : nil }
    }
}

/// What a person says of the mail.
struct TemplateForm {
    static let fields: [(field: Field, title: String)] = [
        (.amount, "Amount"), (.date, "Date"), (.time, "Time"), (.merchant, "Merchant"), (.account, "Account digits"),
        (.reference, "Reference"), (.balance, "Balance"), (.vpa, "UPI address"),
    ]

    var ignores: Bool
    var reason: String
    var name: String
    var values: [Field: String] = [:]

    init(_ mail: TemplateMail, _ fields: FormFields) {
        ignores = fields["want"].map { $0 == "ignore" } ?? false
        reason = fields.text("reason") ?? "advert"
        let usual = mail.row.map { "\($0.channel?.rawValue ?? "other")-\($0.type.rawValue)" } ?? "alert"
        name = fields.text("name") ?? mail.template.flatMap { $0.split(separator: "/").last }.map(String.init) ?? usual
        // A day that was taken from its arrival is in the books and not in the mail.
        let known =
            mail.row?.fieldValues.filter { $0 == .amount || MarkedMail.prints($1, as: $0, in: mail.message) } ?? [:]
        let isSent = fields["want"] != nil && Self.fields.contains { fields[$0.field.rawValue] != nil }
        for (field, _) in Self.fields { values[field] = isSent ? fields.text(field.rawValue) : known[field] }
    }
}

struct TemplateView {
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
    // What came of it:
    var isProven = false
    var heading = ""
    var notes: [String] = []
    var lines: [Line] = []
    var file = ""
    var fileName = ""
    /// The file as a `data:` address (RFC 2397).
    var download = ""
    private let form: TemplateForm
    private let folder: String

    init(_ mail: TemplateMail, _ form: TemplateForm, folder: String, back: String) {
        id = mail.id.path
        bank = mail.bank
        template = mail.template
        ignores = form.ignores
        reads = !form.ignores
        name = form.name
        self.form = form
        self.folder = folder
        self.back = back
        values = TemplateForm.fields.map {
            Value(name: $0.field.rawValue, title: $0.title, value: form.values[$0.field] ?? "")
        }
        reasonChoices = IgnoreReason.allCases.map {
            SelectChoice($0.rawValue, $0.sentence.prefix(1).uppercased() + $0.sentence.dropFirst(), chosen: form.reason)
        }
        source = MailSourceView(MailSource(mail))
    }

    mutating func draft(_ mail: TemplateMail, _ folders: [String], _ store: Store) {
        do {
            if !form.ignores, let template = mail.template {
                let result = try TemplateMending(
                    folders: folders, template: template,
                    mail: .init(name: "this mail", bytes: mail.bytes, values: form.values)
                ).run(kept: [kept(of: mail.bank, store)])
                let all = LineDifference(from: result.old, to: result.yaml).lines
                show(template, result.yaml, result.notes, heading: "\(template), mended", Self.changed(all))
                return
            }
            var wish = TemplateDraft.Wish(type: mail.row?.type, channel: mail.row?.channel)
            if form.ignores {
                guard let reason = IgnoreReason(rawValue: form.reason) else {
                    return problems.append("Choose why it is no transaction.")
                }
                wish = TemplateDraft.Wish(ignore: reason)
            }
            guard Self.isKey(name) else {
                return problems.append("Name: use lower-case letters, digits and hyphens, a letter first.")
            }
            var derivation = try Derivation(
                folders: folders, bank: mail.bank, name: name,
                mails: [.init(name: "this mail", bytes: mail.bytes, values: form.ignores ? [:] : form.values)],
                wish: wish, replaces: false, isAlone: true)
            let result = try derivation.run(keepValues: false, kept: [kept(of: mail.bank, store)])
            show(
                "\(mail.bank)/\(name)", result.yaml, result.notes, heading: "\(mail.bank)/\(name), new",
                result.yaml.split(separator: "\n").map { Line(sign: "", kind: "same", text: String($0)) })
        } catch let error as DerivationError {
            problems =
                [error.message.prefix(1).uppercased() + error.message.dropFirst() + "."]
                + (error.remedy.map { [$0] } ?? [])
        } catch let error as RedactionError {
            problems = [error.message] + (error.remedy.map { [$0] } ?? [])
        } catch { problems = ["\(error)"] }
    }

    private struct Enough: Error {}

    /// The mails of a bank that are kept, some.
    private func kept(of bank: String, _ store: Store) -> TemplateProof.Kept {
        { each in
            var count = 0
            do {
                try store.keptMails(Set(Outcome.allCases), bank: (bank, [])) { mails in
                    for mail in mails {
                        if count == TemplatePage.tried { throw Enough() }
                        count += 1
                        try each("mail \(mail.row.id)", mail.bytes)
                    }
                }
            } catch is Enough {}
        }
    }

    private mutating func show(_ template: String, _ yaml: String, _ notes: [String], heading: String, _ lines: [Line])
    {
        isProven = true
        self.heading = heading
        self.notes = notes
        self.lines = lines
        file = "\(folder)/\(template).yaml"
        fileName = (template.split(separator: "/").last.map(String.init) ?? name) + ".yaml"
        download = "data:text/yaml;charset=utf-8," + FormFields.encoded(yaml)
    }

    /// What changed, with three lines around it.
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

    private static func isKey(_ text: String) -> Bool {
        guard let first = text.utf8.first, (0x61...0x7A).contains(first) else { return false }
        return text.utf8.count <= 60
            && text.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
            }
    }
}

extension MailSource {
    init(_ mail: TemplateMail) {
        sender = mail.message.from.first?.addrSpec ?? ""
        subject = mail.message.subject
        arrived = ""
        text = mail.message.text.bytes
        spans = [:]
    }
}
