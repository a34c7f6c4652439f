import Codecs
import Console
import Ingest
import Ledger
import Store

/// The outcomes of a dry run, mail by mail: printed at once, or collected for the object of the summary.
final class DryRunList {
    private let isJSON: Bool
    private(set) var objects: [JSON] = []

    init(isJSON: Bool) { self.isJSON = isJSON }

    func add(_ name: String, _ entry: MailEntry, _ mail: RecordedMail) {
        if isJSON { return objects.append(Self.object(name, entry, mail)) }
        Terminal.progress(nil)
        Output.line(Self.line(name, entry, mail))
    }

    /// Such as `recorded     2026-01-05 -250.00 INR BLUE LOTUS  all.mbox:17`.
    static func line(_ name: String, _ entry: MailEntry, _ mail: RecordedMail) -> String {
        let state = mail.isNew ? "" : mail.was.map { " (was \($0.rawValue))" } ?? " (known)"
        let outcome = mail.outcome.rawValue + state
        let padding = String(repeating: " ", count: max(2, 13 - outcome.count))
        return outcome + padding + Terminal.printable(facts(entry, mail)) + "  " + Terminal.printable(name)
    }

    private static func facts(_ entry: MailEntry, _ mail: RecordedMail) -> String {
        guard let draft = entry.decision.draft else { return entry.subject ?? "" }
        let sign = draft.type == .income ? "+" : draft.type == .expense ? "-" : ""
        return [
            "\(mail.day ?? draft.date)", sign + draft.amount.decimal, draft.amount.currency.code,
            draft.merchant ?? draft.vpa,
        ]
        .compactMap { $0 }.joined(separator: " ")
    }

    private static func object(_ name: String, _ entry: MailEntry, _ mail: RecordedMail) -> JSON {
        let draft = entry.decision.draft
        return .object([
            ("name", .string(name)), ("outcome", .string(mail.outcome.rawValue)), ("new", .bool(mail.isNew)),
            ("was", JSON(mail.was?.rawValue)), ("bank", JSON(entry.decision.profile)),
            ("template", JSON(entry.decision.template)), ("subject", JSON(entry.subject)),
            ("date", JSON(draft.map { "\(mail.day ?? $0.date)" })), ("amount", JSON(draft?.amount.decimal)),
            ("currency", JSON(draft?.amount.currency.code)), ("merchant", JSON(draft?.merchant ?? draft?.vpa)),
        ])
    }
}
