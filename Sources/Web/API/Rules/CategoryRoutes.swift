import Codecs
import HTTPTypes
import Hummingbird
import Ledger
import Store

/// /categories/
enum CategoryRoutes {
    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/categories", "Categories", "All categories with their subcategories, by name.",
            .init(
                parameters: [.ifNoneMatch],
                responses: [
                    .list("Category", "The categories.")
                ])
        ) { call in
            Answer.json(.array(try await call.read { try $0.categories.all() }.map(\.api))).tagged(for: call.request)
        },
        Endpoint(
            .post, "/categories", "Categories", "Makes a category.",
            .init(
                body: Schema.ref("NewCategory"),
                responses: [
                    .row("Category", "category", "The new category.", status: 201), .conflict,
                ],
                isRepeatable: true)
        ) { call in
            var fields = try await call.fields()
            let (name, icon, color) = (fields.required("name"), fields.optional("icon"), fields.optional("color"))
            for problem in CategoryEdit(
                name: name, icon: icon.map { .set($0) } ?? .keep, color: color.map { .set($0) } ?? .keep
            ).problems
            where !fields.problems.contains(where: { $0.field == problem.field }) {
                fields.refuse(problem.field, problem.detail)
            }
            try fields.finish()
            let actor = call.actor
            return try await call.answer { store in
                let row = try store.categories.add(name: name, icon: icon, color: color, by: actor)
                return .created(row.api, at: "/categories/\(row.id)", headers: [.eTag: row.tag.text])
            }
        },
        Endpoint(
            .get, "/categories/{id}", "Categories", "One category.",
            .init(
                parameters: [.id, .ifNoneMatch],
                responses: [
                    .row("Category", "category", "The category."), .notFound,
                ])
        ) { call in
            let row = try await existing(call)
            return Answer.json(row.api).tagged(for: call.request, as: row.tag)
        },
        Endpoint(
            .put, "/categories/{id}", "Categories",
            "Changes a category. A new name applies to its transactions, too. Some shipped ones keep their names.",
            .init(
                parameters: [.id, .ifMatch], body: Schema.ref("CategoryEdit"),
                responses: [
                    .row("Category", "category", "The category after the change."), .notFound, .conflict, .stale,
                ])
        ) { call in
            let id = try await existing(call).id
            var fields = try await call.fields()
            fields.ignore("id", "is_system", "created_at", "updated_at", "subcategories")
            let edit = CategoryEdit(
                name: fields.notNull("name", fields.text("name")), icon: fields.text("icon"),
                color: fields.text("color"))
            for problem in edit.problems { fields.refuse(problem.field, problem.detail) }
            try fields.finish()
            let actor = call.actor
            let row = try await call.edit(\CategoryRow.tag) { store, holds in
                try store.categories.update(id, edit, expecting: holds, by: actor)
            }
            return .json(row.api, headers: [.eTag: row.tag.text])
        },
        Endpoint(
            .delete, "/categories/{id}", "Categories",
            "Deletes an own category with its keywords. Its transactions move to another category.",
            .init(
                parameters: [
                    .id, .ifMatch,
                    .query(
                        "replacement", Schema.name,
                        "The new category of its transactions; Uncategorized by default."),
                ],
                responses: [.init(status: 204, about: "Deleted."), .notFound, .conflict, .stale])
        ) { call in
            let id = try await existing(call).id
            var query = Query(call)
            let replacement = query.text("replacement", atMost: TextLimit.name, mayBeEmpty: false)
            try query.finish()
            let actor = call.actor
            try await call.edit(\CategoryRow.tag) { store, holds in
                _ = try store.categories.delete(id, replacement: replacement, expecting: holds, by: actor)
            }
            return .noContent
        },
        Endpoint(
            .post, "/categories/{id}/subcategories", "Categories", "Makes a subcategory of an own or shipped category.",
            .init(
                parameters: [.id], body: Schema.ref("NewSubcategory"),
                responses: [
                    .init(status: 201, about: "The new subcategory.", schema: Schema.ref("Subcategory")), .notFound,
                    .conflict,
                ], isRepeatable: true)
        ) { call in
            let id = try await existing(call).id
            var fields = try await call.fields()
            let (name, icon) = (fields.required("name"), fields.optional("icon"))
            for problem in CategoryEdit(name: name, icon: icon.map { .set($0) } ?? .keep).problems
            where !fields.problems.contains(where: { $0.field == problem.field }) {
                fields.refuse(problem.field, problem.detail)
            }
            try fields.finish()
            let actor = call.actor
            return try await call.answer { store in
                .json(
                    try store.categories.addSubcategory(of: id, name: name, icon: icon, by: actor).api, status: .created
                )
            }
        },
        Endpoint(
            .put, "/categories/{id}/subcategories/{subcategory}", "Categories",
            "Changes a subcategory. A new name applies to its transactions, too.",
            .init(
                parameters: [
                    .id,
                    Endpoint.Parameter(
                        name: "subcategory", place: .path, schema: Schema.integer(1),
                        about: "The number of the subcategory.", isRequired: true),
                ], body: Schema.ref("SubcategoryEdit"),
                responses: [
                    .init(status: 200, about: "The subcategory.", schema: Schema.ref("Subcategory")), .notFound,
                    .conflict,
                ])
        ) { call in
            let (category, id) = (try call.number(), try call.number("subcategory"))
            var fields = try await call.fields()
            fields.ignore("id", "category_id", "is_system", "created_at", "updated_at")
            let edit = CategoryEdit(
                name: fields.notNull("name", fields.text("name")), icon: fields.text("icon"))
            for problem in edit.problems { fields.refuse(problem.field, problem.detail) }
            try fields.finish()
            let actor = call.actor
            return try await call.answer {
                .json(try $0.categories.updateSubcategory(id, of: category, edit, by: actor).api)
            }
        },
    ]

    private static func existing(_ call: Call) async throws -> CategoryRow {
        try await call.row("category") { try $0.categories.find($1) }
    }
}
