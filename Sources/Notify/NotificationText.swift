import Chronology
import Codecs
import Ledger
import Settings
import Store

/// Text and data of one event, without the values that the sink may not know. Text from a sender of mail is reduced to
/// one printable line.
struct NotificationText {
    var type: String
    var title: String
    var body: String
    /// One line.
    var summary: String
    var data: [(String, JSON?)]

    /// Maximum bytes of one text: a push message has 4096 bytes in all.
    static let longest = 600

    /// `nil` if nothing is left to report.
    static func of(_ event: Notification, for sink: SinkSettings) -> NotificationText? {
        let text = whole(event, for: sink)
        return sink.hidesDetails ? text.map { headline($0.type, of: event) } : text
    }

    /// What happened, without values and names.
    private static func headline(_ type: String, of event: Notification) -> NotificationText {
        let title =
            switch event.kind {
            case .transaction: "A payment was booked"
            case .review: "Something waits for review"
            case .mailbox where event.isOver, .login where event.isOver: "A mailbox is read again"
            case .mailbox: "A mailbox cannot be read"
            case .login: "A mailbox needs your consent again"
            case .drift: "A bank seems to have changed its mails"
            case .balance: "An alert may be missing"
            case .due: "There is a payment to look at"
            case .budget: "A budget is nearly or wholly spent"
            case .statement: "A statement waits"
            case .database: "The ledger needs a backup"
            }
        return NotificationText(type: type, title: title, body: "The page shows it.", summary: title, data: [])
    }

    private static func whole(_ event: Notification, for sink: SinkSettings) -> NotificationText? {
        switch event.kind {
        case .transaction, .review:
            guard event.hasTransaction else { return event.kind == .review ? unread(event, sink) : nil }
            guard let transaction = event.transaction,
                transaction.status == (event.kind == .review ? .needsReview : .confirmed)
            else { return nil }
            return money(Facts(transaction, sink), sink, waits: event.kind == .review)
        case .mailbox, .login: return mailbox(event)
        case .drift:
            let message = line(event.details)
            return NotificationText(
                type: "drift.noticed", title: "A bank seems to have changed its mails", body: message, summary: message,
                data: [("bank", .string(line(event.subject))), ("message", .string(message))])
        case .balance:
            let message = line(event.details)
            return NotificationText(
                type: "balance.gap", title: "An alert may be missing", body: message, summary: message,
                data: [("account", .string(line(event.subject))), ("message", .string(message))])
        case .due:
            let isHidden = sink.hidesAmount || sink.hidesMerchant
            let message = isHidden ? "A payment is due, late or of another amount." : line(event.details)
            return NotificationText(
                type: "payment.due", title: "A payment to look at", body: message, summary: message,
                data: [("payee", isHidden ? nil : .string(line(event.subject))), ("message", .string(message))])
        case .budget:
            let isHidden = sink.hidesAmount
            let message = isHidden ? "A budget is nearly or wholly spent." : line(event.details)
            return NotificationText(
                type: "budget.reached", title: "A budget is nearly or wholly spent", body: message, summary: message,
                data: [("budget", .string(line(event.subject))), ("message", .string(message))])
        case .statement:
            let message = line(event.details)
            return NotificationText(
                type: "statement.waiting", title: "A statement waits", body: message, summary: message,
                data: [("bank", .string(line(event.subject))), ("message", .string(message))])
        // Faults of the ledger itself are reported without the ledger; its outbox holds those of its backups.
        case .database:
            let message = line(event.details)
            return NotificationText(
                type: "backup.outdated", title: "The ledger needs a backup", body: message, summary: message,
                data: [("message", .string(message))])
        }
    }

    /// Text for a mail without a draft.
    private static func unread(_ event: Notification, _ sink: SinkSettings) -> NotificationText {
        // The reasons may contain amounts.
        let reason = sink.hidesAmount || sink.hidesMerchant ? "" : line(event.details)
        let bank = line(event.subject)
        return NotificationText(
            type: "review.waiting", title: "A mail waits for review",
            body: [bank.isEmpty ? "" : "From \(bank)", reason].filter { !$0.isEmpty }.joined(separator: ": "),
            summary: "to review: a mail" + (bank.isEmpty ? "" : " from \(bank)"),
            data: [
                ("mail", event.mailID.map(JSON.string)), ("bank", .string(bank)),
                ("reason", reason.isEmpty ? nil : .string(reason)),
            ])
    }

    private static func mailbox(_ event: Notification) -> NotificationText {
        let name = line(event.subject)
        let isLogin = event.kind == .login
        let title =
            event.isOver
            ? "Mailbox \(name) is read again"
            : isLogin ? "Mailbox \(name) needs your consent again" : "Mailbox \(name) cannot be read"
        let body = event.isOver ? "Nothing was lost; what came meanwhile is read now." : line(event.details)
        return NotificationText(
            type: isLogin
                ? event.isOver ? "login.recovered" : "login.consent_needed"
                : event.isOver ? "mailbox.recovered" : "mailbox.trouble", title: title,
            body: body, summary: title,
            data: [("mailbox", .string(name)), ("reason", event.isOver ? nil : .string(body))])
    }

    private static func money(_ facts: Facts, _ sink: SinkSettings, waits: Bool) -> NotificationText {
        let verb =
            ["expense": "spent", "income": "received", "transfer": "transferred"][facts.values[.type] ?? ""] ?? "moved"
        let what = facts.amount ?? (verb == "received" ? "Money" : verb == "transferred" ? "A transfer" : "A payment")
        let plain = facts.amount == nil && verb != "received" ? what : "\(what) \(verb)"
        let when = [facts.values[.date], facts.values[.time]].compactMap(\.self).joined(separator: " ")
        let place: [String] = [facts.values[.merchant], facts.values[.account], when].compactMap(\.self).filter {
            !$0.isEmpty
        }
        return NotificationText(
            type: waits ? "review.waiting" : "transaction.booked",
            title: sink.title.map { facts.fill($0, waits) } ?? (waits ? "To review: \(what)" : plain),
            body: sink.body.map { facts.fill($0, waits) } ?? place.joined(separator: " · "),
            summary: (waits ? "to review: " : "") + ([plain] + place).joined(separator: " · "), data: facts.data)
    }

    /// Reduces a text to one printable line of at most ``longest`` bytes. Drops invisible characters that change the
    /// direction of other text.
    static func line(_ text: String) -> String {
        var result = ""
        var size = 0
        for scalar in text.unicodeScalars {
            var scalar = scalar
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: scalar = " "
            case .format, .surrogate, .privateUse, .unassigned: continue
            default: break
            }
            if scalar == " ", result.unicodeScalars.last == " " { continue }
            size += UTF8.width(scalar)
            guard size <= longest else { return result + "…" }
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}

/// Values of a transaction that one sink may know.
struct Facts {
    var values: [MessageTemplate.Placeholder: String] = [:]
    /// `nil` if the amount is hidden.
    var amount: String? { values[.amount] }
    private(set) var data: [(String, JSON?)]

    init(_ row: TransactionRow, _ sink: SinkSettings) {
        let amount = sink.hidesAmount ? nil : row.amount
        let merchant = sink.hidesMerchant ? nil : row.vendor.map(NotificationText.line)
        values[.amount] = amount?.description
        values[.merchant] = merchant
        values[.account] = row.accountName.map(NotificationText.line)
        values[.digits] = row.accountDigits.map(NotificationText.line)
        values[.bank] = row.profile.map(NotificationText.line)
        values[.type] = row.type.rawValue
        values[.channel] = row.channel?.rawValue
        // A category can identify the merchant.
        let category = sink.hidesMerchant ? nil : NotificationText.line(row.category)
        values[.category] = category
        values[.date] = row.date.description
        values[.time] = row.time?.hoursAndMinutes
        data = [
            ("transaction", .integer(row.id)), ("status", .string(row.status.rawValue)),
            ("transaction_type", .string(row.type.rawValue)),
            ("channel", (row.channel?.rawValue).map(JSON.string)), ("amount", (amount?.decimal).map(JSON.string)),
            ("currency", (amount?.currency.code).map(JSON.string)),
            ("merchant", merchant.map(JSON.string)), ("account", values[.account].map(JSON.string)),
            ("bank", values[.bank].map(JSON.string)),
            ("category", category.map(JSON.string)),
            ("date", JSON(describing: row.date)), ("time", row.time.map { JSON(describing: $0) }),
        ]
    }

    /// Fills a template; an unknown or hidden value becomes empty.
    func fill(_ template: MessageTemplate, _ waits: Bool) -> String {
        template.pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .placeholder(.reason): waits ? "waits for review" : "booked"
            case .placeholder(let name): values[name] ?? ""
            }
        }.joined()
    }
}
