public import Chronology
internal import GRDB
public import Ledger

/// What the page asks for: the web role may do no more than this.
extension TemplateActivationRepository {
    /// Asks the mail reader to prove a template and to use it.
    ///
    /// - Parameters:
    ///   - mail: the ID of the mail by which it is proven.
    ///   - expected: the values that it must read from the mail; `nil` if it must ignore it.
    ///   - who: the person, for the list and the audit log.
    /// - Throws: `invalid` for a name or a size; `conflict` while a template of this name or too many others wait.
    public func ask(
        _ template: String, yaml: String, provenBy mail: String, _ expected: [Field: String]?, by who: String,
        at now: UnixTime
    ) throws(StoreError) where Scope: WriteScope {
        let bytes = Array(yaml.utf8)
        guard (1...TemplateActivation.maximumBytes).contains(bytes.count) else {
            throw invalid([FieldProblem("template", "has more than \(TemplateActivation.maximumBytes) bytes")])
        }
        try write { db in
            let asked = try String.fetchAll(db, sql: "SELECT template FROM template_activations WHERE state = 'asked'")
            if asked.contains(template) { throw StoreError.conflict("\(template) is being tested already") }
            guard asked.count < TemplateActivation.maximumAsked else {
                throw StoreError.conflict("\(asked.count) templates wait for the mail reader: see that it runs")
            }
            try db.execute(
                sql: """
                    INSERT INTO template_activations (template, yaml, digest, mail_id, expected, asked_at, asked_by)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    template, yaml, FileDigest.hexadecimal(bytes), mail, expected.map(TemplateActivation.json), now,
                    who,
                ])
        }
    }

    /// Asks the mail reader to use the template no longer. Has no effect on one that is not used.
    /// - Throws: `notFound`.
    public func withdraw(_ id: Int64, at now: UnixTime) throws(StoreError) -> TemplateActivation
    where Scope: WriteScope {
        try write { db in
            try db.execute(
                sql: """
                    UPDATE template_activations SET withdraw_asked_at = coalesce(withdraw_asked_at, ?)
                    WHERE id = ? AND (state = 'asked' OR state = 'active')
                    """, arguments: [now, id])
            return try Self.find(db, id)
        }
    }

    /// Removes the notice about an activation.
    /// - Throws: `notFound`.
    public func acknowledge(_ id: Int64, at now: UnixTime) throws(StoreError) where Scope: WriteScope {
        try write { db in
            try db.execute(
                sql: "UPDATE template_activations SET seen_at = coalesce(seen_at, ?) WHERE id = ?",
                arguments: [now, id])
            guard db.changesCount == 1 else { throw StoreError.notFound("template \(id)") }
        }
    }

    /// All, those in use first, then the newest first.
    public func all() throws(StoreError) -> [TemplateActivation] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: "SELECT * FROM template_activations ORDER BY state = 'active' DESC, state = 'asked' DESC, id DESC"
            ).map(TemplateActivation.init)
        }
    }

    /// - Throws: `notFound`.
    public func find(_ id: Int64) throws(StoreError) -> TemplateActivation { try read { try Self.find($0, id) } }

    /// Those in use.
    public func active() throws(StoreError) -> [TemplateActivation] {
        try read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM template_activations WHERE state = 'active' ORDER BY template"
            ).map(TemplateActivation.init)
        }
    }

    /// Changes whenever the use of a template begins or ends.
    public func generation() throws(StoreError) -> [String] {
        try read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT id || ' ' || state FROM template_activations
                    WHERE state IN ('active', 'replaced', 'withdrawn') ORDER BY id
                    """)
        }
    }

    /// The number of mails that each template in use booked or ignored since its activation, by ID.
    public func mailCounts() throws(StoreError) -> [Int64: Int] {
        try read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT a.id, count(*) FROM template_activations a
                    JOIN processed_emails m ON m.template = a.template AND m.processed_at >= a.decided_at
                      AND (m.status = 'recorded' OR m.status = 'ignored')
                    WHERE a.state = 'active' GROUP BY a.id
                    """)
            return Dictionary(rows.map { ($0[0] as Int64, $0[1] as Int) }) { first, _ in first }
        }
    }

    private static func find(_ db: Database, _ id: Int64) throws -> TemplateActivation {
        let row = try Row.fetchOne(db, sql: "SELECT * FROM template_activations WHERE id = ?", arguments: [id])
        guard let row else { throw StoreError.notFound("template \(id)") }
        return TemplateActivation(row)
    }
}

/// What the mail reader decides.
extension TemplateActivationRepository {
    /// Those that wait, and those in use that a person wants to remove, oldest first.
    public func requested() throws(StoreError) -> [TemplateActivation] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM template_activations
                    WHERE state = 'asked' OR state = 'active' AND withdraw_asked_at IS NOT NULL ORDER BY id
                    """
            ).map(TemplateActivation.init)
        }
    }

    /// Stores that the file of a template that was asked for is written. A former one of the same name is replaced.
    public func activated(_ request: TemplateActivation, at now: UnixTime) throws(StoreError)
    where Scope: WriteScope {
        try write { db in
            try db.execute(
                sql: """
                    UPDATE template_activations SET state = 'replaced', decided_at = ?, fault = NULL
                    WHERE template = ? AND state = 'active'
                    """, arguments: [now, request.template])
            try finish(request, .active, reason: nil, at: now, in: db)
        }
    }

    /// - Parameter reason: for the page; it may name values of the mail.
    public func refused(_ request: TemplateActivation, because reason: String, at now: UnixTime) throws(StoreError)
    where Scope: WriteScope {
        try write { try finish(request, .refused, reason: reason, at: now, in: $0) }
    }

    /// Stores that the file of the template is removed, or was never written.
    public func withdrawn(_ request: TemplateActivation, at now: UnixTime) throws(StoreError)
    where Scope: WriteScope {
        try write { try finish(request, .withdrawn, reason: nil, at: now, in: $0) }
    }

    /// Puts a template in use back among those that wait, because its file is missing or another one.
    public func askAgain(_ activation: TemplateActivation) throws(StoreError) where Scope: WriteScope {
        try write { db in
            try db.execute(
                sql: """
                    UPDATE template_activations SET state = 'asked', decided_at = NULL, fault = NULL
                    WHERE id = ? AND state = 'active'
                    """, arguments: [activation.id])
        }
    }

    /// Stores why the files of templates in use do not load, by name; none: all load.
    public func setFaults(_ faults: [String: String]) throws(StoreError) where Scope: WriteScope {
        try write { db in
            for row in try Row.fetchAll(
                db, sql: "SELECT id, template, fault FROM template_activations WHERE state = 'active'")
            {
                let (fault, known) = (faults[row["template"]], row["fault"] as String?)
                if known == fault { continue }
                try db.execute(
                    sql: "UPDATE template_activations SET fault = ? WHERE id = ?",
                    arguments: [fault, row["id"] as Int64])
            }
        }
    }

    private func finish(
        _ request: TemplateActivation, _ state: TemplateActivation.State, reason: String?, at now: UnixTime,
        in db: Database
    ) throws {
        try db.execute(
            sql: """
                UPDATE template_activations SET state = ?, reason = ?, decided_at = ?, fault = NULL
                WHERE id = ? AND digest = ? AND (state = 'asked' OR state = 'active')
                """, arguments: [state.rawValue, reason, now, request.id, request.digest])
        guard db.changesCount == 1 else { return }
        try AuditEvent(
            at: now, event: "template \(state.rawValue): \(request.template) \(request.digest.prefix(12))",
            who: "ingest"
        ).insert(db)
        try db.execute(
            sql: """
                DELETE FROM template_activations WHERE state IN ('refused', 'replaced', 'withdrawn') AND id NOT IN
                  (SELECT id FROM template_activations WHERE state IN ('refused', 'replaced', 'withdrawn')
                   ORDER BY decided_at DESC, id DESC LIMIT ?)
                """, arguments: [TemplateActivation.maximumEnded])
    }
}
