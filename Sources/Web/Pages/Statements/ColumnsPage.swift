import Hummingbird
import Ledger
import Store

/// The columns of lists of payments, which a person names once for all files of one program.
enum ColumnsPage {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/columns", on: router) { call in
            try await pages.show(.columns, call) { [services = pages.services] ledger in
                ColumnsView(
                    try services.columnMappings(in: ledger), own: Set(try ledger.statements.mappings().map(\.name)))
            }
        }
        pages.post("/app/columns", on: router) { call in
            let mapping = mapping(call.form)
            try await pages.services.write { try $0.statements.save(mapping) }
            return pages.seeOther("/app/columns", done: "columns")
        }
        pages.post("/app/columns/{name}/delete", on: router) { call in
            let name = call.parameter("name")
            try await pages.services.write { try $0.statements.deleteMapping(name) }
            return pages.seeOther("/app/columns", done: "columns-gone")
        }
    }

    private static func mapping(_ form: FormFields) -> PaymentColumns {
        var mapping = PaymentColumns(name: form.text("name") ?? "", headings: [:])
        for column in PaymentColumns.Column.allCases {
            mapping.headings[column] = form.text(column.rawValue).map { [$0] }
        }
        mapping.dateOrder = form.text("date_order").flatMap { DateOrder(rawValue: $0) } ?? .dayFirst
        mapping.unsigned = form.text("unsigned").flatMap { PaymentColumns.Unsigned(rawValue: $0) } ?? .omitted
        return mapping
    }
}

struct ColumnsView: Sendable {
    struct Line: Sendable {
        var name: String
        var columns: String
        /// False for a shipped list, which cannot be removed.
        var isOwn: Bool
    }

    struct Field: Sendable {
        var name: String
        var title: String
        var isRequired: Bool
    }

    var lines: [Line]
    let fields: [Field] = [
        Field(name: "date", title: PageText.of("common.date"), isRequired: true),
        Field(name: "text", title: PageText.of("columns.payee-or-description"), isRequired: true),
        Field(name: "amount", title: PageText.of("common.amount"), isRequired: false),
        Field(name: "debit", title: PageText.of("columns.debit"), isRequired: false),
        Field(name: "credit", title: PageText.of("columns.credit"), isRequired: false),
        Field(name: "sign", title: PageText.of("columns.sign"), isRequired: false),
        Field(name: "reference", title: PageText.of("common.reference"), isRequired: false),
        Field(name: "account", title: PageText.of("common.account"), isRequired: false),
        Field(name: "status", title: PageText.of("columns.status"), isRequired: false),
        Field(name: "currency", title: PageText.of("common.currency"), isRequired: false),
    ]

    init(_ mappings: [PaymentColumns], own: Set<String>) {
        lines = mappings.map { mapping in
            Line(
                name: mapping.name,
                columns: PaymentColumns.Column.allCases.compactMap { column in
                    mapping.headings[column]?.first.map { "\(column.rawValue): \($0)" }
                }.joined(separator: " · "), isOwn: own.contains(mapping.name))
        }
    }
}
