import Chronology
import Hummingbird
import Ledger
import Store

/// A sign that a bank changed its mails, with the form that hides it.
struct AlarmView: Sendable {
    struct Choice: Sendable {
        var value: String
        var title: String
    }

    var sentence: String
    /// The day of the last mail; `nil` if the sign is another one than silence.
    var note: String?
    var kind: String
    var bank: String
    var subject: String
    /// True if it can be hidden.
    var isRecorded: Bool
    /// How long it is not shown, in words; `nil` if it is shown.
    var hidden: String?
    let choices: [Choice]
    /// The page to show after the form.
    var back: String

    /// Days for which a sign can be hidden.
    private static let days = [7, 30]

    /// - Parameter name: the bank's name for people.
    init(_ noted: NotedAlarm, bank name: String, back: String, zone: IANATimeZone) {
        let alarm = noted.alarm
        sentence = AlarmText.sentence(alarm, bank: name)
        if case .silence(let silence)? = alarm.measure {
            note = PageText.of("alarm.last", ["day": DayText.text(silence.lastSeen)])
        }
        (kind, bank, subject) = (alarm.kind.rawValue, alarm.bank, alarm.subject)
        isRecorded = noted.isRecorded
        switch noted.display {
        case .shown: hidden = nil
        case .hidden: hidden = PageText.of("alarm.hidden")
        case .hiddenUntil(let instant):
            hidden = PageText.of("alarm.hidden-until", ["day": DayText.text(zone.day(of: instant))])
        }
        choices =
            hidden == nil
            ? Self.days.map { Choice(value: "\($0)", title: PageText.count($0, "day")) }
                + [Choice(value: "end", title: PageText.of("alarm.until-it-ends"))]
            : [Choice(value: "no", title: PageText.of("alarm.show-again"))]
        self.back = back
    }

    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.post("/app/banks/alarms", on: router) { call in
            guard let kind = call.form["kind"].flatMap({ Drift.Alarm.Kind(rawValue: $0) }),
                let (hiding, notice) = decision(call.form["hide"] ?? "")
            else { throw PageProblem.missing(PageText.of("missing.alarm")) }
            let alarm = Drift.Alarm(kind: kind, bank: call.form["bank"] ?? "", subject: call.form["subject"] ?? "")
            try await pages.services.write { try $0.monitoring.hide(alarm, hiding) }
            return pages.seeOther(call.back(otherwise: "/app/banks"), done: notice)
        }
    }

    /// The choice of a form with the name of its notice.
    private static func decision(_ value: String) -> (AlarmHiding, notice: String)? {
        switch value {
        case "end": return (.untilItEnds, "alarm-seen")
        case "no": return (.ended, "alarm-shown")
        default:
            guard let number = Int(value), days.contains(number) else { return nil }
            return (.days(number), "alarm-snoozed")
        }
    }
}

/// Sentences about signs that a bank changed its mails.
enum AlarmText {
    /// - Parameter name: the bank's name for people.
    static func sentence(_ alarm: Drift.Alarm, bank name: String) -> String {
        let parts = alarm.subject.split(separator: " ", maxSplits: 1).map(String.init)
        // `card-spend` of `hdfc/card-spend`.
        let template = parts.first?.split(separator: "/").last.map(String.init) ?? ""
        switch alarm.measure {
        case .silence(let silence):
            return PageText.of(
                alarm.kind == .bankSilent ? "alarm.bank-silent" : "alarm.template-silent",
                count: silence.usualGap ?? 0,
                ["bank": name, "template": template, "days": PageText.count(silence.days, "day")])
        case .proportion(let recent, let before):
            let field = parts.last.map { name in TextCatalogue.current.text("field.\(name)") ?? name } ?? ""
            return PageText.of(
                alarm.kind == .matchRate ? "alarm.match-rate" : "alarm.field-missing",
                [
                    "bank": name, "template": template, "field": field, "recent": percent(recent),
                    "before": percent(before),
                ])
        case .mails(let count, let day):
            return PageText.of(
                "alarm.new-shape",
                ["bank": name, "mails": PageText.count(count, "mail"), "day": DayText.text(day)])
        case nil: return ""
        }
    }

    private static func percent(_ proportion: Proportion) -> String {
        BanksPage.percent(proportion) ?? PageText.of("common.none-value")
    }
}
