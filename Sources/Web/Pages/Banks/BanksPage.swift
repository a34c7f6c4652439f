import Chronology
import Hummingbird
import Ledger
import Profiles
import Review
import Store

/// The known banks, the match rates of their templates, and signs of changed mails.
enum BanksPage {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/banks", on: router) { call in
            let profiles = pages.services.profiles()
            return try await pages.show(.banks, call) { ledger in
                let drift = try ledger.monitoring.drift()
                var view = BanksView(drift, try ledger.review.forms(), profiles)
                view.add(try ledger.monitoring.noted(drift), profiles, ledger.timeZone)
                return view
            }
        }
        AlarmView.add(pages, to: router)
        pages.post("/app/banks/forms", on: router) { call in
            guard let form = call.form["form"] else { throw PageProblem.missing(PageText.of("missing.form")) }
            let learns = call.form["learn"] == "1"
            let group = try await pages.services.write { [actor = call.context.actor] ledger in
                try learns
                    ? ledger.review.learn(form, by: actor).group : ledger.review.forget(form, by: actor).group
            }
            return pages.seeOther("/app/banks", done: learns ? "learned" : "forgotten", undo: group)
        }
        pages.get("/app/banks/{bank}", on: router) { call in
            let key = call.parameter("bank")
            guard let bank = pages.services.profiles().banks.first(where: { $0.key == key }) else {
                throw PageProblem.missing(PageText.of("missing.bank", ["name": String(key.prefix(40))]))
            }
            return try await pages.show(.bank(bank.name), call) { ledger in
                let drift = try ledger.monitoring.drift()
                return BankView(bank, drift, try ledger.monitoring.noted(drift), ledger.timeZone)
            }
        }
    }

    static func percent(_ share: Proportion) -> String? { share.rate.map(PercentText.text) }
}

/// Signs that are not shown elsewhere.
struct HiddenAlarms {
    var title: String
    var list: [AlarmView]

    /// `nil` if there are none.
    init?(_ list: [AlarmView]) {
        if list.isEmpty { return nil }
        title = PageText.of("alarm.not-shown", count: list.count)
        self.list = list
    }
}

extension [AlarmView] {
    /// Those that are shown, and the others.
    fileprivate var parted: (shown: [AlarmView], hidden: HiddenAlarms?) {
        (filter { $0.hidden == nil }, HiddenAlarms(filter { $0.hidden != nil }))
    }
}

struct BanksView {
    struct Line {
        var name: String
        var path: String
        var templates: String
        var rate: String
        /// Width of a bar in percent.
        var width: String
        var before: String?
        var last: String
        var isChanged: Bool
    }

    struct Other {
        var name: String
        var path: String
    }

    /// A form that is booked, or could be.
    struct Form {
        var id: String
        var title: String
        var path: String
        var figures: String
        var isLearned: Bool
        var isStopped: Bool

        init(_ form: MailForm, bank: String) {
            (id, path, isLearned) = (form.id, "/app/review/\(form.example)", form.isLearned)
            title = [bank, form.subject].compactMap { $0 }.joined(separator: ": ")
            isStopped = form.isLearned && !form.isReliable
            let counts = [
                (form.accepted, PageText.of("banks.accepted")), (form.corrected, PageText.of("banks.corrected")),
                (form.rejected, PageText.of("banks.rejected")),
                (form.booked, PageText.of("banks.booked")), (form.waiting, PageText.of("banks.waiting")),
            ]
            figures = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        }
    }

    struct Shape {
        var bank: String
        var mails: String
        var days: String
        var words: String
        var path: String
        var isNew: Bool
    }

    var alarms: [AlarmView] = []
    var hiddenAlarms: HiddenAlarms?
    var seen: [Line]
    var others: [Other]
    var shapes: [Shape]
    var forms: [Form]
    var through: String
    var total: String

    /// Number of unmatched mail shapes in the list; `parserctl drift` shows all.
    private static let shapes = 20

    init(_ drift: Drift, _ found: [MailForm], _ profiles: ProfileSet) {
        let names = Dictionary(profiles.banks.map { ($0.key, $0) }) { first, _ in first }
        let changed = Set(drift.alarms.map(\.bank))
        seen = drift.banks.map { bank in
            let known = names[bank.bank]
            return Line(
                name: known?.name ?? bank.bank, path: "/app/banks/\(FormFields.encoded(bank.bank))",
                templates: PageText.count(known?.allTemplates.count ?? 0, "template"),
                rate: BanksPage.percent(bank.recent) ?? PageText.of("banks.no-mail-lately"),
                width: bank.recent.rate.map { "\(Int(($0 * 100).rounded()))" } ?? "0",
                before: BanksPage.percent(bank.before),
                last: DayText.text(bank.silence.lastSeen), isChanged: changed.contains(bank.bank))
        }
        let there = Set(drift.banks.map(\.bank))
        others = profiles.banks.filter { !there.contains($0.key) }.sorted { $0.name < $1.name }.map {
            Other(name: $0.name, path: "/app/banks/\(FormFields.encoded($0.key))")
        }
        shapes = drift.shapes.filter { $0.drafts > 0 }.prefix(Self.shapes).map {
            Shape(
                bank: names[$0.bank]?.name ?? $0.bank, mails: PageText.count($0.mails, "mail"),
                days: $0.firstSeen == $0.lastSeen
                    ? PageText.of("banks.on-day", ["day": DayText.text($0.lastSeen)])
                    : PageText.of(
                        "period.span", ["first": DayText.text($0.firstSeen), "last": DayText.text($0.lastSeen)]),
                words: String($0.words.prefix(200)), path: "/app/review/\($0.example)", isNew: $0.isNew)
        }
        forms = found.filter { $0.isLearned || $0.isReliable }.map {
            Form($0, bank: names[$0.profile]?.name ?? $0.profile)
        }
        through = DayText.text(drift.through)
        total = PageText.of(
            "banks.total", ["banks": "\(profiles.banks.count)", "templates": "\(profiles.templateCount)"])
    }
}

extension BanksView {
    mutating func add(_ noted: [NotedAlarm], _ profiles: ProfileSet, _ zone: IANATimeZone) {
        let all = noted.map { noted in
            AlarmView(noted, bank: profiles.name(of: noted.alarm.bank), back: "/app/banks", zone: zone)
        }
        (alarms, hiddenAlarms) = all.parted
    }
}

extension ProfileSet {
    /// The name of a bank for people; its key without a profile.
    func name(of bank: String) -> String { banks.first { $0.key == bank }?.name ?? bank }
}

struct BankView {
    struct Line {
        var name: String
        var kind: String
        var mails: String
        var last: String?
        var gap: String?
        var isOverdue: Bool
        /// Fields that the template no longer finds, as text.
        var missing: String?
        var fields: String?
    }

    var name: String
    var alarms: [AlarmView]
    var hiddenAlarms: HiddenAlarms?
    var domains: [String]
    var addresses: [String]
    /// Templates that matched mails, and the others.
    var lines: [Line]
    var others: [Line]
    var othersTitle: String
    var rate: String?
    var before: String?

    init(_ bank: Bank, _ drift: Drift, _ noted: [NotedAlarm], _ zone: IANATimeZone) {
        name = bank.name
        let own = noted.filter { $0.alarm.bank == bank.key }.map {
            AlarmView($0, bank: bank.name, back: "/app/banks/\(FormFields.encoded(bank.key))", zone: zone)
        }
        (alarms, hiddenAlarms) = own.parted
        domains = bank.domains
        addresses = bank.addresses.sorted()
        let share = drift.banks.first { $0.bank == bank.key }
        rate = share.flatMap { BanksPage.percent($0.recent) }
        before = share.flatMap { BanksPage.percent($0.before) }
        let seen = Dictionary(drift.templates.filter { $0.bank == bank.key }.map { ($0.template, $0) }) { first, _ in
            first
        }
        let all: [Line] = bank.allTemplates.map { template in
            let figures = seen[template.name]
            let kind: String
            switch template.kind {
            case .transaction(let extraction):
                kind = PageText.of("type.word-\(extraction.type.rawValue)") + ", " + extraction.channel.words
            case .ignore(let reason): kind = PageText.of("bank.ignored", ["reason": ReasonText.sentence(reason)])
            case .notice(let extraction): kind = PageText.of("bank.notice-\(extraction.kind.rawValue)")
            }
            let missing =
                figures?.fields.filter(\.isMissing).map {
                    PageText.of(
                        "bank.field-missing",
                        [
                            "field": PageText.of("field.\($0.field.rawValue)"),
                            "recent": BanksPage.percent($0.recent) ?? PageText.of("common.none-value"),
                            "before": BanksPage.percent($0.before) ?? PageText.of("common.none-value"),
                        ])
                } ?? []
            return Line(
                name: template.name, kind: kind, mails: figures.map { "\($0.mails)" } ?? "0",
                last: figures.map { DayText.text($0.silence.lastSeen) },
                gap: figures?.silence.usualGap.map { PageText.count($0, "day") },
                isOverdue: figures?.silence.isOverdue ?? false,
                missing: missing.isEmpty ? nil : missing.joined(separator: "; "),
                fields: Self.fields(
                    figures?.fields.map { (PageText.of("field.\($0.field.rawValue)"), BanksPage.percent($0.recent)) }
                        ?? []))
        }.sorted { (Int($1.mails) ?? 0, $0.name) < (Int($0.mails) ?? 0, $1.name) }
        lines = all.filter { $0.mails != "0" }
        others = all.filter { $0.mails == "0" }
        othersTitle =
            PageText.count(others.count, lines.isEmpty ? "template" : "more-template")
            + PageText.of("bank.unused")
    }

    /// The share of each field that has figures; `nil` if none has.
    private static func fields(_ shares: [(name: String, percent: String?)]) -> String? {
        let texts = shares.compactMap { share in share.percent.map { "\(share.name) \($0)" } }
        return texts.isEmpty ? nil : texts.joined(separator: " · ")
    }
}
