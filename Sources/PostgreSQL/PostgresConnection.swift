import CPQ

/// A statement with its parameters `$1`, `$2` and so on.
public struct PostgresStatement: Sendable {
    public var sql: String
    public var values: [PostgresValue]

    public init(_ sql: String, _ values: [PostgresValue] = []) {
        self.sql = sql
        self.values = values
    }
}

/// A connection to a PostgreSQL server. Every call blocks.
///
/// `@unchecked Sendable`: libpq lets threads take turns on a connection, and its owner lends it to one at a time.
public final class PostgresConnection: @unchecked Sendable {
    private let connection: OpaquePointer
    /// Names of the statements that this connection has prepared, by their text.
    private var prepared: [String: String] = [:]

    /// - Parameters:
    ///   - conninfo: a connection string or URI (PostgreSQL 34.1.1).
    ///   - settings: parameters that the string need not name, such as `connect_timeout`; it wins.
    public init(_ conninfo: String, settings: [(String, String)] = []) throws(PostgresError) {
        // `dbname` is expanded as a connection string, and what follows replaces what it names: the string comes last.
        let names = settings.map(\.0) + ["dbname"]
        let values = settings.map(\.1) + [conninfo]
        let opened = names.withCStrings { names in
            values.withCStrings { values in PQconnectdbParams(names, values, 1) }
        }
        guard let opened else { throw PostgresError(state: nil, "no memory for a connection") }
        guard PQstatus(opened) == CONNECTION_OK else {
            let message = Self.message(of: opened)
            PQfinish(opened)
            throw PostgresError(state: nil, message)
        }
        connection = opened
        // Notices would go to standard error; nothing here depends on one.
        PQsetNoticeProcessor(opened, { _, _ in }, nil)
    }

    deinit { PQfinish(connection) }

    /// Such as 150020 for 15.20.
    public var serverVersion: Int { Int(PQserverVersion(connection)) }

    public var isBroken: Bool { PQstatus(connection) != CONNECTION_OK }

    /// Runs one statement in a round trip of its own and calls `body` with each row.
    public func run<Row>(
        _ sql: String, _ values: [PostgresValue] = [], _ body: (PostgresRow) throws -> Row
    ) throws -> [Row] {
        var rows: [Row] = []
        try each(sql, values) { rows.append(try body($0)) }
        return rows
    }

    /// Runs one statement without regard to its rows.
    public func run(_ sql: String, _ values: [PostgresValue] = []) throws { try each(sql, values) { _ in } }

    /// Runs one statement and calls `body` with each row as it arrives, so that no answer is held in memory as a whole.
    public func each(
        _ sql: String, _ values: [PostgresValue] = [], _ body: (PostgresRow) throws -> Void
    ) throws {
        let isSent = BinaryParameters(values).pass { PQsendQueryParams(connection, sql, $0, $1, $2, $3, $4, 1) }
        guard isSent == 1 else { throw lost() }
        PQsetSingleRowMode(connection)
        var fault: (any Error)?
        while let result = PQgetResult(connection) {
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_SINGLE_TUPLE:
                // The remaining rows must be read before the connection can be used again.
                if fault == nil { do { try body(PostgresRow(result: result, index: 0)) } catch { fault = error } }
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK: break
            default: if fault == nil { fault = PostgresError(result) }
            }
        }
        if isBroken { throw lost(fault as? PostgresError) }
        if let fault { throw fault }
    }

    /// Runs several statements without parameters or rows, in one transaction unless they contain their own.
    public func script(_ sql: String) throws(PostgresError) {
        guard let result = PQexec(connection, sql) else { throw lost() }
        defer { PQclear(result) }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return
        default: throw isBroken ? lost(PostgresError(result)) : PostgresError(result)
        }
    }

    /// Runs `body` in one transaction, in the isolation level of its first words, such as `ISOLATION LEVEL REPEATABLE
    /// READ`.
    public func transaction<Result>(_ mode: String = "", _ body: () throws -> Result) throws -> Result {
        try script("BEGIN \(mode)")
        do {
            let result = try body()
            try script("COMMIT")
            return result
        } catch {
            // The fault of `body` is the one to report. A connection that cannot roll back is broken.
            try? script("ROLLBACK")
            throw error
        }
    }

    /// Runs statements in one transaction and one round trip. Each is prepared at its first use, which takes another.
    ///
    /// - Throws: the fault of the first statement that failed: nothing was written, unless the connection was lost.
    public func commit(_ statements: [PostgresStatement]) throws(PostgresError) {
        let all = [PostgresStatement("BEGIN")] + statements + [PostgresStatement("COMMIT")]
        var names: [String] = []
        for statement in all { names.append(try prepare(statement)) }
        guard PQenterPipelineMode(connection) == 1 else { throw lost() }
        var isSent = true
        for (name, statement) in zip(names, all) where isSent {
            isSent =
                BinaryParameters(statement.values).pass {
                    PQsendQueryPrepared(connection, name, $0, $2, $3, $4, 1)
                } == 1
        }
        isSent = PQpipelineSync(connection) == 1 && isSent
        let fault = finishPipeline()
        guard isSent, !isBroken else { throw lost(fault) }
        guard let fault else { return }
        // After a fault the server skips the rest, the COMMIT included, and waits in the failed transaction.
        if PQtransactionStatus(connection) != PQTRANS_IDLE { try? script("ROLLBACK") }
        throw fault
    }

    /// - Returns: the name of the prepared statement.
    private func prepare(_ statement: PostgresStatement) throws(PostgresError) -> String {
        if let name = prepared[statement.sql] { return name }
        let name = "s\(prepared.count)"
        let types = statement.values.map(\.type)
        guard let result = PQprepare(connection, name, statement.sql, CInt(types.count), types) else { throw lost() }
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COMMAND_OK else {
            throw isBroken ? lost(PostgresError(result)) : PostgresError(result)
        }
        prepared[statement.sql] = name
        return name
    }

    /// Reads all answers of a pipeline and leaves its mode.
    ///
    /// - Returns: the first fault.
    private func finishPipeline() -> PostgresError? {
        var fault: PostgresError?
        var isSynchronised = false
        // The answers of a statement end with an empty one. Only a broken connection has two in a row.
        var empty = 0
        while !isSynchronised, empty < 2 {
            guard let result = PQgetResult(connection) else {
                empty += 1
                continue
            }
            empty = 0
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC: isSynchronised = true
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_PIPELINE_ABORTED: break
            default: if fault == nil { fault = PostgresError(result) }
            }
        }
        guard isSynchronised, PQexitPipelineMode(connection) == 1 else { return lost() }
        return fault
    }

    /// - Parameter last: the server's last words, such as that it shuts down.
    private func lost(_ last: PostgresError? = nil) -> PostgresError {
        PostgresError(state: nil, last?.message ?? Self.message(of: connection))
    }

    private static func message(of connection: OpaquePointer) -> String {
        let text = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
        let line = text.split(separator: "\n").joined(separator: "; ")
        return line.isEmpty ? "the connection to PostgreSQL was lost" : line
    }
}
