import Access
import Chronology
import Codecs
import Hummingbird
import Ledger
import Review
import Store

/// /user-accounts/: the accounts of the user, their balances and the check of their continuity.
enum UserAccountRoutes {
    private static let one = Endpoint.Response(
        status: 200, about: "The account.", schema: Schema.ref("UserAccount"))

    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/user-accounts", "User accounts", "The accounts, active ones first, then by name.",
            .init(
                parameters: [
                    .query("merged", Schema.bool, "true: also accounts that another one took over."), .ifNoneMatch,
                ],
                responses: [
                    .list("UserAccount", "The accounts.")
                ])
        ) { call in
            var query = Query(call)
            let merged = query.value("merged", "must be true or false") { Bool($0) } ?? false
            try query.finish()
            let rows = try await call.read { try $0.userAccounts.all(merged: merged) }
            return Answer.json(.array(rows.map(\.api))).tagged(for: call.request)
        },
        Endpoint(
            .post, "/user-accounts", "User accounts", "Adds an account by hand, such as cash.",
            .init(
                body: Schema.ref("UserAccountEdit"),
                responses: [
                    .init(
                        status: 201, about: "The new account.", schema: Schema.ref("UserAccount"),
                        headers: [("Location", "Its path.")]), .conflict,
                ], isRepeatable: true)
        ) { call in
            var fields = try await call.fields()
            let edit = UserAccountEdit(&fields, besides: nil, home: call.services.store.homeCurrency)
            try fields.finish()
            let actor = call.actor
            return try await call.answer { store in
                let row = try store.userAccounts.add(edit, by: actor)
                return .created(row.api, at: "/user-accounts/\(row.id)")
            }
        },
        Endpoint(
            .get, "/user-accounts/{id}", "User accounts", "One account.",
            .init(parameters: [.id, .ifNoneMatch], responses: [one, .notFound])
        ) { call in
            Answer.json(try await existing(call).api).tagged(for: call.request)
        },
        Endpoint(
            .put, "/user-accounts/{id}", "User accounts",
            "Changes an account: absent members stay, null clears. is_new=false confirms one that an alert made.",
            .init(
                parameters: [.id], body: Schema.ref("UserAccountEdit"),
                responses: [one, .notFound, .conflict], isRepeatable: true)
        ) { call in
            let old = try await existing(call)
            var fields = try await call.fields()
            let edit = UserAccountEdit(&fields, besides: old, home: call.services.store.homeCurrency)
            try fields.finish()
            let actor = call.actor
            return try await call.answer { .json(try $0.userAccounts.change(old.id, edit, by: actor).row.api) }
        },
        Endpoint(
            .delete, "/user-accounts/{id}", "User accounts",
            "Deletes an account. Its transactions stay, without an account.",
            .init(parameters: [.id], responses: [.init(status: 204, about: "Deleted."), .notFound, .conflict])
        ) { call in
            let (id, actor) = (try call.number(), call.actor)
            return try await call.answer {
                try $0.userAccounts.delete(id, by: actor)
                return .noContent
            }
        },
        Endpoint(
            .put, "/user-accounts/{id}/privacy", "User accounts",
            "Makes the account private to the caller's user, or shares it with all users.",
            .init(
                parameters: [.id], body: Schema.object([("is_private", Schema.bool)], required: ["is_private"]),
                responses: [one, .notFound, .conflict])
        ) { call in
            var fields = try await call.fields()
            let isPrivate = fields.bool("is_private")
            if isPrivate == nil { fields.refuse("is_private", "is required") }
            try fields.finish()
            let id = try call.number()
            guard let user = call.context.identity.user, let isPrivate else {
                throw Problem(status: .conflict, detail: "Without a login, there is no user who could own the account.")
            }
            let row = try await call.ledger { try $0.userAccounts.setPrivate(isPrivate, id, by: user) }
            await call.services.record(
                "account \(id) \(isPrivate ? "made private" : "shared")", call.context, who: call.context.identity.who)
            return .json(row.api)
        },
        Endpoint(
            .post, "/user-accounts/{id}/merge", "User accounts",
            "Merges the account into another, which takes over its numbers and transactions.",
            .init(
                parameters: [.id], body: Schema.object([("into", Schema.integer(1))], required: ["into"]),
                responses: [one, .notFound, .conflict], isRepeatable: true)
        ) { call in
            var fields = try await call.fields()
            let other = fields.number("into")
            try fields.finish()
            let (id, actor) = (try call.number(), call.actor)
            return try await call.answer { .json(try $0.userAccounts.merge(id, into: other, by: actor).row.api) }
        },
        Endpoint(
            .post, "/user-accounts/{id}/split", "User accounts",
            "Splits a number off into an account of its own, with its transactions.",
            .init(
                parameters: [.id],
                body: Schema.object(
                    [("profile", Schema.line(TextLimit.name)), ("digits", Schema.line(20))],
                    required: ["profile", "digits"]),
                responses: [
                    .init(
                        status: 201, about: "The new account.", schema: Schema.ref("UserAccount"),
                        headers: [("Location", "Its path.")]), .notFound, .conflict,
                ], isRepeatable: true)
        ) { call in
            var fields = try await call.fields()
            let (profile, digits) = (fields.required("profile"), fields.required("digits"))
            try fields.finish()
            let (id, actor) = (try call.number(), call.actor)
            return try await call.answer { store in
                let row = try store.userAccounts.split(id, profile: profile, digits: digits, by: actor).row
                return .created(row.api, at: "/user-accounts/\(row.id)")
            }
        },
        Endpoint(
            .post, "/user-accounts/{id}/withdrawals", "User accounts",
            "Books a withdrawal as a transfer into the cash account: a second transaction that is linked to it.",
            .init(
                parameters: [.id],
                body: Schema.object([("transaction_id", Schema.integer(1))], required: ["transaction_id"]),
                responses: [
                    .init(
                        status: 201, about: "The transaction in the cash account.", schema: Schema.ref("Transaction"),
                        headers: [("Location", "Its path.")]), .notFound, .conflict,
                ], isRepeatable: true)
        ) { call in
            var fields = try await call.fields()
            let transaction = fields.number("transaction_id")
            try fields.finish()
            let (id, actor) = (try call.number(), call.actor)
            return try await call.answer { store in
                let row = try store.userAccounts.withdraw(transaction, into: id, by: actor).row
                return .created(try store.api(row), at: "/transactions/\(row.id)")
            }
        },
        Endpoint(
            .get, "/user-accounts/{id}/balance", "User accounts",
            "The balance at the end of a day: the newest printed one plus the movements since.",
            .init(
                parameters: [.id, .query("date", Schema.date, "The day; everything booked by default.")],
                responses: [
                    .init(status: 200, about: "The balance.", schema: Schema.ref("AccountBalance")), .notFound,
                ])
        ) { call in
            var query = Query(call)
            let day = query.date("date")
            try query.finish()
            let id = try call.number()
            return .json(try await call.read { try $0.userAccounts.position(id, on: day).api })
        },
        Endpoint(
            .get, "/user-accounts/{id}/findings", "User accounts",
            "The windows between two printed balances that the booked movements do not explain.",
            .init(
                parameters: [.id, .query("since", Schema.date, "The first day; everything booked by default.")],
                responses: [
                    .init(status: 200, about: "The findings.", schema: Schema.ref("AccountFindings")), .notFound,
                ])
        ) { call in
            var query = Query(call)
            let since = query.date("since")
            try query.finish()
            let id = try call.number()
            return .json(
                try await call.read { ledger in
                    let check = try ledger.userAccounts.continuity(id, since: since)
                    return check.api(try ledger.userAccounts.find(id)?.currency ?? .inr)
                })
        },
    ]

    private static func existing(_ call: Call) async throws -> UserAccountRow {
        try await call.row("account") { try $0.userAccounts.find($1) }
    }
}

extension UserAccountEdit {
    /// - Parameters:
    ///   - old: the account before the edit; `nil` for a new one.
    ///   - home: the currency of an account without another.
    init(_ fields: inout Fields, besides old: UserAccountRow?, home: Currency) {
        self.init()
        fields.ignore(
            "id", "merged_into", "numbers", "created_at", "updated_at")
        name = old == nil ? fields.required("name") : fields.notNull("name", fields.text("name"))
        type = fields.choice("type", UserAccountType.self)
        institution = fields.text("institution")
        lastFour = fields.text("account_number_last4")
        currency = fields.currency("currency")
        let unit = currency ?? old?.currency ?? home
        initialBalance = fields.signedAmount("initial_balance", unit)?.minorUnits
        initialDate = fields.value("initial_balance_date", "must be a day of the calendar, yyyy-mm-dd") {
            CalendarDate(iso: $0)
        }
        if fields.isNull("credit_limit") {
            fields.ignore("credit_limit")
            creditLimit = .clear
        } else if let limit = fields.amount("credit_limit", unit) {
            creditLimit = .set(limit.minorUnits)
        }
        isActive = fields.bool("is_active")
        isConfirmed = fields.bool("is_new").map { !$0 }
        color = fields.text("color")
        icon = fields.text("icon")
        linkedParserID = fields.value("linked_parser_id", "must be a UUID") {
            AccountRow.isUUID($0) ? $0.lowercased() : nil
        }
        for problem in problems { fields.refuse(problem.field, problem.detail) }
    }
}

extension UserAccountRow {
    var api: JSON {
        .object([
            ("id", .integer(id)), ("name", .string(name)), ("type", .string(type.rawValue)),
            ("institution", JSON(institution)), ("account_number_last4", JSON(lastFour)),
            ("currency", .string(currency.code)), ("initial_balance", .string(initialBalance.decimal)),
            ("initial_balance_date", JSON(initialDate?.description)), ("credit_limit", JSON(creditLimit?.decimal)),
            ("is_active", .bool(isActive)), ("is_new", .bool(isNew)),
            ("is_private", .bool(owner != nil)), ("color", JSON(color)), ("icon", JSON(icon)),
            ("linked_parser_id", JSON(linkedParserID)), ("merged_into", JSON(mergedInto)),
            (
                "numbers",
                .array(
                    numbers.map {
                        .object([
                            ("profile", .string($0.profile)), ("digits", .string($0.digits)),
                            ("first_seen", JSON($0.firstSeen?.description)),
                            ("last_seen", JSON($0.lastSeen?.description)),
                        ])
                    })
            ), ("created_at", .string(createdAt.description)), ("updated_at", .string(updatedAt.description)),
        ])
    }
}

extension AccountPosition {
    var api: JSON {
        let (basis, transaction, instant): (String, Int64?, UnixTime?) =
            switch self.basis {
            case .printed(.transaction(let id), let at): ("printed", id, at)
            case .printed(.notice, let at): ("printed", nil, at)
            case .initial: ("initial", nil, nil)
            }
        return .object([
            ("balance", .string(balance.decimal)), ("currency", .string(balance.currency.code)),
            ("basis", .string(basis)), ("transaction_id", JSON(transaction)), ("at", JSON(instant?.description)),
            ("movements", JSON(movements)),
            (
                "foreign",
                .array(
                    foreign.map {
                        .object([("amount", .string($0.decimal)), ("currency", .string($0.currency.code))])
                    })
            ), ("available", JSON(available?.decimal)),
        ])
    }
}

extension ContinuityCheck {
    func api(_ currency: Currency) -> JSON {
        .object([
            ("windows", JSON(windows)), ("holds", JSON(holds)), ("is_drifting", .bool(isDrifting)),
            ("findings", .array(findings.map { $0.api(currency) })),
        ])
    }
}

extension ContinuityFinding {
    fileprivate func api(_ currency: Currency) -> JSON {
        let (first, last) = (AccountMovement.evidence(from), AccountMovement.evidence(to))
        return .object([
            ("from_id", JSON(first.transaction)), ("to_id", JSON(last.transaction)),
            ("from_notice", JSON(first.notice)), ("to_notice", JSON(last.notice)),
            ("start", .string(start.description)),
            ("end", .string(end.description)), ("gap", .string(Money(minorUnits: gap, currency: currency).decimal)),
            ("currency", .string(currency.code)),
            ("sentence", .string(sentence(in: currency) { $0.description })),
            (
                "causes",
                .array(
                    causes.map { cause in
                        .object([
                            ("kind", .string(cause.kind)),
                            ("transaction_ids", .array(cause.transactions.map { .integer($0) })),
                            ("sentence", .string(cause.sentence)),
                        ])
                    })
            ),
        ])
    }
}
