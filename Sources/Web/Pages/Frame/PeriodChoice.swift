import Chronology
import Store

/// The period of a page, as its address has it.
struct PeriodChoice: Sendable {
    /// The period that a person is compared with.
    enum Comparison: String, Sendable, CaseIterable {
        case previous, year
    }

    /// `nil` if the address has none that is valid.
    var period: ReportingPeriod?
    var comparison = Comparison.previous
    /// Values that are invalid, as sentences.
    var problems: [String] = []
    let today: CalendarDate

    init(_ query: FormFields, today: CalendarDate) {
        self.today = today
        if let text = query.text("period") {
            period = ReportingPeriod(text, today: today)
            if period == nil {
                problems.append(
                    PageText.of(
                        "problem.period", ["text": String(text.prefix(40)), "forms": PageText.of("period.list")]))
            }
        }
        if let word = query.text("compare") {
            if let found = Comparison(rawValue: word) {
                comparison = found
            } else {
                problems.append(PageText.of("problem.comparison", ["text": String(word.prefix(40))]))
            }
        }
    }

    /// The choice that a page passes on: its own, otherwise that of the page to return to, or the one that is kept.
    init(carriedBy call: PageCall, today: CalendarDate) {
        self.init(call.query, today: today)
        guard period == nil else { return }
        let list = (call.back ?? call.listBefore).map { FormFields.parts(ofAddress: $0).query }
        let before = PeriodChoice(list ?? FormFields(KeptPeriod.query(for: call)), today: today)
        (period, comparison) = (before.period, before.comparison)
    }

    /// The query that keeps the choice, also on the way through pages that show no period.
    var carried: String { FormFields.encoded(fields.compactMap { name, value in value.map { (name, $0) } }) }

    /// The fields of ``carried``.
    var fields: [(String, String?)] {
        (period.map { [("period", $0.description)] } ?? [])
            + (comparison == .year ? [("compare", comparison.rawValue)] : [])
    }

    /// The period that another one is compared with; `nil` at the beginning of the calendar.
    func other(than period: ReportingPeriod) -> ReportingPeriod? {
        comparison == .year ? period.yearBefore : period.previous
    }
}

/// The control that chooses the period of a page. It consists of links and of one form, so it needs no script.
struct PeriodBar: Sendable {
    typealias Choice = DashboardView.Choice

    struct Field: Sendable {
        var name: String
        var value: String
    }

    var title: String
    /// The days, unless the title has them.
    var span: String?
    /// The state of a period that has not ended.
    var progress: String?
    /// Paths; `nil` if there is no such period, or it is the present one.
    var previous: String?
    var next: String?
    var now: String?
    var kinds: [Choice]
    var cycles: [Choice]
    /// Empty on pages that do not compare.
    var comparisons: [Choice]
    /// The form for any other period.
    var action: String
    var value: String
    var kept: [Field]
    var forms = PageText.of("period.forms", ["forms": PageText.of("period.list")])

    /// - Parameters:
    ///   - period: `nil` for all days, which is then one of the kinds.
    ///   - path: the path of the page.
    ///   - query: the query of the page. Its other fields are kept.
    ///   - cycles: the statement cycles to offer.
    init(
        _ period: ReportingPeriod?, _ choice: PeriodChoice, path: String, query: FormFields, cycles: [StatementCycle],
        compares: Bool = false, mayBeAll: Bool = false
    ) {
        let today = choice.today
        func link(_ changes: [(String, String?)]) -> String {
            let text = query.with(changes + [("cursor", nil)] + PageNotice.parameters)
            return path + (text.isEmpty ? "" : "?" + text)
        }
        func link(to period: ReportingPeriod?) -> String {
            link([("period", period?.description), ("since", nil), ("until", nil)])
        }
        title = period.map(PeriodText.title) ?? PageText.of("period.all-days")
        if let period {
            let span = PeriodText.span(period.days)
            self.span = title.hasSuffix(span) ? nil : span
            progress =
                period.isPartial(on: today)
                ? PageText.of(
                    "period.so-far", count: period.days.days, ["passed": "\(period.elapsed(on: today).days)"])
                : period.days.first > today ? PageText.of("period.not-begun") : nil
            previous = period.previous.map(link(to:))
            next = period.next.map(link(to:))
            let present = period.moved(to: today) ?? .recent(.month, through: today)
            now = period.days.contains(today) ? nil : link(to: present)
        }
        let anchor = period.map { $0.days.contains(today) ? today : $0.days.last } ?? today
        let recent = ReportingPeriod.recent(.month, through: today)
        let all =
            [recent] + CalendarPeriod.allCases.compactMap { ReportingPeriod($0, around: anchor) }
            + [ReportingPeriod.financialYear(around: anchor)].compactMap(\.self)
        kinds =
            mayBeAll ? [Choice(title: PageText.of("common.all"), path: link(to: nil), isCurrent: period == nil)] : []
        kinds += all.map {
            Choice(title: PeriodText.kind($0.kind), path: link(to: $0), isCurrent: $0.kind == period?.kind)
        }
        self.cycles = cycles.compactMap { cycle in
            guard let found = ReportingPeriod(cycle.days).moved(to: anchor) else { return nil }
            return Choice(
                title: PageText.of("period.cycle", ["name": cycle.name, "days": PeriodText.span(found.days)]),
                path: link(to: found),
                isCurrent: found.days == period?.days)
        }
        comparisons =
            compares
            ? PeriodChoice.Comparison.allCases.map {
                Choice(
                    title: PageText.of("period.compare-\($0.rawValue)"),
                    path: link([("compare", $0 == .previous ? nil : $0.rawValue)]),
                    isCurrent: $0 == choice.comparison)
            } : []
        action = path
        value = period?.description ?? ""
        let dropped = Set(["period", "since", "until", "cursor"] + PageNotice.parameters.map(\.0))
        kept = query.fields.filter { !dropped.contains($0.name) && !$0.value.isEmpty }.map {
            Field(name: $0.name, value: $0.value)
        }
    }

    /// Names the days of a list that has only its first or its last one.
    mutating func name(since: CalendarDate?, until: CalendarDate?) {
        guard since != nil || until != nil else { return }
        title =
            since.map { PageText.of("period.since", ["day": DayText.text($0)]) }
            ?? until.map { PageText.of("period.until", ["day": DayText.text($0)]) } ?? title
        for index in kinds.indices { kinds[index].isCurrent = false }
    }
}
