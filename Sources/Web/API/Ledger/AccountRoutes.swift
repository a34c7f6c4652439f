import Chronology
import Codecs
import HTTPTypes
import Hummingbird
import Ledger
import Profiles
import Store

/// /accounts/: templates that users and clients make.
enum AccountRoutes {
    /// Limit of accounts in one call. Each pattern is tested against hostile texts, which takes some hundredths of a
    /// second.
    static let syncLimit = 100

    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/accounts", "Accounts", "All accounts, by name.",
            .init(
                parameters: [.ifNoneMatch],
                responses: [
                    .init(
                        status: 200, about: "The accounts.", schema: Schema.list(Schema.ref("Account")),
                        headers: [("ETag", "Of the list.")])
                ])
        ) { call in
            Answer.json(.array(try await call.read { try $0.accounts.all() }.map(\.api))).tagged(for: call.request)
        },
        Endpoint(
            .post, "/accounts", "Accounts",
            "Makes an account. Its patterns are compiled, tested against hostile texts, and in force with the response.",
            .init(
                body: Schema.ref("NewAccount"),
                responses: [
                    .init(
                        status: 201, about: "The new account, in force.", schema: Schema.ref("Account"),
                        headers: [("Location", "Its path."), ("ETag", "Of the account.")]), .conflict,
                ],
                isRepeatable: true)
        ) { call in
            var fields = try await call.fields()
            var row = AccountRow(name: fields.required("name"))
            if let id = fields.value("id", "must be a UUID", { AccountRow.isUUID($0) ? $0.lowercased() : nil }).new {
                row.id = id
            }
            fields.ignore("created_at", "updated_at")
            row.read(&fields)
            row.check(&fields, besides: nil)
            try fields.finish()
            let new = row
            let answer = try await call.answer { store in
                let made = try store.accounts.add(new)
                return .created(made.api, at: "/accounts/\(made.id)", headers: [.eTag: made.tag.text])
            }
            call.services.accountsChanged()
            return answer
        },
        Endpoint(
            .get, "/accounts/{id}", "Accounts", "One account.",
            .init(
                parameters: [.uuid, .ifNoneMatch],
                responses: [
                    .init(
                        status: 200, about: "The account.", schema: Schema.ref("Account"),
                        headers: [("ETag", "Of the account.")]), .notFound,
                ])
        ) { call in
            let row = try await existing(call)
            return Answer.json(row.api).tagged(for: call.request, as: row.tag)
        },
        Endpoint(
            .put, "/accounts/{id}", "Accounts",
            "Changes an account: absent members stay, null clears. In force with the response.",
            .init(
                parameters: [.uuid, .ifMatch], body: Schema.ref("AccountEdit"),
                responses: [
                    .init(
                        status: 200, about: "The account after the change.", schema: Schema.ref("Account"),
                        headers: [("ETag", "Of the account.")]), .notFound, .conflict, .stale,
                ])
        ) { call in
            let old = try await existing(call)
            var fields = try await call.fields()
            var row = old
            if let name = fields.notNull("name", fields.text("name")) { row.name = name }
            fields.ignore("id", "created_at", "updated_at")
            row.read(&fields)
            row.check(&fields, besides: old)
            try fields.finish()
            let new = row
            let made = try await call.edit(\AccountRow.tag) { store, holds in
                // Absent members come from the row that was read, so the row must be unchanged.
                try store.accounts.update(new) { holds($0) && $0 == old }
            }
            call.services.accountsChanged()
            return .json(made.api, headers: [.eTag: made.tag.text])
        },
        Endpoint(
            .delete, "/accounts/{id}", "Accounts", "Deletes an account. Its transactions stay booked.",
            .init(
                parameters: [.uuid, .ifMatch],
                responses: [.init(status: 204, about: "Deleted; it matches no mail from now on."), .notFound, .stale])
        ) { call in
            let id = try await existing(call).id
            try await call.edit(\AccountRow.tag) { store, holds in try store.accounts.delete(id, expecting: holds) }
            call.services.accountsChanged()
            return .noContent
        },
        Endpoint(
            .post, "/accounts/sync", "Accounts",
            "Merges a client's accounts by id and updated_at: the latest change wins. All or none. In force with the response.",
            .init(
                body: .object([("anyOf", .array([list, Schema.object([("accounts", list)], required: ["accounts"])]))]),
                responses: [
                    .init(status: 200, about: "The result for each account, in order.", schema: Schema.merged),
                    .conflict,
                ], isRepeatable: true), run: sync),
    ]

    private static let list: JSON = .object([
        ("type", .string("array")), ("items", Schema.ref("SyncedAccount")), ("maxItems", JSON(syncLimit)),
    ])

    private static func existing(_ call: Call) async throws -> AccountRow {
        let id = try call.text()
        guard AccountRow.isUUID(id), let row = try await call.read({ try $0.accounts.find(id) }) else {
            throw Problem.notFound("such account")
        }
        return row
    }

    private static func sync(_ call: Call) async throws -> Answer {
        let sent = try await call.rows("accounts", atMost: syncLimit)
        // Test the patterns before the write transaction: it takes long, and a transaction blocks other writers.
        let rows = try await call.ledger { store in
            let known = Dictionary(try store.accounts.all().map { ($0.id, $0) }, uniquingKeysWith: { $1 })
            var rows: [AccountRow] = []
            var problems: [FieldProblem] = []
            for var fields in sent {
                var row = AccountRow(id: fields.required("id").lowercased(), name: fields.required("name"))
                let before = fields.problems.count
                row.updatedAt = fields.instant("updated_at")
                if row.updatedAt == nil, fields.problems.count == before {
                    fields.refuse("updated_at", "is required: it decides which of two versions is newer")
                }
                row.createdAt = fields.instant("created_at")
                row.read(&fields)
                row.check(&fields, besides: known[row.id])
                problems += fields.allProblems()
                rows.append(row)
            }
            guard problems.isEmpty else { throw Problem.invalid(Array(problems.prefix(1000))) }
            return rows
        }
        let answer = try await call.answer { store in
            let merged = zip(rows.map(\.id), try store.accounts.sync(rows))
            return .json(.array(merged.map { .object([("id", .string($0)), ("result", .string($1.rawValue))]) }))
        }
        call.services.accountsChanged()
        return answer
    }
}

extension AccountRow {
    /// Reads all members except id, name and timestamps.
    fileprivate mutating func read(_ fields: inout Fields) {
        func set(_ name: String, _ value: inout String?) {
            switch fields.text(name) {
            case .keep: break
            case .clear: value = nil
            // Forms send an empty text for an absent value.
            case .set(let text): value = text.isEmpty ? nil : text
            }
        }
        set("card_last_four", &cardLastFour)
        set("sender_email", &senderEmail)
        set("sender_name", &senderName)
        set("subject_pattern", &subjectPattern)
        set("amount_regex", &amountRegex)
        set("date_regex", &dateRegex)
        set("merchant_regex", &merchantRegex)
        set("account_regex", &accountRegex)
        set("time_regex", &timeRegex)
        set("sample_email_body", &sampleEmailBody)
        if let active = fields.bool("is_active") { isActive = active }
        if let currency = fields.currency("currency_default") { currencyDefault = currency }
        if let type = fields.choice("default_transaction_type", TransactionType.self) { defaultTransactionType = type }
    }

    /// Compiles the patterns and tests them against hostile texts, unless they are unchanged.
    fileprivate func check(_ fields: inout Fields, besides old: AccountRow?) {
        let plain = problems
        for problem in plain { fields.refuse(problem.field, problem.detail) }
        // Patterns over the limit are not tested.
        guard !plain.contains(where: { $0.field.hasSuffix("_regex") || $0.field.hasSuffix("_pattern") }),
            old?.profile != profile
        else { return }
        for problem in profile.problems(sample: sampleEmailBody)
        where !plain.contains(where: { $0.field == problem.field }) { fields.refuse(problem.field, problem.detail) }
    }
}
