import Chronology
import Codecs
import Ledger

/// The answer of the child, as JSON: a statement, or the reason for its refusal.
enum StatementAnswer: Hashable {
    case statement(BankStatement)
    case refusal(StatementReadingError)

    /// Of both directions; parent and child are the same program, so a difference is a fault.
    static let version: Int64 = 3
    /// Twice the largest file: JSON adds names, not much else.
    static let maximumBytes = 2 * StatementReader.maximumBytes

    /// The refusal, or the statement if its balances follow from its lines; `nil` for any other statement, which a
    /// sound child does not return.
    var checked: Result<BankStatement, StatementReadingError>? {
        switch self {
        case .refusal(let error): .failure(error)
        case .statement(let statement):
            statement.lines.isEmpty || (try? StatementProof(statement)) == nil ? nil : .success(statement)
        }
    }

    var bytes: [UInt8] {
        switch self {
        case .statement(let statement):
            JSON.object([("version", .integer(Self.version)), ("statement", statement.json)]).utf8
        case .refusal(let error): JSON.object([("version", .integer(Self.version)), ("refusal", error.json)]).utf8
        }
    }

    /// - Returns: `nil` for anything that ``bytes`` does not give.
    init?(_ bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes), case .integer(Self.version)? = json["version"] else { return nil }
        if let statement = json["statement"].flatMap(BankStatement.init(json:)) {
            self = .statement(statement)
        } else if let error = json["refusal"].flatMap(StatementReadingError.init(json:)) {
            self = .refusal(error)
        } else {
            return nil
        }
    }
}

extension JSON {
    fileprivate var day: CalendarDate? { textValue.flatMap { CalendarDate(iso: $0) } }
    /// Minor units that every sum of the ledger can hold.
    fileprivate var minorUnits: Int64? {
        integerValue.flatMap { $0.magnitude <= UInt64(Money.maximumMinorUnits) ? $0 : nil }
    }
}

extension BankStatement {
    fileprivate var json: JSON {
        .object(present: [
            ("currency", .string(currency.code)), ("account", accountNumber.map(JSON.string)),
            ("period", period.map { .array([JSON(describing: $0.first), JSON(describing: $0.last)]) }),
            ("opening", opening.map(JSON.integer)), ("closing", closing.map(JSON.integer)),
            ("lines", .array(lines.map(\.json))),
            (
                "omitted",
                omitted.isEmpty
                    ? nil : .array(omitted.map { .array([JSON($0.row), .string($0.reason.rawValue)]) })
            ),
        ])
    }

    fileprivate init?(json: JSON) {
        guard let currency = json["currency"]?.textValue.flatMap({ Currency.named($0) }),
            let items = json["lines"]?.elements
        else { return nil }
        self.init(currency: currency)
        let days = json["period"]?.elements?.compactMap(\.day) ?? []
        if days.count == 2 { period = DaySpan(days[0], through: days[1]) }
        accountNumber = json["account"]?.textValue
        opening = json["opening"]?.minorUnits
        closing = json["closing"]?.minorUnits
        for item in items {
            guard let line = StatementLine(json: item) else { return nil }
            lines.append(line)
        }
        for item in json["omitted"]?.elements ?? [] {
            guard let pair = item.elements, pair.count == 2, let row = pair[0].integerValue,
                let reason = pair[1].textValue.flatMap({ OmittedRow.Reason(rawValue: $0) })
            else { return nil }
            omitted.append(OmittedRow(row: Int(row), reason: reason))
        }
    }
}

extension StatementLine {
    fileprivate var json: JSON {
        .object(present: [
            ("row", JSON(row)), ("day", JSON(describing: day)), ("value", valueDay.map { JSON(describing: $0) }),
            ("change", .integer(change)), ("balance", balance.map(JSON.integer)), ("text", .string(text)),
            ("reference", reference.map(JSON.string)), ("account", printedAccount.map(JSON.string)),
        ])
    }

    fileprivate init?(json: JSON) {
        guard let row = json["row"]?.integerValue, let day = json["day"]?.day, let change = json["change"]?.minorUnits,
            let text = json["text"]?.textValue
        else { return nil }
        self.init(row: Int(row), day: day, change: change, text: text)
        valueDay = json["value"]?.day
        balance = json["balance"]?.minorUnits
        reference = json["reference"]?.textValue
        printedAccount = json["account"]?.textValue
    }
}

extension StatementReadingError {
    private static let plain: [(name: String, error: StatementReadingError)] = [
        ("unknown_format", .unknownFormat), ("binary_workbook", .binaryWorkbook), ("no_table", .noTable),
        ("several_accounts", .severalAccounts),
        ("ambiguous_dates", .ambiguousDates), ("limit_exceeded", .limitExceeded), ("not_confined", .notConfined),
        ("no_payments", .noPayments), ("needs_password", .needsPassword), ("wrong_password", .wrongPassword),
        ("damaged_pdf", .damagedPDF),
        ("no_text", .noText),
    ]

    fileprivate var json: JSON {
        switch self {
        case .unreadableRow(let row): .object([("kind", .string("unreadable_row")), ("row", JSON(row))])
        case .doesNotAddUp(let defect, let currency):
            .object([
                ("kind", .string("does_not_add_up")), ("row", JSON(defect.row)),
                ("expected", .integer(defect.expected)), ("printed", .integer(defect.printed)),
                ("currency", .string(currency.code)),
            ])
        case .tooLarge(let limit, let maximum):
            .object([("kind", .string("too_large")), ("limit", .string(limit.rawValue)), ("maximum", JSON(maximum))])
        default:
            .object([("kind", JSON(Self.plain.first { $0.error == self }?.name))])
        }
    }

    fileprivate init?(json: JSON) {
        guard let kind = json["kind"]?.textValue else { return nil }
        switch kind {
        case "unreadable_row":
            guard let row = json["row"]?.integerValue else { return nil }
            self = .unreadableRow(Int(row))
        case "does_not_add_up":
            guard let expected = json["expected"]?.integerValue, let printed = json["printed"]?.integerValue,
                let currency = json["currency"]?.textValue.flatMap({ Currency.named($0) })
            else { return nil }
            let row = json["row"]?.integerValue.map { Int($0) }
            self = .doesNotAddUp(.init(row: row, expected: expected, printed: printed), currency: currency)
        case "too_large":
            guard let limit = json["limit"]?.textValue.flatMap(Limit.init(rawValue:)),
                let maximum = json["maximum"]?.integerValue
            else { return nil }
            self = .tooLarge(limit: limit, maximum: Int(maximum))
        default:
            guard let error = Self.plain.first(where: { $0.name == kind })?.error else { return nil }
            self = error
        }
    }
}
