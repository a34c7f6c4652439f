import Chronology
import Ledger
import Review
import Store

/// One mail: its text, its outcome with the reasons, and what can be done about it.
struct MailView: TitledView {
    var id: String
    var title: String
    var heading: String
    var sender: String
    var arrived: String
    var place: String
    var outcome: String
    var level: String
    /// The answer to "why was this not booked", or the state of the transaction.
    var why: String
    var bank: String?
    var template: String?
    var authentication: String?
    var authservID: String?
    var confidence: String?
    var reasons: [ReasonLine]
    var isKept: Bool
    var pieces: [MarkedPiece]
    var transaction: String?
    var transactionTitle = ""
    var review: String?
    var original: String?
    /// The page that makes or mends a template; `nil` without a bank or without the text.
    var templatePath: String?
    var canRelease: Bool
    var canDecideAgain: Bool
    var attempts: String?
    var back: String

    /// - Parameter banks: the names of the banks by their keys.
    init(_ call: PageCall, banks: [String: String], canDecide: Bool, in ledger: Snapshot) throws {
        guard let content = try ReviewService(ledger).mail(call.parameter("id").lowercased()) else {
            throw PageProblem.missing("mail with this number")
        }
        let mail = content.mail
        id = mail.id
        heading = mail.subject ?? "No subject"
        title = heading + " · Mail"
        sender = mail.fromAddress ?? "unknown sender"
        arrived = DayText.instant(mail.receivedAt ?? mail.sentAt ?? mail.processedAt, ledger.timeZone)
        place = mail.mailbox + "/" + mail.folder
        outcome = mail.outcome.title
        level = mail.outcome.level
        why = Self.why(content)
        bank = mail.profile.map { banks[$0] ?? $0 }
        template = TemplateName.template(mail.template)
        authentication = content.authentication
        authservID = content.authservID
        confidence = content.transaction?.confidence.map(PercentText.text)
        reasons = content.reasons.sorted { $0.weight < $1.weight }.map(ReasonLine.init)
        isKept = content.text != nil
        pieces = content.text.map { MarkedPiece.pieces(of: $0, content.spans) } ?? []
        if let row = content.transaction {
            transaction = "/app/transactions/\(row.id)"
            transactionTitle = (row.vendor ?? row.vpa ?? "Transaction \(row.id)") + ", " + MoneyText.text(row.amount)
        }
        review = content.isWaiting ? "/app/review/\(content.transaction.map { "\($0.id)" } ?? mail.id)" : nil
        original = mail.duplicateOf.map { "/app/mails/\($0)" }
        templatePath =
            isKept && mail.profile != nil
            ? "/app/review/\(mail.id)/template?"
                + FormFields.encoded([("back", call.addressWithoutNotice)]) : nil
        canRelease = canDecide && mail.outcome == .quarantined && isKept
        canDecideAgain =
            canDecide
            && (isKept && [.review, .ignored, .unclaimed, .quarantined].contains(mail.outcome)
                || mail.outcome == .failed)
        attempts = mail.attempts > 1 ? "\(mail.attempts) attempts" : nil
        back = call.back(otherwise: "/app/mails")
    }

    private static func why(_ content: MailContent) -> String {
        if let reason = content.mail.reason, content.mail.outcome != .recorded { return reason }
        switch content.mail.outcome {
        case .recorded:
            return switch content.transaction?.status {
            case .confirmed: "It is booked."
            case .needsReview: "Its transaction waits for review."
            case .rejected: "Its transaction was rejected: nothing is booked."
            case nil: "Its transaction was deleted."
            }
        case .review: return content.isWaiting ? "It waits for your decision." : "You have decided it."
        case .duplicate: return "It is a copy of a mail that was read before."
        case .ignored: return "A template states that mails of this kind report no transaction."
        case .unclaimed: return "The sender is not a known bank, or no template of the bank reads the mail."
        case .quarantined: return "Nothing proves that the bank sent it."
        case .failed: return "It could not be read."
        }
    }
}
