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
            throw PageProblem.missing(PageText.of("missing.mail"))
        }
        let mail = content.mail
        id = mail.id
        heading = mail.subject ?? PageText.of("mails.no-subject")
        title = heading + PageText.of("mail.of-title")
        sender = mail.fromAddress ?? PageText.of("mails.unknown-sender")
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
            transactionTitle =
                (row.vendor ?? row.vpa ?? PageText.of("notice.transaction", ["id": "\(row.id)"])) + ", "
                + MoneyText.text(row.amount)
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
        attempts = mail.attempts > 1 ? PageText.of("mail.attempts", count: mail.attempts) : nil
        back = call.back(otherwise: "/app/mails")
    }

    private static func why(_ content: MailContent) -> String {
        if let reason = content.mail.reason, content.mail.outcome != .recorded {
            return ReasonText.outcome(reason, of: content.reasons)
        }
        switch content.mail.outcome {
        case .recorded:
            return switch content.transaction?.status {
            case .confirmed: PageText.of("review-item.is-booked")
            case .needsReview: PageText.of("mail.transaction-waits")
            case .rejected: PageText.of("mail.transaction-rejected")
            case nil: PageText.of("mail.transaction-deleted")
            }
        case .review: return content.isWaiting ? PageText.of("mail.waits") : PageText.of("mail.decided")
        case .duplicate: return PageText.of("mail.is-copy")
        case .ignored: return PageText.of("mail.is-ignored")
        case .unclaimed: return PageText.of("mail.is-unclaimed")
        case .quarantined: return PageText.of("mail.is-quarantined")
        case .failed: return PageText.of("mail.is-failed")
        }
    }
}
