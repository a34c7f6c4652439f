import PostgreSQL

/// The sealed passwords of all households.
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

    /// Stores the password of a mailbox. The worker that reads the household begins it anew at its next renewal.
    public func set(_ sealed: SealedPassword, for place: SealedPassword.Place) throws {
        try database.withConnection { connection in
            try connection.transaction {
                let stored = try connection.run(
                    """
                    INSERT INTO fleet.passwords (household_id, mailbox, sealed_to, sealed)
                    SELECT m.household_id, m.name, $4, $5
                    FROM fleet.households h JOIN fleet.mailboxes m ON m.household_id = h.id
                    WHERE h.name = $1 AND m.name = $2 AND m.host = $3
                    ON CONFLICT (household_id, mailbox) DO UPDATE
                      SET sealed_to = excluded.sealed_to, sealed = excluded.sealed, sealed_at = clock_timestamp()
                    RETURNING household_id
                    """,
                    [
                        .string(place.household), .string(place.mailbox), .string(place.host),
                        .string(sealed.key.text), .bytea(sealed.box),
                    ]
                ) { $0.bigint(0) }
                guard let id = stored.first ?? nil else {
                    throw FleetError("\(place.description): the mailbox was changed meanwhile; nothing was stored")
                }
                try connection.run(
                    "UPDATE fleet.households SET revision = revision + 1 WHERE id = $1", [.bigint(id)])
            }
        }
    }

    /// The sealed password of a mailbox, if it has one.
    func password(for place: SealedPassword.Place) throws -> SealedPassword? {
        try database.withConnection { connection in
            try connection.run(
                """
                SELECT p.mailbox, p.sealed_to, p.sealed
                FROM fleet.passwords p JOIN fleet.households h ON h.id = p.household_id
                WHERE h.name = $1 AND p.mailbox = $2
                """, [.string(place.household), .string(place.mailbox)], SealedPassword.row
            ).first?.password
        }
    }

    /// Seals all passwords anew that are sealed to another key.
    ///
    /// - Parameter keys: with the private keys of the former ones.
    /// - Returns: how many were sealed anew, and the faults of the others, which stay as they are.
    public func sealAll(to key: BoxPublicKey, with keys: KeyFile) throws -> (sealed: Int, faults: [FleetError]) {
        let others = try database.withConnection { connection in
            try connection.run(
                """
                SELECT p.mailbox, p.sealed_to, p.sealed, h.name, m.host, p.household_id
                FROM fleet.passwords p JOIN fleet.mailboxes m ON m.household_id = p.household_id AND m.name = p.mailbox
                JOIN fleet.households h ON h.id = p.household_id
                WHERE p.sealed_to <> $1 ORDER BY h.name COLLATE "C", p.mailbox COLLATE "C"
                """, [.string(key.text)]
            ) { (SealedPassword.row($0), household: $0.text(3) ?? "", host: $0.text(4) ?? "", id: $0.bigint(5)) }
        }
        var (count, faults) = (0, [FleetError]())
        for (row, household, host, id) in others {
            guard let old = row.password else { continue }
            let place = SealedPassword.Place(household: household, mailbox: row.mailbox, host: host)
            do {
                let new = try SealedPassword(old.open(for: place, with: keys), for: place, to: key)
                // One that was set meanwhile stays.
                try database.withConnection { connection in
                    try connection.run(
                        """
                        UPDATE fleet.passwords SET sealed_to = $4, sealed = $5
                        WHERE household_id = $1 AND mailbox = $2 AND sealed = $3
                        """,
                        [
                            .bigint(id), .string(row.mailbox), .bytea(old.box), .string(new.key.text),
                            .bytea(new.box),
                        ])
                }
                count += 1
            } catch let error as FleetError { faults.append(error) }
        }
        return (count, faults)
    }
}

extension SealedPassword {
    /// A row of `fleet.passwords`: mailbox, sealed_to, sealed.
    static func row(_ row: PostgresRow) -> (mailbox: String, password: SealedPassword?) {
        let key = row.text(1).flatMap { BoxPublicKey($0) }
        return (row.text(0) ?? "", key.map { SealedPassword(key: $0, box: row.bytes(2) ?? []) })
    }
}
