import Hummingbird
import Ledger
import Review
import Statements
import Store

/// The statements of an account: upload, comparison with the ledger, booking.
enum StatementsPage {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/accounts/{id}/statements", on: router) { call in
            let id = try call.number(of: "account")
            return try await pages.show(.statements, call) { [services = pages.services] ledger in
                try StatementsView(id, lists: try services.columnMappings(in: ledger).map(\.name), in: ledger)
            }
        }
        pages.get("/app/statements", on: router) { call in
            try await pages.show(.mailedStatements, call) { try MailedStatementsView(in: $0) }
        }
        pages.post("/app/statements/mailed/{id}/read", on: router) { try await pages.readMailed($0) }
        pages.post("/app/statements/mailed/{id}/discard", on: router) { call in
            let id = try call.number(of: "mailed-statement")
            try await pages.services.ledger { try $0.statements.discard(file: id) }
            return pages.seeOther("/app/statements", done: "statement-discarded")
        }
        pages.upload("/app/accounts/{id}/statements", on: router) { try await pages.importStatement($0, $1) }
        pages.get("/app/statements/{id}", on: router) { call in
            let id = try call.number(of: "statement")
            return try await pages.show(.statement, call) { try StatementView(id, in: $0) }
        }
        pages.post("/app/statements/{id}/book", on: router) { try await pages.bookStatement($0) }
        pages.post("/app/statements/{id}/undo", on: router) { try await pages.undoStatement($0) }
    }
}

extension Pages {
    fileprivate func readMailed(_ call: PageCall) async throws -> Response {
        let id = try call.number(of: "mailed-statement")
        let file = try await services.readMailed(
            id, passwords: call.form["password"].flatMap { $0.isEmpty ? nil : [$0] } ?? [],
            account: call.form.text("account").flatMap(Int64.init), by: call.context.actor)
        if let statement = file.statement { return seeOther("/app/statements/\(statement)", done: "statement") }
        return seeOther("/app/statements", done: "statement-waits")
    }

    fileprivate func importStatement(_ call: PageCall, _ file: UploadedFile) async throws -> Response {
        let id = try call.number(of: "account")
        let name = file.fields["list"].flatMap { $0.isEmpty ? nil : $0 }
        let (row, list) = try await services.ledger { [services] store in
            (
                try AccountsPage.row(id, store),
                try name.flatMap { name in try services.columnMappings(in: store).first { $0.name == name } }
            )
        }
        if let name, list == nil { throw PageProblem.missing(PageText.of("missing.list", ["name": name])) }
        let statement: BankStatement
        do {
            statement = try await services.statement(
                in: file.bytes, of: row,
                password: file.fields["password"].flatMap { $0.isEmpty ? nil : $0 }, list: list)
        } catch let error as StatementReadingError {
            throw PageProblem(
                status: .unprocessableContent, title: PageText.of("statements.cannot-read"),
                text: "\(file.name): \(error). \(error.remedy)")
        }
        let result = try await services.write { [actor = call.context.actor] ledger in
            try StatementService(ledger, by: actor).add(
                statement, of: id, bytes: file.bytes, file: file.name, books: false)
        }
        return seeOther(
            "/app/statements/\(result.row.id)", done: result.isNew ? "statement" : "statement-again")
    }

    fileprivate func bookStatement(_ call: PageCall) async throws -> Response {
        let id = try call.number(of: "statement")
        let rows = call.form["row"].map { Set([Int($0) ?? 0]) }
        let result = try await services.write { [actor = call.context.actor] ledger in
            try StatementService(ledger, by: actor).book(id, rows: rows)
        }
        let unbooked = result.booking.withheld.isEmpty ? "unchanged" : "withheld"
        return seeOther(
            "/app/statements/\(id)", done: result.booking.group == nil ? unbooked : "booked",
            undo: result.booking.group)
    }

    fileprivate func undoStatement(_ call: PageCall) async throws -> Response {
        let id = try call.number(of: "statement")
        let account = try await services.write { [actor = call.context.actor] ledger in
            let account = try ledger.statements.content(of: id).row.account
            try ledger.statements.undo(id, by: actor, confirmsReconciled: call.confirmsReconciled)
            return account
        }
        return seeOther("/app/accounts/\(account)/statements", done: "statement-gone")
    }
}
