import Chronology
import ChronologyFixture
import GRDB
import Testing

@testable import Store

/// The hash chain of the audit log: any change of an event by another program breaks it.
@Suite struct AuditChainTests {
    private let start: UnixTime = 1_767_600_000
    private let fixture: Fixture

    init() throws {
        fixture = try Fixture()
        for number in 0..<20 {
            try fixture.store.audit.append(
                AuditEvent(at: start + Int64(number), event: "request", who: "token x") {
                    $0.route = number % 2 == 0 ? "/transactions/{id}" : nil
                    $0.status = 200
                })
        }
    }

    private func tamper(_ sql: String) throws -> AuditProof {
        try fixture.store.writer.write { db in
            try db.execute(sql: "DROP TRIGGER audit_log_append_only")
            try db.execute(sql: sql)
        }
        return try fixture.store.audit.proof()
    }

    @Test func anUntouchedLogIsProved() throws {
        let proof = try fixture.store.audit.proof()
        #expect(proof.broken == nil && proof.events == 20 && proof.pruned == 0)
        #expect(try fixture.store.audit.newestDigest() == proof.newest)
    }

    @Test func anEmptyLogIsProved() throws {
        let proof = try Fixture().store.audit.proof()
        #expect(proof == AuditProof())
    }

    @Test(arguments: [
        ("UPDATE audit_log SET who = 'token y' WHERE id = 7", 7),
        ("UPDATE audit_log SET at = '2026-01-01T00:00:00Z' WHERE id = 1", 1),
        ("UPDATE audit_log SET route = NULL, who = who || '-' WHERE id = 20", 20),
        ("UPDATE audit_log SET status = NULL WHERE id = 8", 8),
        ("DELETE FROM audit_log WHERE id = 7", 8),
        ("DELETE FROM audit_log WHERE id = 1", 2),
        ("DELETE FROM audit_anchor; DELETE FROM audit_log WHERE id < 5", 5),
        ("UPDATE audit_log SET digest = NULL WHERE id = 7", 7),
        ("UPDATE audit_log SET id = 70 WHERE id = 7", 8),
        ("INSERT INTO audit_log (id, at, event, who) VALUES (0, '2026-01-01T00:00:00Z', 'login', 'x')", 0),
        (
            """
            INSERT INTO audit_log (id, at, event, who, digest)
            SELECT 30, at, event, who, digest FROM audit_log WHERE id = 7
            """, 30
        ),
    ])
    func aChangeBreaksTheChain(sql: String, id: Int64) throws {
        #expect(try tamper(sql).broken?.id == id)
        // A later event of the program does not hide it.
        try fixture.store.audit.append(AuditEvent(at: start + 90, event: "login", who: "person"))
        #expect(try fixture.store.audit.proof().broken?.id == id)
    }

    @Test func aRemovedEndIsFoundByAFormerDigest() throws {
        let digest = try fixture.store.audit.newestDigest()
        #expect(try fixture.store.audit.proof(of: digest).contains == true)
        let proof = try tamper("DELETE FROM audit_log WHERE id > 15")
        #expect(proof.broken == nil && proof.events == 15)
        #expect(try fixture.store.audit.proof(of: digest).contains == false)
    }

    @Test func sealedEventsCannotBeChanged() throws {
        #expect(throws: DatabaseError.self) {
            try fixture.store.writer.write { try $0.execute(sql: "UPDATE audit_log SET who = 'y' WHERE id = 3") }
        }
    }

    @Test func pruningKeepsTheChain() throws {
        let digest = try fixture.store.audit.newestDigest()
        try fixture.store.audit.prune(before: start + 5)
        var proof = try fixture.store.audit.proof()
        #expect(proof.broken == nil && proof.events == 15 && proof.pruned == 5)
        try fixture.store.audit.prune(before: start + 8)
        #expect(try fixture.store.audit.proof().pruned == 8)
        try fixture.store.audit.prune(before: start + 1000)
        proof = try fixture.store.audit.proof(of: digest)
        #expect(proof.broken == nil && proof.events == 0 && proof.pruned == 20 && proof.newest == digest)
        #expect(proof.contains == true)
        try fixture.store.audit.append(AuditEvent(at: start + 2000, event: "login", who: "person"))
        #expect(try fixture.store.audit.proof(of: digest).contains == true)
    }

    /// An event whose clock ran ahead does not keep the events before it, and none behind it is lost.
    @Test func pruningStopsAtTheFirstEventThatIsKept() throws {
        try fixture.store.audit.append(AuditEvent(at: start - 5000, event: "login", who: "person"))
        try fixture.store.audit.prune(before: start + 10)
        let proof = try fixture.store.audit.proof()
        #expect(proof.broken == nil && proof.events == 11 && proof.pruned == 10)
    }

    /// Events of triggers, and those of a transaction with several writes, become part of the chain with the commit.
    @Test func aTransactionSealsItsEvents() throws {
        let recorded = try #require(try fixture.store.recording.record([mail(1, decision())]).first?.transactionID)
        try fixture.store.write { store in
            var edit = TransactionEdit()
            edit.notes = .set("x")
            _ = try store.transactions.change(recorded, edit, by: Actor(.client, "phone"))
            try store.audit.append(AuditEvent(at: start + 90, event: "login", who: "person"))
        }
        let proof = try fixture.store.audit.proof()
        #expect(proof.broken == nil && proof.events == 22)
    }

    /// More events than are read at once.
    @Test func manyEventsAreSealed() throws {
        let events = (0..<2500).map { AuditEvent(at: start + Int64($0), event: "request", who: "token x") }
        try fixture.store.access.recordUse(usesOfTokens: [:], seenSessions: [:], events)
        let proof = try fixture.store.audit.proof()
        #expect(proof.broken == nil && proof.events == 2520)
    }

    /// The events of an older ledger become part of the chain with the first write.
    @Test func eventsFromBeforeTheChainAreSealed() throws {
        _ = try tamper(
            "UPDATE audit_log SET digest = NULL; " + "CREATE TRIGGER audit_log_append_only BEFORE UPDATE ON audit_log "
                + "WHEN old.digest IS NOT NULL BEGIN SELECT raise(ABORT, 'x'); END")
        #expect(try fixture.store.audit.proof().broken?.isUnsealed == true)
        try fixture.store.audit.append(AuditEvent(at: start + 90, event: "login", who: "person"))
        #expect(try fixture.store.audit.proof().events == 21)
    }
}
