import Exports
import HTTPTypes
import Hummingbird
import NIOCore
import Store

/// /transactions/export
enum ExportRoutes {
    static let endpoints: [Endpoint] = [
        Endpoint(
            .get, "/transactions/export", "Transactions",
            "Transactions as a file that other programs import, the oldest first; confirmed ones by default. Identifiers stay the same, so that a second import changes nothing.",
            .init(
                parameters: [
                    .query("format", Schema.words(ExportFormat.self), "csv by default."),
                    .query("bom", Schema.words(["true", "false"]), "true begins CSV with a byte order mark."),
                ] + TransactionRoutes.filters,
                responses: [
                    .init(
                        status: 200, about: "The file.", schema: Schema.text(), type: "text/csv", otherTypes: otherTypes
                    )
                ]), run: { try await export($0, nil) }),
        Endpoint(
            .get, "/transactions/export/csv", "Transactions",
            "All transactions as CSV, the oldest first; confirmed ones by default.",
            .init(
                parameters: TransactionRoutes.filters,
                responses: [
                    .init(status: 200, about: "A CSV file.", schema: Schema.text(), type: "text/csv")
                ]), run: { try await export($0, .csv) }),
    ]

    /// The media types of the other formats, without parameters.
    private static let otherTypes = Set(ExportFormat.allCases.map { String($0.mediaType.prefix { $0 != ";" }) })
        .subtracting(["text/csv"]).sorted()

    /// - Parameter format: `nil` takes it from the query.
    private static func export(_ call: Call, _ format: ExportFormat?) async throws -> Answer {
        var fields = Query(call)
        var request = ExportRequest(
            format ?? .csv, TransactionRoutes.query(&fields, home: call.services.store.homeCurrency))
        if format == nil {
            request.format = fields.choice("format", ExportFormat.self) ?? .csv
            request.marksEncoding =
                fields.value("bom", "must be true or false") { ["true": true, "false": false][$0] } ?? false
        }
        try fields.finish()
        if request.query.statuses == nil { request.query.statuses = [.confirmed] }
        return try await ExportAnswer.answer(request, call.services)
    }
}

/// The file of an export as a response, written while the ledger is read page by page.
enum ExportAnswer {
    static func answer(_ request: ExportRequest, _ services: WebServices) async throws -> Answer {
        let first = try await services.read { try ExportSession(request, in: $0) }
        var answer = Answer()
        answer.headers[.contentType] = request.format.mediaType
        answer.headers[.contentDisposition] = "attachment; filename=\"spendwise.\(request.format.fileExtension)\""
        answer.headers[.cacheControl] = "no-store"
        answer.body = .stream { writer in
            var session = first
            while true {
                let asked = session
                let (piece, next) = try await services.read { ledger in
                    var session = asked
                    return (try session.next(in: ledger), session)
                }
                guard let piece else { return }
                session = next
                if !piece.isEmpty { try await writer.write(ByteBuffer(bytes: piece)) }
            }
        }
        return answer
    }
}
