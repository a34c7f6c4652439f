import Console
import Ledger
import ProfileAuthoring
import Profiles

/// Counts the outcomes of an archive's mails: by template, unclaimed mails of known banks, contested mails, time.
struct ArchiveReport {
    private(set) var total = 0
    private var outcomes: [Outcome: Int] = [:]
    private var templates: [String: Int] = [:]
    private var unclaimed = Groups()
    private var contested = Groups()
    private var spent: [String: Duration] = [:]
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var shownAt: ContinuousClock.Instant

    init() {
        start = clock.now
        shownAt = start
    }

    /// The number of similar mails, with the first of them.
    private struct Groups {
        struct Key: Hashable { var owner: String, subject: String }
        var counts: [Key: (count: Int, first: String)] = [:]

        mutating func add(_ owner: String, _ subject: String, _ name: String) {
            // Without its numbers a subject is the same for every mail of a form.
            let shape = String(subject.map { $0.isNumber ? "#" : $0 }.prefix(100))
            counts[Key(owner: owner, subject: shape), default: (0, name)].count += 1
        }

        var sorted: [(owner: String, subject: String, count: Int, first: String)] {
            counts.map { ($0.key.owner, $0.key.subject, $0.value.count, $0.value.first) }
                .sorted { ($1.count, $0.owner, $0.subject) < ($0.count, $1.owner, $1.subject) }
        }

        var total: Int { counts.values.reduce(0) { $0 + $1.count } }
    }

    /// - Parameter timings: of each template of the mail's bank, if they are wanted.
    mutating func add(
        _ name: String, subject: String, _ claim: Claim, _ decision: Decision,
        timings: [(template: String, time: Duration)] = []
    ) {
        total += 1
        outcomes[decision.outcome, default: 0] += 1
        for (template, time) in timings { spent[template, default: .zero] += time }
        if let template = decision.template { templates[template, default: 0] += 1 }
        if decision.template == TemplateName.generic { unclaimed.add(decision.profile ?? "", subject, name) }
        if decision.reasons.contains(where: { $0.factor == .contested }) {
            contested.add(claim.claimants().joined(separator: ", "), subject, name)
        }
    }

    /// Shows the progress of a long run on a terminal once a second.
    mutating func showProgress() {
        guard Terminal.isErrorTerminal, total % 64 == 0, clock.now - shownAt > .seconds(1) else { return }
        shownAt = clock.now
        Terminal.progress("\(total) mails, \(rate) a second")
    }

    private var elapsed: Duration { clock.now - start }
    private var rate: Int { Int(Double(total) / max(elapsed / Duration.seconds(1), 0.000_001)) }

    func show() {
        Terminal.progress(nil)
        var table = Table([("template", .left), ("mails", .right)])
        for (template, count) in templates.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            table.add([template, "\(count)"])
        }
        if !table.rows.isEmpty { table.print() }
        show(unclaimed, "mails of known banks that no template claims", "bank")
        show(contested, "mails that several templates claim", "templates")
        showTimes()
        let summary = Outcome.allCases.compactMap { outcome in outcomes[outcome].map { "\($0) \(outcome.rawValue)" } }
            .joined(separator: ", ")
        Output.line("\(total) mails: \(summary.isEmpty ? "none" : summary)")
        if total > 0 {
            Output.line(
                "\(unclaimed.total) of known banks that no template reads, \(contested.total) contested; \((elapsed / Duration.milliseconds(10)).rounded() / 100) s, \(rate) mails a second"
            )
        }
    }

    private func show(_ groups: Groups, _ title: String, _ owner: String) {
        if groups.counts.isEmpty { return }
        Output.line("\n" + title)
        var table = Table([("mails", .right), (owner, .left), ("subject", .left), ("the first", .left)])
        for group in groups.sorted { table.add(["\(group.count)", group.owner, group.subject, group.first]) }
        table.print()
    }

    private func showTimes() {
        if spent.isEmpty || total == 0 { return }
        Output.line("\nmicroseconds a mail, all of them counted")
        var table = Table([("template", .left), ("us", .right)])
        for (template, time) in spent.sorted(by: { $0.value > $1.value }).prefix(40) {
            table.add([template, "\((time / total / Duration.nanoseconds(100)).rounded() / 10)"])
        }
        table.print()
    }
}
