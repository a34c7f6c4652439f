import Chronology
internal import GRDB
internal import Ledger

extension Drift {
    /// All signs, the most severe first. If a whole bank is silent, its templates are not reported one by one.
    public var alarms: [Alarm] {
        let silent = Set(banks.filter(\.silence.isOverdue).map(\.bank))
        return banks.filter(\.silence.isOverdue).map {
            Alarm(kind: .bankSilent, bank: $0.bank, subject: "", measure: .silence($0.silence))
        }
            + banks.filter(\.matchesLess).map {
                Alarm(
                    kind: .matchRate, bank: $0.bank, subject: "",
                    measure: .proportion(recent: $0.recent, before: $0.before))
            }
            + templates.flatMap { $0.alarms(isBankSilent: silent.contains($0.bank)) }
            + shapes.filter(\.isNew).map {
                Alarm(kind: .newShape, bank: $0.bank, subject: $0.id, measure: .mails($0.mails, since: $0.firstSeen))
            }
    }

    /// Number of templates, and of banks as a whole, that seem to have changed.
    public var changed: Int {
        Set(
            alarms.filter { $0.kind != .newShape }.map {
                $0.bank + " " + ($0.subject.split(separator: " ").first ?? "")
            }
        ).count
    }
}

extension Drift.Template {
    fileprivate func alarms(isBankSilent: Bool) -> [Drift.Alarm] {
        var alarms: [Drift.Alarm] = []
        if silence.isOverdue, !isBankSilent {
            alarms.append(.init(kind: .templateSilent, bank: bank, subject: template, measure: .silence(silence)))
        }
        return alarms
            + fields.filter(\.isMissing).map {
                .init(
                    kind: .fieldMissing, bank: bank, subject: "\(template) \($0.field.rawValue)",
                    measure: .proportion(recent: $0.recent, before: $0.before))
            }
    }
}

extension MonitoringRepository {
    /// Records the present signs. A sign is new once, also across restarts, until it disappears.
    /// - Parameter details: the text of a new sign's notification.
    /// - Returns: the new signs, and the kinds and subjects of those that disappeared.
    public func recordAlarms(
        _ drift: Drift, details: (Drift.Alarm) -> String
    ) throws(StoreError) -> (new: [Drift.Alarm], gone: [Drift.Alarm]) where Scope: WriteScope {
        let time = now()
        let alarms = drift.alarms
        let announcing = notificationPolicy
        let noted: (new: [Drift.Alarm], gone: [Drift.Alarm]) = try write { db in
            var known: Set<[String]> = []
            for row in try Row.fetchAll(db, sql: "SELECT kind, profile, subject FROM drift_alarms") {
                known.insert([row[0], row[1], row[2]])
            }
            let held = Set(alarms.map(\.key))
            for key in known.subtracting(held) {
                try db.execute(
                    sql: "DELETE FROM drift_alarms WHERE kind = ? AND profile = ? AND subject = ?",
                    arguments: StatementArguments(key))
            }
            for key in held.subtracting(known) {
                try db.execute(
                    sql: "INSERT INTO drift_alarms (kind, profile, subject, since) VALUES (?, ?, ?, ?)",
                    arguments: StatementArguments(key + [time]))
            }
            let gone = known.subtracting(held).sorted { $0.lexicographicallyPrecedes($1) }.compactMap { key in
                Drift.Alarm.Kind(rawValue: key[0]).map {
                    Drift.Alarm(kind: $0, bank: key[1], subject: key[2])
                }
            }
            let new = alarms.filter { !known.contains($0.key) }
            if let announcing, !new.isEmpty {
                var writer = try NotificationWriter(db, announcing, now: time)
                for alarm in new { try writer.write(.drift, subject: alarm.bank, details: details(alarm)) }
            }
            return (new, gone)
        }
        if !noted.new.isEmpty { access.afterCommit { announcing?.changed() } }
        return noted
    }
}

extension Drift.Alarm {
    /// The key of its row.
    var key: [String] { [kind.rawValue, bank, subject] }
}
