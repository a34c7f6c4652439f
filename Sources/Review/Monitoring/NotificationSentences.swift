import Ledger
public import Store

extension Drift.Alarm {
    /// Text for people; holds no text of a mail. Empty for a sign that disappeared.
    public var sentence: String {
        let parts = subject.split(separator: " ", maxSplits: 1).map(String.init)
        switch measure {
        case .silence(let silence):
            let mail = kind == .bankSilent ? "no mail of \(bank)" : "no mail that \(subject) claims"
            return "\(mail) for \(silence.days) days, usually within \(silence.usualGap ?? 0)"
        case .proportion(let recent, let before):
            let share =
                kind == .matchRate
                ? "templates of \(bank) claim \(recent.percent) of its mails about money"
                : "\(parts.first ?? "") finds the \(parts.last ?? "") in \(recent.percent) of its mails"
            return "\(share), \(before.percent) before"
        case .mails(let count, let day):
            return
                "\(count) mail\(count == 1 ? "" : "s") of \(bank) about money of a form that no template claims, since \(day)"
        case nil: return ""
        }
    }
}

extension Proportion {
    fileprivate var percent: String { rate.map { "\(Int(($0 * 100).rounded())) %" } ?? "none" }
}

extension DueRow {
    /// `Netflix: INR 649.00 is due on 2026-01-05; the balance of HDFC Bank ··4082 is too low`.
    public var sentence: String {
        let due = item.due
        let text =
            switch item.state {
            case .upcoming, .due: "\(due.amount) is due\(dueDay)"
            case .overdue: "\(item.rest) was due on \(due.day) and is not paid"
            case .partlySettled: "\(item.rest) of \(due.amount) is left to pay, due\(dueDay)"
            case .settled: "\(due.amount) is paid"
            case .differs:
                "\(due.amount) was announced for \(due.day), but \(Money(minorUnits: item.paid, currency: due.amount.currency)) was booked"
            case .missed: "\(due.amount) was expected on \(due.day), but is not booked"
            case .carried: "\(item.rest) is part of the next bill"
            }
        let warning = item.suffices == false ? "; the balance of \(payerName ?? "the account") is too low" : ""
        return (title.isEmpty ? "" : title + ": ") + text + warning
    }

    private var dueDay: String {
        item.due.hasDay ? " on \(item.due.day)" : "; the mail names no day"
    }
}

extension BudgetReport {
    public var sentence: String { "\(row.target): \(status.summary)" }
}

extension BackupState {
    /// The fault of the newest backup, with its remedy; for a state that ``isOutdated``.
    public var outdatedSentence: String {
        let remedy =
            "run 'parserctl backup FILE', or 'systemctl enable --now spendwise-backup.timer' for one every day"
        guard let newest else { return "the ledger was never backed up: \(remedy)" }
        return "the newest backup was made at \(newest.madeAt), more than \(days) days ago: \(remedy)"
    }
}
