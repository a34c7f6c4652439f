import Chronology
import Ledger
import Settings
import Store

/// Grouping of events into messages: one message per event while events are few, one digest if they are many, in quiet
/// hours, or while the sink fails.
struct EventGrouping {
    let sink: SinkSettings
    private let quiet: QuietHours?

    /// More simultaneous events become one message.
    static let maximumAtOnce = 3
    /// Further messages within a minute wait for its end and become one.
    static let maximumPerMinute = 6
    static let window: Int64 = 60

    init(_ sink: SinkSettings) {
        self.sink = sink
        quiet = sink.quiet.map(QuietHours.init)
    }

    func quietEnd(at now: UnixTime) -> UnixTime? { quiet?.end(at: now) }

    func passesQuiet(_ kind: NotificationKind) -> Bool { sink.quiet?.urgent.contains(kind) ?? false }

    /// - Parameters:
    ///   - open: the message that can take more events.
    ///   - blockedUntil: the time of the next attempt at a failing sink; `nil` if the sink works.
    ///   - recent: number of messages made within the last ``window``.
    ///   - oldest: the time of the first of them.
    func plan(
        _ events: [Notification], open: OutboxMessage?, blockedUntil: UnixTime?, recent: Int, oldest: UnixTime? = nil,
        at now: UnixTime
    ) -> [DeliveryOutcome] {
        let wanted = events.filter { isWanted($0, at: now) }
        guard !wanted.isEmpty else { return [] }
        if let end = quietEnd(at: now) {
            let passing = wanted.filter { passesQuiet($0.kind) }
            let rest = wanted.filter { !passesQuiet($0.kind) }.map(\.id)
            return passing.map { .message(events: [$0.id], due: now, isUrgent: true) }
                + held(rest, until: max(end, blockedUntil ?? end), open)
        }
        if let blockedUntil { return held(wanted.map(\.id), until: blockedUntil, open) }
        if recent + (wanted.count > Self.maximumAtOnce ? 1 : wanted.count) > Self.maximumPerMinute {
            // The end of the minute is fixed by its first message, so later events do not postpone it.
            return held(
                wanted.map(\.id), until: open?.dueAt ?? min(max(oldest ?? now, now - Self.window), now) + Self.window,
                open)
        }
        if wanted.count > Self.maximumAtOnce { return [.message(events: wanted.map(\.id), due: now, isUrgent: false)] }
        return wanted.map { .message(events: [$0.id], due: now, isUrgent: passesQuiet($0.kind)) }
    }

    private func held(_ events: [Int64], until due: UnixTime, _ open: OutboxMessage?) -> [DeliveryOutcome] {
        if events.isEmpty { return [] }
        if let open { return [.added(to: open.seq, events: events, due: max(open.dueAt, due))] }
        return [.message(events: events, due: due, isUrgent: false)]
    }

    func isWanted(_ event: Notification, at now: UnixTime) -> Bool {
        guard sink.events.contains(event.kind), (event.receivedAt ?? event.at) >= now - Int64(sink.maxAge) else {
            return false
        }
        guard let transaction = event.transaction else { return true }
        return sink.minimum.admits(transaction.amount)
    }
}
