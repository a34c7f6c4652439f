import CPQ

/// A fault of the server or of the connection to it.
///
/// Holds the server's message without its details, which can contain values of rows.
public struct PostgresError: Error, Hashable, Sendable, CustomStringConvertible {
    /// SQLSTATE (PostgreSQL, appendix A); `nil` if the connection failed.
    public let state: String?
    public let message: String

    /// True if the connection failed: it is unknown what the server did with what was sent last.
    public var isConnectionLost: Bool { state == nil }

    /// True if the same can succeed later: the connection failed, or the server starts, stops or lacks resources
    /// (classes 08, 53 and 57).
    public var isTransient: Bool { state.map { ["08", "53", "57"].contains($0.prefix(2)) } ?? true }

    public var description: String { state.map { "\(message) (SQLSTATE \($0))" } ?? message }

    init(state: String?, _ message: String) {
        self.state = state
        self.message = message
    }

    init(_ result: OpaquePointer) {
        func field(_ code: CInt) -> String? { PQresultErrorField(result, code).map { String(cString: $0) } }
        var message = field(spendwise_pq_primary) ?? "the server reported no reason"
        if let table = field(spendwise_pq_table) {
            message += ": table \(table)"
            if let constraint = field(spendwise_pq_constraint) { message += ", \(constraint)" }
        }
        state = field(spendwise_pq_sqlstate)
        self.message = message
    }
}
