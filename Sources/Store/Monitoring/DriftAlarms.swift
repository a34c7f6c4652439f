import Chronology
internal import GRDB
internal import Ledger

extension Drift {
    /// All signs, the most severe first. If a whole bank is silent, its templates are not reported one by one.
    public var alarms: [Alarm] {
        var result: [Alarm] = []
        let silent = Set(banks.filter(\.silence.isOverdue).map(\.bank))
        for bank in banks where bank.silence.isOverdue {
            result.append(
                Alarm(
                    kind: .bankSilent, bank: bank.bank, subject: "",
                    message: "no mail of \(bank.bank) \(bank.silence.sentence)"))
        }
        for bank in banks where bank.matchesLess {
            result.append(
                Alarm(
                    kind: .matchRate, bank: bank.bank, subject: "",
                    message:
                        "templates of \(bank.bank) claim \(bank.recent.percent) of its mails about money, \(bank.before.percent) before"
                ))
        }
        for template in templates {
            if template.silence.isOverdue, !silent.contains(template.bank) {
                result.append(
                    Alarm(
                        kind: .templateSilent, bank: template.bank, subject: template.template,
                        message: "no mail that \(template.template) claims \(template.silence.sentence)"))
            }
            for fill in template.fields where fill.isMissing {
                result.append(
                    Alarm(
                        kind: .fieldMissing, bank: template.bank,
                        subject: "\(template.template) \(fill.field.rawValue)",
                        message:
                            "\(template.template) finds the \(fill.field.rawValue) in \(fill.recent.percent) of its mails, \(fill.before.percent) before"
                    ))
            }
        }
        for shape in shapes where shape.isNew {
            result.append(
                Alarm(
                    kind: .newShape, bank: shape.bank, subject: shape.id,
                    message:
                        "\(shape.mails) mail\(shape.mails == 1 ? "" : "s") of \(shape.bank) about money of a form that no template claims, since \(shape.firstSeen)"
                ))
        }
        return result
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

extension Drift.Silence {
    fileprivate var sentence: String { "for \(days) days, usually within \(usualGap ?? 0)" }
}

extension Proportion {
    fileprivate var percent: String { rate.map { "\(Int(($0 * 100).rounded())) %" } ?? "none" }
}

extension MonitoringRepository {
    /// Records the present signs. A sign is new once, also across restarts, until it disappears.
    /// - Returns: the new signs, and the kinds and subjects of those that disappeared.
    public func recordAlarms(_ drift: Drift) throws(StoreError) -> (new: [Drift.Alarm], gone: [Drift.Alarm])
    where Scope: WriteScope {
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
                    sql: "INSERT INTO drift_alarms VALUES (?, ?, ?, ?)", arguments: StatementArguments(key + [time]))
            }
            let gone = known.subtracting(held).sorted { $0.lexicographicallyPrecedes($1) }.compactMap { key in
                Drift.Alarm.Kind(rawValue: key[0]).map {
                    Drift.Alarm(kind: $0, bank: key[1], subject: key[2], message: "")
                }
            }
            let new = alarms.filter { !known.contains($0.key) }
            if let announcing, !new.isEmpty {
                var writer = try NotificationWriter(db, announcing, now: time)
                for alarm in new { try writer.write(.drift, subject: alarm.bank, details: alarm.message) }
            }
            return (new, gone)
        }
        if !noted.new.isEmpty { access.afterCommit { announcing?.changed() } }
        return noted
    }
}

extension Drift.Alarm {
    fileprivate var key: [String] { [kind.rawValue, bank, subject] }
}
