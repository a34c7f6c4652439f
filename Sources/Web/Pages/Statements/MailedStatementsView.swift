import Chronology
import Ledger
import Review
import Store

/// The statements that banks attached to mails.
struct MailedStatementsView: Sendable {
    struct Choice: Sendable {
        var id: String
        var name: String
        var isChosen: Bool
    }

    struct Line: Sendable {
        var id: String
        var title: String
        var state: String
        var reason: String
        /// False for a file that is too long: it is only in the mail.
        var isKept: Bool
        var mailPath: String
        var accounts: [Choice]
    }

    struct Read: Sendable {
        var title: String
        var state: String
        var path: String
        var mailPath: String
    }

    /// Files that a person can still read.
    var waiting: [Line]
    var settled: [Read]

    /// Files that are done are listed up to this number.
    private static let mostSettled = 50

    init(in ledger: Snapshot) throws {
        let files = try ledger.statements.files()
        let zone = ledger.timeZone
        let accounts = try ledger.userAccounts.all()
        waiting = files.filter(\.state.isOpen).map { file in
            Line(
                id: "\(file.id)", title: Self.title(file, zone), state: file.state.sentence, reason: file.reason ?? "",
                isKept: file.digest != nil,
                mailPath: "/app/mails/\(file.mailID)",
                accounts: accounts.map {
                    Choice(id: "\($0.id)", name: $0.name, isChosen: $0.id == file.account)
                })
        }
        settled = files.filter { !$0.state.isOpen }.prefix(Self.mostSettled).map { file in
            Read(
                title: Self.title(file, zone), state: file.state.sentence,
                path: file.statement.map { "/app/statements/\($0)" } ?? "", mailPath: "/app/mails/\(file.mailID)")
        }
    }

    private static func title(_ file: StatementFile, _ zone: IANATimeZone) -> String {
        let digits = file.accountDigits.map { " ··\($0)" } ?? ""
        let day = file.receivedAt.map { ", \(DayText.text(zone.day(of: $0)))" } ?? ""
        return PageText.of(
            "mailed-statements.title",
            [
                "file": file.name ?? PageText.of("mailed-statements.a-statement"), "bank": file.profile + digits,
                "day": day,
            ])
    }
}
