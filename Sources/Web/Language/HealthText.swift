import Chronology
import Review
import Store

/// Sentences about faults in the language of the page.
enum HealthText {
    /// Those that a person can mend now. Signs of changed mails are calm lines of their own, see ``AlarmView``.
    static func sentences(_ report: HealthReport) -> [String] {
        report.faults.filter { if case .drift = $0 { false } else { true } }.map(sentence)
    }

    static func sentence(_ fault: HealthFault) -> String {
        text(fault) ?? fault.sentence
    }

    /// The remedy depends on where the mailbox can be changed.
    static func sentence(_ run: QuarantineRun) -> String {
        let mails = PageText.count(run.mails, "mail")
        let start = PageText.of("quarantine.run", ["mailbox": run.mailbox, "mails": mails])
        guard let first = run.names.first else {
            return start + " " + PageText.of("quarantine.no-names") + " "
                + PageText.of(
                    run.isAddedOnPage ? "quarantine.verify" : "quarantine.trust-delivery", ["mailbox": run.mailbox])
        }
        let names = run.names.map {
            PageText.of("quarantine.name", count: $0.mails, ["name": $0.authservID, "mails": "\(run.mails)"])
        }
        return start + " " + PageText.of("quarantine.names", ["names": names.joined(separator: ", ")]) + " "
            + PageText.of(
                run.isAddedOnPage ? "quarantine.add-again" : "quarantine.write",
                ["name": first.authservID, "mailbox": run.mailbox])
    }

    private static func text(_ fault: HealthFault) -> String? {
        switch fault {
        case .notReadYet(let mailbox): PageText.ofCase("health.not-read-yet", ["mailbox": mailbox])
        case .silent(let mailbox): PageText.ofCase("health.silent", ["mailbox": mailbox])
        case .mailbox(let health):
            health.reason == nil && health.state == .stopped
                ? PageText.ofCase("health.stopped", ["mailbox": health.mailbox])
                : PageText.ofCase(
                    "health.mailbox", ["mailbox": health.mailbox, "reason": health.reason ?? health.state.words])
        case .drift(let alarm): AlarmText.sentence(alarm, bank: alarm.bank)
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
}
