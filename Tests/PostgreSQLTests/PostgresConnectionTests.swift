import PostgresFixture
import Testing

@testable import PostgreSQL

@Suite(.enabled(if: PostgresFixture.isInstalled, "needs Debian's package postgresql-15"))
struct PostgresConnectionTests {
    private func connection() throws -> PostgresConnection { try PostgresConnection(PostgresFixture.database()) }

    @Test func valuesComeBackAsTheyWereSent() throws {
        let connection = try connection()
        let sql = "SELECT $1::bigint, $2::double precision, $3::text, $4::bytea, $5::text"
        let rows = try connection.run(
            sql, [.bigint(.min), .double(-0.1), .string("₹ 'q'"), .bytea([0, 255]), .text(nil)]
        ) { ($0.bigint(0), $0.double(1), $0.text(2), $0.bytes(3), $0.isNull(4)) }
        let row = try #require(rows.first)
        #expect((row.0, row.1, row.2, row.4) == (.min, -0.1, "₹ 'q'", true))
        #expect(row.3 == [0, 255])
    }

    @Test func arraysKeepNullAndEmpty() throws {
        let connection = try connection()
        let rows = try connection.run(
            "SELECT * FROM unnest($1::bigint[], $2::text[], $3::bytea[], $4::double precision[])",
            [
                .bigints([1, nil]), .texts([[], nil]), .byteas([nil, [7]]), .doubles([0.5, nil]),
            ]
        ) { "\($0.bigint(0) as Any) \($0.text(1) as Any) \($0.bytes(2) as Any) \($0.double(3) as Any)" }
        #expect(rows == ["Optional(1) Optional(\"\") nil Optional(0.5)", "nil nil Optional([7]) nil"])
        #expect(try connection.run("SELECT count(*) FROM unnest($1::bigint[])", [.bigints([])]) { $0.bigint(0) } == [0])
    }

    @Test func aFaultNamesStateAndConstraintWithoutValues() throws {
        let connection = try connection()
        try connection.script("CREATE TABLE t (v text CONSTRAINT short CHECK (length(v) < 4))")
        let error = #expect(throws: PostgresError.self) {
            try connection.run("INSERT INTO t VALUES ($1)", [.string("secret")])
        }
        #expect(error?.state == "23514")
        #expect(error?.isConnectionLost == false)
        #expect(error?.description.contains("short") == true)
        #expect(error?.description.contains("secret") == false)
        // The connection stays usable.
        #expect(try connection.run("SELECT count(*) FROM t") { $0.bigint(0) } == [0])
    }

    @Test func aCommitWritesAllOrNothing() throws {
        let connection = try connection()
        try connection.script("CREATE TABLE t (v bigint PRIMARY KEY)")
        let insert = { PostgresStatement("INSERT INTO t VALUES ($1)", [.bigint($0)]) }
        let error = #expect(throws: PostgresError.self) {
            try connection.commit([insert(1), insert(2), insert(2), insert(3)])
        }
        #expect(error?.state == "23505")
        #expect(try connection.run("SELECT count(*) FROM t") { $0.bigint(0) } == [0])
        try connection.commit((1...2000).map(insert))
        #expect(try connection.run("SELECT sum(v) FROM t") { $0.text(0) != nil } == [true])
        #expect(try connection.run("SELECT count(*) FROM t") { $0.bigint(0) } == [2000])
    }

    @Test func aFaultOfTheReaderLeavesTheConnectionUsable() throws {
        struct Stop: Error {}
        let connection = try connection()
        #expect(throws: Stop.self) {
            try connection.each("SELECT generate_series(1, 1000)") { _ in throw Stop() }
        }
        #expect(try connection.run("SELECT 7::bigint") { $0.bigint(0) } == [7])
    }

    @Test func aTransactionThatThrowsIsRolledBack() throws {
        struct Stop: Error {}
        let connection = try connection()
        try connection.script("CREATE TABLE t (v bigint)")
        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES (1)")
                throw Stop()
            }
        }
        #expect(try connection.run("SELECT count(*) FROM t") { $0.bigint(0) } == [0])
    }

    @Test func aLostConnectionIsReported() throws {
        let database = try PostgresFixture.database()
        let connection = try PostgresConnection(database)
        let pid = try #require(try connection.run("SELECT pg_backend_pid()::bigint") { $0.bigint(0) }.first ?? nil)
        try PostgresConnection(database).run("SELECT pg_terminate_backend($1::int)", [.bigint(pid)])
        let error = #expect(throws: PostgresError.self) { try connection.commit([PostgresStatement("SELECT 1")]) }
        #expect(error?.isConnectionLost == true)
        #expect(connection.isBroken)
    }

    @Test func anUnreachableServerIsAClearError() {
        let error = #expect(throws: PostgresError.self) { try PostgresConnection("host=/nonexistent dbname=x") }
        #expect(error?.isConnectionLost == true)
        #expect(error?.description.contains("/nonexistent") == true)
    }

    @Test(
        arguments: [
            (nil, true), ("08006", true), ("53300", true), ("57P01", true), ("57P03", true), ("23505", false),
            ("42501", false), ("", false),
        ] as [(String?, Bool)])
    func aFaultPassesOrStays(state: String?, isTransient: Bool) {
        #expect(PostgresError(state: state, "fault").isTransient == isTransient)
    }
}
