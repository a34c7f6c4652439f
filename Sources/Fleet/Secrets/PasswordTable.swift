import PostgreSQL

/// The sealed passwords of mailboxes and statements and secrets of receivers of all households.
public struct PasswordTable: Sendable {
    private let database: FleetDatabase

    public init(_ database: FleetDatabase) { self.database = database }

    /// Where a mailbox of a household is read.
    ///
    /// - Throws: ``FleetError`` if there is no such household or mailbox.
    public func place(household: String, mailbox: String) throws -> SealedPassword.Place {
        try database.withConnection { connection in
            let hosts = try connection.run(
                """
                SELECT m.host FROM fleet.households h LEFT JOIN fleet.mailboxes m ON m.household_id = h.id AND m.name = $2
                WHERE h.name = $1
                """, [.string(household), .string(mailbox)]
            ) { $0.text(0) }
            guard let found = hosts.first else { throw Households.unknown(household) }
            guard let host = found else {
                throw FleetError("the household '\(household)' has no mailbox '\(mailbox)'")
            }
            return SealedPassword.Place(household: household, mailbox: mailbox, host: host)
        }
    }

    /// Stores the password of a mailbox or of statements, or the secret of a receiver. The worker that reads the
    /// household begins it anew at its next renewal.
    public func set(_ sealed: SealedPassword, for place: SealedPassword.Place) throws {
        try database.withConnection { connection in
            try connection.transaction {
                let stored = try connection.run(
                    Self.insertion(of: place.kind),
                    [
                        .string(place.household), .string(place.name), .string(place.host),
                        .string(sealed.key.text), .bytea(sealed.box),
                    ]
                ) { $0.bigint(0) }
                guard let id = stored.first ?? nil else {
                    throw FleetError(
                        "\(place.description): the \(place.kind.rawValue) was changed meanwhile; nothing was stored")
                }
                try connection.run(
                    "UPDATE fleet.households SET revision = revision + 1 WHERE id = $1", [.bigint(id)])
            }
        }
    }

    private static func insertion(of kind: SealedPassword.Place.Kind) -> String {
        switch kind {
        case .mailbox:
            """
            INSERT INTO fleet.passwords (household_id, mailbox, sealed_to, sealed)
            SELECT m.household_id, m.name, $4, $5
            FROM fleet.households h JOIN fleet.mailboxes m ON m.household_id = h.id
            WHERE h.name = $1 AND m.name = $2 AND m.host = $3
            ON CONFLICT (household_id, mailbox) DO UPDATE
              SET sealed_to = excluded.sealed_to, sealed = excluded.sealed, sealed_at = clock_timestamp()
            RETURNING household_id
            """
        case .receiver:
            """
            INSERT INTO fleet.receiver_secrets (household_id, receiver, host, sealed_to, sealed)
            SELECT id, $2, $3, $4, $5 FROM fleet.households WHERE name = $1
            ON CONFLICT (household_id, receiver) DO UPDATE
              SET host = excluded.host, sealed_to = excluded.sealed_to, sealed = excluded.sealed,
                sealed_at = clock_timestamp()
            RETURNING household_id
            """
        case .statement:
            // Without a host, which is empty.
            """
            INSERT INTO fleet.statement_passwords (household_id, statement, sealed_to, sealed)
            SELECT id, $2, $4, $5 FROM fleet.households WHERE name = $1 AND $3::text = ''
            ON CONFLICT (household_id, statement) DO UPDATE
              SET sealed_to = excluded.sealed_to, sealed = excluded.sealed, sealed_at = clock_timestamp()
            RETURNING household_id
            """
        }
    }

    /// What is sealed for a place, if anything is.
    func password(for place: SealedPassword.Place) throws -> SealedPassword? {
        try database.withConnection { connection in
            try connection.run(
                """
                SELECT p.name, p.sealed_to, p.sealed
                FROM \(place.kind.rows) p JOIN fleet.households h ON h.id = p.household_id
                WHERE h.name = $1 AND p.name = $2
                """, [.string(place.household), .string(place.name)], SealedPassword.row
            ).first?.password
        }
    }

    /// Seals all passwords and secrets anew that are sealed to another key.
    ///
    /// - Parameter keys: with the private keys of the former ones.
    /// - Returns: how many were sealed anew, and the faults of the others, which stay as they are.
    public func sealAll(to key: BoxPublicKey, with keys: KeyFile) throws -> (sealed: Int, faults: [FleetError]) {
        var (count, faults) = (0, [FleetError]())
        for kind in SealedPassword.Place.Kind.allCases {
            let done = try sealAll(kind, to: key, with: keys)
            count += done.sealed
            faults += done.faults
        }
        return (count, faults)
    }

    private func sealAll(
        _ kind: SealedPassword.Place.Kind, to key: BoxPublicKey, with keys: KeyFile
    ) throws -> (sealed: Int, faults: [FleetError]) {
        let others = try database.withConnection { connection in
            try connection.run(
                """
                SELECT p.name, p.sealed_to, p.sealed, h.name, p.host, p.household_id
                FROM \(kind.rows) p JOIN fleet.households h ON h.id = p.household_id
                WHERE p.sealed_to <> $1 ORDER BY h.name COLLATE "C", p.name COLLATE "C"
                """, [.string(key.text)]
            ) { (SealedPassword.row($0), household: $0.text(3) ?? "", host: $0.text(4) ?? "", id: $0.bigint(5)) }
        }
        var (count, faults) = (0, [FleetError]())
        for (row, household, host, id) in others {
            guard let old = row.password else { continue }
            let place = SealedPassword.Place(kind, household: household, name: row.name, host: host)
            do {
                let new = try SealedPassword(old.open(for: place, with: keys), for: place, to: key)
                // One that was set meanwhile stays.
                try database.withConnection { connection in
                    try connection.run(
                        """
                        UPDATE \(kind.table) SET sealed_to = $4, sealed = $5
                        WHERE household_id = $1 AND \(kind.rawValue) = $2 AND sealed = $3
                        """,
                        [
                            .bigint(id), .string(row.name), .bytea(old.box), .string(new.key.text), .bytea(new.box),
                        ])
                }
                count += 1
            } catch let error as FleetError { faults.append(error) }
        }
        return (count, faults)
    }
}

extension SealedPassword.Place.Kind {
    /// Its column with the name of the mailbox, receiver or statements has that of the kind.
    fileprivate var table: String {
        switch self {
        case .mailbox: "fleet.passwords"
        case .receiver: "fleet.receiver_secrets"
        case .statement: "fleet.statement_passwords"
        }
    }

    /// The rows with the columns `household_id`, `name`, `host`, `sealed_to` and `sealed`.
    fileprivate var rows: String {
        switch self {
        case .mailbox:
            """
            (SELECT s.household_id, s.mailbox AS name, m.host, s.sealed_to, s.sealed FROM fleet.passwords s
             JOIN fleet.mailboxes m ON m.household_id = s.household_id AND m.name = s.mailbox)
            """
        case .receiver:
            "(SELECT household_id, receiver AS name, host, sealed_to, sealed FROM fleet.receiver_secrets)"
        case .statement:
            "(SELECT household_id, statement AS name, '' AS host, sealed_to, sealed FROM fleet.statement_passwords)"
        }
    }
}

extension SealedPassword {
    /// A row of a name, sealed_to and sealed.
    static func row(_ row: PostgresRow) -> (name: String, password: SealedPassword?) {
        let key = row.text(1).flatMap { BoxPublicKey($0) }
        return (row.text(0) ?? "", key.map { SealedPassword(key: $0, box: row.bytes(2) ?? []) })
    }
}

extension PostgresConnection {
    /// What is sealed for a household's mailboxes, receivers or statements, by their names.
    func sealed(_ kind: SealedPassword.Place.Kind, of household: Int64) throws -> [String: SealedPassword] {
        let rows = try run(
            "SELECT name, sealed_to, sealed FROM \(kind.rows) p WHERE household_id = $1", [.bigint(household)],
            SealedPassword.row)
        return Dictionary(uniqueKeysWithValues: rows.compactMap { row in row.password.map { (row.name, $0) } })
    }
}
