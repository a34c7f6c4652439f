import ArgumentParser
import Chronology
import Codecs
import Console
import Ledger
import Review
import Store

struct UserAccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Your accounts: balances, and whether they follow from what is booked.",
        subcommands: [
            Listing.self, Check.self, Worth.self, Add.self, Edit.self, Delete.self, Merge.self, Split.self, Cash.self,
        ], defaultSubcommand: Listing.self)

    struct Listing: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Show accounts with their balances.")
        @Option(help: "The balance at the end of this day, yyyy-mm-dd.")
        var on: String?
        @Flag(help: "Also accounts that are not in use or were merged.")
        var all = false
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            let day = try day(on)
            try options.read { store in
                let rows = try store.read { ledger in
                    try ledger.userAccounts.all(merged: all).filter { all || $0.isActive }.map { row in
                        AccountBalance(row: row, position: try ledger.userAccounts.position(row.id, on: day))
                    }
                }
                options.show(rows, as: .accounts)
            }
        }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Compare each printed balance with the one before and the movements between them.",
            discussion: "Exit status 2 if a balance does not follow.")
        @Argument(help: "The number of one account; all by default.")
        var id: Int64?
        @Option(help: "First day, yyyy-mm-dd.")
        var since: String?
        @Flag(help: "Accept each item of the review queue that alone closes a gap exactly.")
        var accept = false
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            let first = try day(since)
            var gaps = 0
            try options.open(forChanges: accept) { store in
                if accept { try acceptDrafts(in: store, since: first) }
                let checks = try store.read { ledger in
                    let rows = try ledger.userAccounts.all().filter { id == nil || $0.id == id }
                    guard !rows.isEmpty || id == nil else { throw Refused("there is no account \(id ?? 0)") }
                    return try rows.map { ($0, try ledger.userAccounts.continuity($0.id, since: first)) }
                }
                for (row, check) in checks {
                    gaps += check.findings.count
                    if options.json {
                        check.findings.forEach { Output.line($0.json(row).text) }
                    } else {
                        check.show(row)
                    }
                }
            }
            if gaps > 0 { throw Exit.differs }
        }

        /// Books the drafts that are the only cause of a finding.
        private func acceptDrafts(in store: Store, since: CalendarDate?) throws {
            let service = ReviewService(store, by: .terminal)
            for row in try store.userAccounts.all() where id == nil || row.id == id {
                for finding in try store.userAccounts.continuity(row.id, since: since).findings {
                    guard finding.causes.count == 1, case .draft(let draft)? = finding.causes.first else { continue }
                    try service.accept(.transaction(draft), seen: .anything)
                    if !options.json { Output.line("accepted item \(draft)") }
                }
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete an account; its transactions stay, without an account.")
        @OptionGroup var row: RowArgument

        func run() async throws { try row.delete("account") { try $0.userAccounts.delete($1, by: .terminal) } }
    }

    struct Cash: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cash", abstract: "Book a withdrawal as a transfer into a cash account.")
        @Argument(help: "The number of the transaction.")
        var transaction: Int64
        @Argument(help: "The number of the cash account.")
        var into: Int64
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.write { store in
                let row = try store.userAccounts.withdraw(transaction, into: into, by: .terminal).row
                options.show(
                    .object([("transaction", .integer(row.id)), ("amount", .string(row.amount.decimal))]),
                    "transaction \(row.id): \(row.amount.description) into account \(into)")
            }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add an account by hand, such as cash.")
        @Argument(help: "Its name.")
        var name: String
        @OptionGroup var values: Values
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.write { store in
                var edit = try values.edit(besides: nil, home: store.homeCurrency)
                edit.name = name
                try options.show(try store.userAccounts.add(edit, by: .terminal), in: store)
            }
        }
    }

    struct Edit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "edit", abstract: "Confirm an account that an alert made, or change one.")
        @Argument(help: "Its number.")
        var id: Int64
        @Option(help: "Its name.")
        var name: String?
        @Flag(inversion: .prefixedNo, help: "Whether it is in use.")
        var active: Bool?
        @OptionGroup var values: Values
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.write { store in
                var edit = try values.edit(besides: try store.userAccounts.find(id), home: store.homeCurrency)
                (edit.name, edit.isActive, edit.isConfirmed) = (name, active, true)
                try options.show(try store.userAccounts.change(id, edit, by: .terminal).row, in: store)
            }
        }
    }

    struct Merge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "merge",
            abstract: "Merge an account into another, which takes over its numbers and transactions.")
        @Argument(help: "The account that ends.")
        var id: Int64
        @Argument(help: "The account that remains.")
        var into: Int64
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.write {
                try options.show(try $0.userAccounts.merge(id, into: into, by: .terminal).row, in: $0)
            }
        }
    }

    struct Split: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "split", abstract: "Split a number off into an account of its own.")
        @Argument(help: "The account.")
        var id: Int64
        @Argument(help: "The bank's key, such as hdfc.")
        var bank: String
        @Argument(help: "The digits as alerts print them.")
        var digits: String
        @OptionGroup var options: LedgerOptions

        func run() async throws {
            try options.write {
                try options.show(
                    try $0.userAccounts.split(id, profile: bank, digits: digits, by: .terminal).row, in: $0)
            }
        }
    }

    /// The values of an account that can be given as options.
    struct Values: ParsableArguments {
        @Option(help: "\(UserAccountType.allCases.map(\.rawValue).joined(separator: ", ")).")
        var type: String?
        @Option(help: "Three letters, such as INR.")
        var currency: String?
        @Option(help: "The initial balance; negative for a debt.")
        var balance: String?
        @Option(help: "The day of the initial balance, yyyy-mm-dd.")
        var on: String?
        @Option(help: "The credit limit.")
        var limit: String?

        /// - Parameters:
        ///   - old: the account before the edit; `nil` for a new one.
        ///   - home: the currency of an account without another.
        func edit(besides old: UserAccountRow?, home: Currency) throws -> UserAccountEdit {
            var edit = UserAccountEdit()
            if let type { edit.type = try FieldInput.choice(type, "a type", of: UserAccountType.self) }
            if let currency { edit.currency = try FieldInput.currency(currency) }
            let unit = edit.currency ?? old?.currency ?? home
            edit.initialBalance = try balance.map { try FieldInput.signedAmount($0, unit).minorUnits }
            if let on { edit.initialDate = .set(try FieldInput.date(on)) }
            if let limit { edit.creditLimit = .set(try FieldInput.amount(limit, unit).minorUnits) }
            return edit
        }
    }
}

/// An account with its balance.
fileprivate struct AccountBalance {
    let row: UserAccountRow
    let position: AccountPosition

    var json: JSON {
        .object([
            ("id", .integer(row.id)), ("name", .string(row.name)), ("type", .string(row.type.rawValue)),
            ("institution", JSON(row.institution)), ("currency", .string(row.currency.code)),
            ("balance", .string(position.balance.decimal)), ("available", JSON(position.available?.decimal)),
            (
                "foreign",
                .array(
                    position.foreign.map {
                        .object([("amount", .string($0.decimal)), ("currency", .string($0.currency.code))])
                    })
            ),
            ("is_active", .bool(row.isActive)), ("is_new", .bool(row.isNew)),
            ("is_private", .bool(row.owner != nil)), ("merged_into", JSON(row.mergedInto)),
            (
                "numbers",
                .array(
                    row.numbers.map { .object([("profile", .string($0.profile)), ("digits", .string($0.digits))]) })
            ),
        ])
    }
}

extension RowFormat where Row == AccountBalance {
    fileprivate static var accounts: RowFormat {
        RowFormat(
            empty: "no accounts", object: \.json,
            columns: [
                .right("id") { "\($0.row.id)" }, .left("account") { $0.row.name },
                .left("type") { $0.row.type.rawValue }, .right("balance") { $0.position.balance.decimal },
                .left("") { $0.row.currency.code }, .right("available") { $0.position.available?.decimal ?? "" },
                .left("not included") { $0.position.foreign.map(\.description).joined(separator: ", ") },
                .left("numbers") { $0.row.numbers.map { "\($0.profile) \($0.digits)" }.joined(separator: ", ") },
                .left("") { $0.row.mergedInto.map { "merged into \($0)" } ?? ($0.row.isNew ? "new" : "") },
            ])
    }
}

extension LedgerOptions {
    fileprivate func show(_ row: UserAccountRow, in store: Store) throws {
        let balance = AccountBalance(row: row, position: try store.userAccounts.position(row.id))
        show(balance.json, "account \(row.id): \(row.name), \(row.type.rawValue), \(row.currency.code)")
    }
}

extension ContinuityCheck {
    fileprivate func show(_ row: UserAccountRow) {
        if isDrifting { return Output.line("\(row.name): prints an available balance that cannot be compared") }
        if windows == 0 { return Output.line("\(row.name): nothing to compare") }
        let result = findings.isEmpty ? "agree" : "compared, \(findings.count) do not follow"
        Output.line("\(row.name): \(windows) printed balances \(result)")
        for finding in findings {
            Output.line(
                "  \(finding.start.description) to \(finding.end.description): "
                    + finding.sentence(in: row.currency) { $0.description })
            for cause in finding.causes { Output.line("    \(cause.sentence)") }
        }
    }
}

extension ContinuityFinding {
    fileprivate func json(_ row: UserAccountRow) -> JSON {
        let (first, last) = (AccountMovement.evidence(from), AccountMovement.evidence(to))
        return .object([
            ("account", .integer(row.id)), ("from_id", JSON(first.transaction)), ("to_id", JSON(last.transaction)),
            ("from_notice", JSON(first.notice)), ("to_notice", JSON(last.notice)),
            ("start", .string(start.description)), ("end", .string(end.description)),
            ("gap", .string(Money(minorUnits: gap, currency: row.currency).decimal)),
            ("currency", .string(row.currency.code)),
            (
                "causes",
                .array(
                    causes.map {
                        .object([
                            ("kind", .string($0.kind)),
                            ("transaction_ids", .array($0.transactions.map { .integer($0) })),
                        ])
                    })
            ),
        ])
    }
}
