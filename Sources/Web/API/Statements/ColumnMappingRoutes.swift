import Codecs
import Hummingbird
import Ledger
import Store

/// /tools/import/mappings: the columns of lists of payments.
enum ColumnMappingRoutes {
    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/tools/import/mappings", "Imports",
            "The lists of payments that can be read, with the headings of their columns: the shipped ones and own ones.",
            .init(
                parameters: [.ifNoneMatch],
                responses: [.init(status: 200, about: "The lists.", schema: Schema.list(shown))])
        ) { call in
            let mappings = try await call.ledger { [services = call.services] in try services.columnMappings(in: $0) }
            return Answer.json(.array(mappings.map(json))).tagged(for: call.request)
        },
        Endpoint(
            .put, "/tools/import/mappings/{name}", "Imports",
            "Names the columns of a list of payments, for later files with the same headings.",
            .init(
                parameters: [name],
                body: Schema.object(columns + meanings, required: ["date", "text"]),
                responses: [.init(status: 200, about: "The columns.", schema: shown), .conflict])
        ) { call in
            var fields = try await call.fields()
            var mapping = PaymentColumns(name: try call.text("name"), headings: [:])
            for column in PaymentColumns.Column.allCases {
                mapping.headings[column] = fields.texts(column.rawValue)
            }
            mapping.dateOrder = fields.choice("date_order", DateOrder.self) ?? .dayFirst
            mapping.unsigned = fields.choice("unsigned", PaymentColumns.Unsigned.self) ?? .omitted
            try fields.finish()
            return try await call.ledger { [mapping] store in
                try store.statements.save(mapping)
                return .json(json(mapping))
            }
        },
        Endpoint(
            .delete, "/tools/import/mappings/{name}", "Imports",
            "Forgets own columns. What was imported by them stays.",
            .init(parameters: [name], responses: [.init(status: 204, about: "Done."), .notFound])
        ) { call in
            let name = try call.text("name")
            try await call.ledger { try $0.statements.deleteMapping(name) }
            return .noContent
        },
    ]

    private static let name = Endpoint.Parameter(
        name: "name", place: .path, schema: Schema.text(40, pattern: "^[a-z0-9-]+$"), about: "The name.",
        isRequired: true)
    private static let columns: [(String, JSON)] = PaymentColumns.Column.allCases.map {
        ($0.rawValue, Schema.list(Schema.name, atMost: 20))
    }
    private static let meanings: [(String, JSON)] = [
        ("date_order", Schema.words(DateOrder.self)),
        ("unsigned", Schema.words(PaymentColumns.Unsigned.self)),
    ]
    private static let shown = Schema.shown(
        [("name", Schema.text()), ("columns", .object([("type", .string("object"))]))] + meanings)

    private static func json(_ mapping: PaymentColumns) -> JSON {
        .object([
            ("name", .string(mapping.name)),
            (
                "columns",
                .object(
                    PaymentColumns.Column.allCases.compactMap { column in
                        mapping.headings[column].map { (column.rawValue, JSON.array($0.map(JSON.string))) }
                    })
            ), ("date_order", .string(mapping.dateOrder.rawValue)), ("unsigned", .string(mapping.unsigned.rawValue)),
        ])
    }
}
