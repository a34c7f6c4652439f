import GRDB

/// The migrations, oldest first. A released one is never changed: a new one is added, and a test starts from each released schema.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v1") { db in
            try db.execute(sql: "PRAGMA application_id = \(DatabaseFile.applicationID)")
            try db.execute(sql: version1)
        }
        migrator.registerMigration("v2 mailbox health") { try $0.execute(sql: version2) }
        migrator.registerMigration("drift") { try $0.execute(sql: drift) }
        migrator.registerMigration("review-outcomes") { try $0.execute(sql: reviewOutcomes) }
        migrator.registerMigration("sources") { try $0.execute(sql: sources) }
        migrator.registerMigration("gmail-message") { try $0.execute(sql: gmailMessage) }
        migrator.registerMigration("statistics") { try $0.execute(sql: statistics) }
        migrator.registerMigration("notifications") { try $0.execute(sql: notifications) }
        migrator.registerMigration("api") { try $0.execute(sql: api) }
        migrator.registerMigration("access") { try $0.execute(sql: access) }
        migrator.registerMigration("downloads") { try $0.execute(sql: downloads) }
        migrator.registerMigration("file-marks") { try $0.execute(sql: fileMarks) }
        migrator.registerMigration("categories") { try $0.execute(sql: categories) }
        migrator.registerMigration("audited-decisions") { try $0.execute(sql: auditedDecisions) }
        migrator.registerMigration("trusted-senders") { try $0.execute(sql: trustedSenders) }
        migrator.registerMigration("listing") { try $0.execute(sql: listing) }
        migrator.registerMigration("status-index") { try $0.execute(sql: statusIndex) }
        return migrator
    }

    static func bringUpToDate(_ queue: DatabaseQueue, path: String, readOnly: Bool) throws {
        let migrator = migrator
        if try queue.read(migrator.hasBeenSuperseded) {
            throw StoreError(
                kind: .newerSchema, path: path,
                message:
                    "was written by a newer version of SpendWise: install that version, or restore the backup made before the upgrade"
            )
        }
        if try queue.read(migrator.hasCompletedMigrations) { return }
        guard !readOnly else {
            throw StoreError(
                kind: .olderSchema, path: path,
                message:
                    "is not up to date with this version of SpendWise: start spendwised once to bring it up to date")
        }
        // None of them is a promise: after a power cut they are made again, each whole.
        try queue.inDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
        let result = Result { try migrator.migrate(queue) }
        try queue.inDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        do {
            try result.get()
        } catch {
            // Another process may have done it between the two looks.
            guard try queue.read(migrator.hasCompletedMigrations) else { throw error }
        }
    }
}
