import Chronology
import Codecs
import Console
import Ledger
import Review
import Store

extension StatementResult {
    func show() {
        Output.line("statement \(row.id)\(isNew ? "" : ", stored before"): \(row.period.first) to \(row.period.last)")
        if !booking.transactions.isEmpty { Output.line("\(booking.transactions.count) transactions booked") }
        for line in booking.withheld {
            Output.line("row \(line) is not booked again: a person deleted its transaction")
        }
        comparison.show()
        if row.reconciledAt != nil { Output.line("\nThe statement is reconciled.") }
    }

    var json: JSON {
        guard case .object(let members) = comparison.json else { return comparison.json }
        return .object(
            [
                ("id", .integer(row.id)), ("is_new", .bool(isNew)),
                ("booked", .array(booking.transactions.map(JSON.integer))),
                ("withheld", .array(booking.withheld.map { JSON($0) })),
                ("reconciled", .bool(row.reconciledAt != nil)),
            ] + members)
    }
}

extension RowFormat where Row == StatementRow {
    static var statements: RowFormat {
        RowFormat(
            empty: "no statement was imported: see 'parserctl statement import'",
            object: { row in
                .object([
                    ("id", .integer(row.id)), ("account", .integer(row.account)), ("file", JSON(row.fileName)),
                    ("since", JSON(describing: row.period.first)), ("until", JSON(describing: row.period.last)),
                    ("currency", .string(row.currency.code)), ("opening", JSON(row.opening?.decimal)),
                    ("closing", JSON(row.closing?.decimal)), ("proof", .string(row.proof.rawValue)),
                    ("lines", JSON(row.lines)), ("open", JSON(row.open)), ("read_at", JSON(describing: row.readAt)),
                    ("reconciled_at", JSON(describing: row.reconciledAt)),
                ])
            },
            columns: [
                .right("ID") { "\($0.id)" }, .right("ACCOUNT") { "\($0.account)" },
                .left("PERIOD") { "\($0.period.first) to \($0.period.last)" },
                .right("CLOSING") { $0.closing.map { "\($0)" } ?? "" }, .right("LINES") { "\($0.lines)" },
                .right("NOT BOOKED") { "\($0.open)" },
                .left("STATE") {
                    $0.list ?? ($0.reconciledAt != nil ? "reconciled" : $0.proof == .none ? "not proven" : "")
                },
                .left("FILE") { Terminal.printable($0.fileName ?? "") },
            ])
    }
}

extension StatementComparison {
    private func money(_ units: Int64) -> Money { Money(minorUnits: units, currency: statement.currency) }

    func show() {
        if statement.list != nil { return showPayments() }
        let booked = result.matches.count { $0.differences.isEmpty }
        if let proof { Output.line(proof.sentence) }
        Output.line("\(booked) of \(statement.lines.count) lines are booked as the statement has them")
        let different = result.matches.filter { !$0.differences.isEmpty }
        section("Different in the ledger", different.count)
        for match in different {
            line(statement.lines[match.line])
            let words = match.differences.map(\.rawValue).sorted().joined(separator: ", ")
            Output.line("    transaction \(match.transaction): \(words)")
        }
        section("Only in the statement", result.onlyInStatement.count)
        for index in result.onlyInStatement { line(statement.lines[index]) }
        section("Only in the ledger", result.onlyInLedger.count)
        for missing in result.onlyInLedger {
            guard let row = transactions[missing.transaction] else { continue }
            let name = Terminal.printable(row.vendor ?? row.vpa ?? "")
            Output.line("  \(row.date)  \(row.amount)  \(name)  transaction \(row.id): \(missing.cause.sentence)")
        }
    }

    private func showPayments() {
        for payment in payments {
            let line = payment.line
            let other = payment.transaction.map { " (transaction \($0.id))" } ?? ""
            Output.line(
                "  row \(line.row)  \(line.day)  \(money(line.change))  \(Terminal.printable(line.text)): \(payment.state.sentence)\(other)"
            )
        }
        for row in statement.omitted { Output.line("  row \(row.row) is left out: \(row.reason.sentence)") }
    }

    private func section(_ title: String, _ count: Int) {
        if count > 0 { Output.line("\n\(title): \(count)") }
    }

    private func line(_ line: StatementLine) {
        Output.line("  \(line.day)  \(money(line.change))  \(Terminal.printable(line.text))  row \(line.row)")
    }

    private var list: [(String, JSON)] {
        guard let name = statement.list else { return [] }
        return [
            ("payments", .string(name)),
            (
                "rows",
                .array(
                    payments.map { payment in
                        guard case .object(let members) = json(payment.line) else { return .null }
                        return .object(
                            members + [
                                ("state", .string(payment.state.rawValue)),
                                ("transaction_id", payment.transaction.map { JSON.integer($0.id) } ?? .null),
                            ])
                    })
            ),
            (
                "omitted",
                .array(
                    statement.omitted.map {
                        .object([("row", JSON($0.row)), ("reason", .string($0.reason.rawValue))])
                    })
            ),
        ]
    }

    var json: JSON {
        let members: [(String, JSON)] = [
            ("currency", .string(statement.currency.code)), ("lines", JSON(statement.lines.count)),
            ("proof", JSON(proof?.rawValue)),
            (
                "matches",
                .array(
                    result.matches.map {
                        .object([
                            ("row", JSON(statement.lines[$0.line].row)),
                            ("transaction_id", .integer($0.transaction)),
                            ("evidence", .string($0.strength.rawValue)),
                            ("differences", .array($0.differences.map(\.rawValue).sorted().map(JSON.string))),
                        ])
                    })
            ),
            ("only_in_statement", .array(result.onlyInStatement.map { json(statement.lines[$0]) })),
            (
                "only_in_ledger",
                .array(
                    result.onlyInLedger.map {
                        .object([
                            ("transaction_id", .integer($0.transaction)), ("cause", .string($0.cause.rawValue)),
                        ])
                    })
            ),
        ]
        return .object(list + members)
    }

    private func json(_ line: StatementLine) -> JSON {
        .object([
            ("row", JSON(line.row)), ("date", JSON(describing: line.day)),
            ("amount", .string(money(line.change).decimal)), ("text", .string(line.text)),
            ("reference", JSON(line.reference)),
        ])
    }
}
