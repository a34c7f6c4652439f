public import Access
public import Chronology
internal import GRDB
import Ledger

/// A member of the household: a row of `users`.
public struct UserRow: Hashable, Sendable {
    public var id: Int64
    /// Unique without regard to upper and lower case.
    public var name: String
    public var role: Role
    /// False until a passphrase is set: then nobody can log in as this user.
    public var hasPassphrase: Bool
    /// `nil` for the first user, who is as old as the ledger.
    public var created: UnixTime?
    public var disabled: UnixTime?

    public var isEnabled: Bool { disabled == nil }

    /// Characters of a name.
    public static let maximumCharacters = 64

    fileprivate static let selection =
        "SELECT u.*, EXISTS (SELECT 1 FROM login_secrets s WHERE s.user_id = u.id) AS has_passphrase FROM users u"

    fileprivate init(_ row: Row) {
        id = row["id"]
        name = row["name"]
        // A role of a later version grants the least.
        role = Role(rawValue: row["role"]) ?? .reader
        hasPassphrase = row["has_passphrase"]
        created = row["created_at"]
        disabled = row["disabled_at"]
    }
}

extension AccessRepository {
    /// All users, the oldest first. There is always one.
    public func users() throws(StoreError) -> [UserRow] {
        try read { try Row.fetchAll($0, sql: "\(UserRow.selection) ORDER BY u.id").map(UserRow.init) }
    }

    public func user(_ id: Int64) throws(StoreError) -> UserRow? {
        try read { try UserRow.find(id, $0) }
    }

    /// - Parameter name: in any case; blanks around it do not count.
    public func user(named name: String) throws(StoreError) -> UserRow? {
        try read { db in try UserRow.find(named: name, db) }
    }

    /// The oldest enabled owner: the user of a program for whom nobody names one.
    ///
    /// - Throws: `notFound` if there is none, which the ledger excludes.
    public func firstOwner() throws(StoreError) -> UserRow {
        try read { db in
            let row = try Row.fetchOne(
                db, sql: "\(UserRow.selection) WHERE u.role = 'owner' AND u.disabled_at IS NULL ORDER BY u.id LIMIT 1")
            guard let row else { throw StoreError.notFound("enabled owner") }
            return UserRow(row)
        }
    }

    /// - Throws: `conflict` if the name is taken.
    public func addUser(named name: String, _ role: Role, at now: UnixTime) throws(StoreError) -> UserRow
    where Scope: WriteScope {
        try write { db in
            let name = try UserRow.free(name, for: nil, db)
            try db.execute(
                sql: "INSERT INTO users (name, role, created_at) VALUES (?, ?, ?)",
                arguments: [name, role.rawValue, now])
            return try UserRow.existing(db.lastInsertedRowID, db)
        }
    }

    /// Past changes are shown with the new name.
    ///
    /// - Throws: `conflict` if the name is taken, `notFound`.
    public func renameUser(_ id: Int64, to name: String) throws(StoreError) -> UserRow where Scope: WriteScope {
        try write { db in
            _ = try UserRow.existing(id, db)
            let name = try UserRow.free(name, for: id, db)
            try db.execute(sql: "UPDATE users SET name = ? WHERE id = ?", arguments: [name, id])
            return try UserRow.existing(id, db)
        }
    }

    /// Takes effect with the user's next request.
    ///
    /// - Throws: `conflict` for the last owner, `notFound`.
    public func setRole(_ role: Role, ofUser id: Int64) throws(StoreError) -> UserRow where Scope: WriteScope {
        try write { db in
            if role != .owner { try UserRow.keepAnOwner(besides: UserRow.existing(id, db), db) }
            try db.execute(sql: "UPDATE users SET role = ? WHERE id = ?", arguments: [role.rawValue, id])
            return try UserRow.existing(id, db)
        }
    }

    /// Ends every login, passkey, token and offer of the user, for good. The passphrase is valid again once the user is
    /// enabled.
    ///
    /// - Throws: `conflict` for the last owner, `notFound`.
    public func disableUser(_ id: Int64, at now: UnixTime) throws(StoreError) -> UserRow where Scope: WriteScope {
        try write { db in
            try UserRow.keepAnOwner(besides: UserRow.existing(id, db), db)
            // A trigger ends what grants access.
            try db.execute(
                sql: "UPDATE users SET disabled_at = ? WHERE id = ? AND disabled_at IS NULL", arguments: [now, id])
            return try UserRow.existing(id, db)
        }
    }

    public func enableUser(_ id: Int64) throws(StoreError) -> UserRow where Scope: WriteScope {
        try write { db in
            _ = try UserRow.existing(id, db)
            try db.execute(sql: "UPDATE users SET disabled_at = NULL WHERE id = ?", arguments: [id])
            return try UserRow.existing(id, db)
        }
    }

    /// Removes the user with everything that grants access. The journal keeps the name.
    ///
    /// - Throws: `conflict` for the last owner and for a user with private accounts, `notFound`.
    public func removeUser(_ id: Int64) throws(StoreError) -> UserRow where Scope: WriteScope {
        try write { db in
            let user = try UserRow.existing(id, db)
            try UserRow.keepAnOwner(besides: user, db)
            let accounts = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM main.user_accounts WHERE owner_user_id = ?", arguments: [id])
            guard accounts == 0 else {
                throw StoreError.conflict(
                    "'\(user.name)' has private accounts, which nobody else would see any more: let them be shared first, or disable the user"
                )
            }
            // The names in the journal are those of the time of the change.
            try db.execute(
                sql: "UPDATE main.changes SET actor_name = ? WHERE user_id = ? AND actor_kind = 'page'",
                arguments: [user.name, id])
            try db.execute(sql: "DELETE FROM users WHERE id = ?", arguments: [id])
            return user
        }
    }
}

extension UserRow {
    static func find(_ id: Int64, _ db: Database) throws -> UserRow? {
        try Row.fetchOne(db.cachedStatement(sql: "\(selection) WHERE u.id = ?"), arguments: [id]).map(UserRow.init)
    }

    /// Compares in Swift: SQLite folds the case of ASCII letters only.
    static func find(named name: String, _ db: Database) throws -> UserRow? {
        let wanted = folded(name)
        return try Row.fetchAll(db, sql: selection).map(UserRow.init).first { folded($0.name) == wanted }
    }

    private static func folded(_ name: String) -> String { trimmed(name).lowercased() }

    private static func trimmed(_ name: String) -> String {
        let isBlank = { (character: Character) in character.isWhitespace }
        var rest = name[...].drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return String(rest)
    }

    fileprivate static func existing(_ id: Int64, _ db: Database) throws -> UserRow {
        guard let user = try find(id, db) else { throw StoreError.notFound("user \(id)") }
        return user
    }

    /// The name without blanks around it.
    ///
    /// - Parameter id: the user that may have the name already.
    fileprivate static func free(_ name: String, for id: Int64?, _ db: Database) throws -> String {
        let name = trimmed(name)
        guard (1...maximumCharacters).contains(name.unicodeScalars.count),
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw StoreError.invalid([
                .init("name", "must have 1 to \(maximumCharacters) characters and no control characters")
            ])
        }
        if let other = try find(named: name, db), other.id != id {
            throw StoreError.conflict("there is a user named '\(other.name)' already: choose another name")
        }
        return name
    }

    /// - Throws: `conflict` if `user` is the only enabled owner. Triggers of the schema check the same.
    fileprivate static func keepAnOwner(besides user: UserRow, _ db: Database) throws {
        guard user.role == .owner, user.isEnabled else { return }
        let others = try Int.fetchOne(
            db, sql: "SELECT count(*) FROM users WHERE role = 'owner' AND disabled_at IS NULL AND id <> ?",
            arguments: [user.id])
        guard others ?? 0 > 0 else {
            throw StoreError.conflict("'\(user.name)' is the last owner: make another user an owner first")
        }
    }
}
