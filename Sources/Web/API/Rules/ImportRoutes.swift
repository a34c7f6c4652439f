import Chronology
import Codecs
import Hummingbird
import Ledger
import Store

/// /imports/: mail archives that parserctl import reads.
enum ImportRoutes {
    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/imports", "Imports",
            "The imported archives and the progress of each, the latest first.",
            .init(
                parameters: [.ifNoneMatch],
                responses: [
                    .init(
                        status: 200, about: "The imports.",
                        schema: Schema.list(
                            Schema.shown([
                                ("mailbox", Schema.text()), ("root", Schema.text()), ("mails", Schema.integer()),
                                ("is_finished", Schema.bool), ("updated_at", Schema.instant),
                            ])))
                ])
        ) { call in
            let imports = try await call.read { try $0.imports.all() }
            return Answer.json(
                .array(
                    imports.map { item in
                        .object([
                            ("mailbox", .string(item.mailbox)), ("root", .string(item.root)),
                            ("mails", JSON(item.mails)), ("is_finished", .bool(item.isFinished)),
                            ("updated_at", JSON(describing: item.updatedAt)),
                        ])
                    })
            ).tagged(for: call.request)
        }
    ]
}
