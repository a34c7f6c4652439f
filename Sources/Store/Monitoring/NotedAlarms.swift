public import Chronology
internal import GRDB

/// A present sign of a change, with what a person decided about it.
public struct NotedAlarm: Hashable, Sendable {
    public enum Display: Hashable, Sendable {
        case shown
        /// Acknowledged: it is shown again only if it ends and arises anew.
        case hidden
        case hiddenUntil(UnixTime)
    }

    public var alarm: Drift.Alarm
    /// False until the mail reader recorded the sign, within half an hour: it cannot be hidden before.
    public var isRecorded: Bool
    public var display: Display

    public var isShown: Bool { display == .shown }
}

/// How long a sign is not shown.
public enum AlarmHiding: Hashable, Sendable {
    case untilItEnds
    case days(Int)
    /// It is shown again.
    case ended
}

extension MonitoringRepository {
    /// The present signs in the order of ``Drift/alarms``, with their display as of now.
    public func noted(_ drift: Drift) throws(StoreError) -> [NotedAlarm] {
        let alarms = drift.alarms
        if alarms.isEmpty { return [] }
        let now = now()
        var displays: [[String]: NotedAlarm.Display] = [:]
        try read { db in
            for row in try Row.fetchAll(
                db, sql: "SELECT kind, profile, subject, seen_at, snoozed_until FROM drift_alarms")
            {
                let (seen, until): (UnixTime?, UnixTime?) = (row[3], row[4])
                var display = NotedAlarm.Display.shown
                if let until, until > now { display = .hiddenUntil(until) }
                displays[[row[0], row[1], row[2]]] = seen == nil ? display : .hidden
            }
        }
        return alarms.map { alarm in
            let display = displays[alarm.key]
            return NotedAlarm(alarm: alarm, isRecorded: display != nil, display: display ?? .shown)
        }
    }

    /// Hides a present sign, or shows it again. Notifications and the health of the program stay as they are.
    ///
    /// - Parameter alarm: its kind, bank and subject name the sign.
    /// - Throws: `notFound` if the sign is not present, or not recorded yet.
    public func hide(_ alarm: Drift.Alarm, _ hiding: AlarmHiding) throws(StoreError) where Scope: WriteScope {
        // A user who does not see the bank does not see its signs.
        let isPresent = try drift().alarms.contains { $0.key == alarm.key }
        let now = now()
        let (seen, until): (UnixTime?, UnixTime?) =
            switch hiding {
            case .untilItEnds: (now, nil)
            case .days(let days): (nil, now + Int64(days) * 86_400)
            case .ended: (nil, nil)
            }
        try write { db in
            if isPresent {
                try db.execute(
                    sql: """
                        UPDATE drift_alarms SET seen_at = ?, snoozed_until = ? WHERE kind = ? AND profile = ? AND subject = ?
                        """, arguments: [seen, until] + StatementArguments(alarm.key))
            }
            guard isPresent, db.changesCount == 1 else { throw StoreError.notFound("sign of a change") }
        }
    }
}
