import Chronology
import Review
import Store

/// Sentences about faults in the language of the page.
enum HealthText {
    static func sentences(_ report: HealthReport) -> [String] { report.faults.map(sentence) }

    static func sentence(_ fault: HealthFault) -> String {
        text(fault) ?? fault.sentence
    }

    static func sentence(_ alarm: Drift.Alarm) -> String { text(alarm) ?? alarm.sentence }

    private static func text(_ fault: HealthFault) -> String? {
        switch fault {
        case .notReadYet(let mailbox): PageText.ofCase("health.not-read-yet", ["mailbox": mailbox])
        case .silent(let mailbox): PageText.ofCase("health.silent", ["mailbox": mailbox])
        case .mailbox(let health):
            health.reason == nil && health.state == .stopped
                ? PageText.ofCase("health.stopped", ["mailbox": health.mailbox])
                : PageText.ofCase(
                    "health.mailbox", ["mailbox": health.mailbox, "reason": health.reason ?? health.state.words])
        case .drift(let alarm): text(alarm)
        case .templateLeftOut(let template, let fault):
            PageText.ofCase("health.template-left-out", ["template": template, "fault": fault])
        case .notificationsRefused(let sink):
            PageText.ofCase(
                "health.notifications-refused",
                [
                    "sink": sink.name, "count": "\(sink.parked)",
                    "reason": sink.parkedReason ?? PageText.of("mailboxes.no-reason"),
                ])
        case .notificationsWaiting(let sink):
            PageText.ofCase(
                "health.notifications-waiting",
                [
                    "sink": sink.name, "count": "\(sink.waiting)",
                    "reason": sink.reason ?? PageText.of("mailboxes.no-answer"),
                ])
        case .damaged(let defect):
            PageText.ofCase("health.damaged", ["defect": defect, "remedy": CheckRecord.remedy])
        case .backupOutdated(let state):
            state.newest.map {
                PageText.ofCase("health.backup-outdated", ["at": "\($0.madeAt)", "days": "\(state.days)"])
            } ?? PageText.ofCase("health.never-backed-up")
        }
    }

    private static func text(_ alarm: Drift.Alarm) -> String? {
        let parts = alarm.subject.split(separator: " ", maxSplits: 1).map(String.init)
        switch alarm.measure {
        case .silence(let silence):
            return PageText.ofCase(
                alarm.kind == .bankSilent ? "health.bank-silent" : "health.template-silent",
                [
                    "bank": alarm.bank, "template": alarm.subject, "days": "\(silence.days)",
                    "usual": "\(silence.usualGap ?? 0)",
                ])
        case .proportion(let recent, let before):
            let field = parts.last.map { name in TextCatalogue.current.text("field.\(name)") ?? name } ?? ""
            return PageText.ofCase(
                alarm.kind == .matchRate ? "health.match-rate" : "health.field-missing",
                [
                    "bank": alarm.bank, "template": parts.first ?? "", "field": field,
                    "recent": percent(recent), "before": percent(before),
                ])
        case .mails(let count, let day):
            return PageText.ofCase(
                "health.new-shape",
                ["bank": alarm.bank, "mails": PageText.count(count, "mail"), "day": DayText.text(day)])
        case nil: return nil
        }
    }

    private static func percent(_ proportion: Proportion) -> String {
        BanksPage.percent(proportion) ?? PageText.of("common.none-value")
    }
}
