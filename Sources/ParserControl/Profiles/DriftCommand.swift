import ArgumentParser
import Chronology
import Codecs
import Console
import Ledger
import Review
import Store

struct DriftCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drift",
        abstract:
            "Show signs that a bank has changed its mails: silent templates, missing fields, unclaimed mails."
    )

    @Option(help: "Only this bank, by its key, such as hdfc.")
    var bank: String?
    /// The maximum number of unclaimed forms that are shown without --all.
    private static let shownShapes = 10

    @Flag(help: "Also templates and mails that are as usual.")
    var all = false
    @OptionGroup var options: LedgerOptions

    func run() async throws {
        try options.read { store in
            var drift = try store.monitoring.drift()
            if let bank {
                drift.banks.removeAll { $0.bank != bank }
                drift.templates.removeAll { $0.bank != bank }
                drift.shapes.removeAll { $0.bank != bank }
                guard !drift.banks.isEmpty else {
                    throw Refused("the ledger has no mail of a bank '\(bank)'")
                }
            }
            let nearest = NearestTemplate(
                store: store, profiles: try? options.locations.profilesInForce(.onDemand), drift: drift)
            options.json ? Output.line(drift.json(nearest).text) : show(drift, nearest)
        }
    }

    private func show(_ drift: Drift, _ nearest: NearestTemplate) {
        showAlarms(drift)
        showBanks(drift)
        showTemplates(drift)
        let money = drift.shapes.filter { $0.drafts > 0 }
        let shapes = all ? drift.shapes : Array(money.prefix(Self.shownShapes))
        for shape in shapes {
            show(shape)
            show(nearest.find(for: shape))
        }
        if shapes.contains(where: { $0.drafts > 0 }) {
            Output.line(
                "\nThe mails wait in 'parserctl review list --shape SHAPE'; 'parserctl new' derives a template from such a mail."
            )
        }
        if !all {
            let more = money.count - shapes.count
            Output.line(
                "\n\(more > 0 ? "\(more) more forms and everything else" : "Everything") that was counted: parserctl drift --all"
            )
        }
    }

    private func showAlarms(_ drift: Drift) {
        let alarms = drift.alarms
        if alarms.isEmpty { Output.line("no template looks changed (mail read through \(drift.through))") }
        for alarm in alarms {
            Output.line(Terminal.styled(alarm.kind.heading, .yellow) + "  " + Terminal.printable(alarm.sentence))
        }
    }

    private func showBanks(_ drift: Drift) {
        let silent = Set(drift.alarms.filter { $0.subject.isEmpty }.map(\.bank))
        let banks = drift.banks.filter { all || silent.contains($0.bank) }
        if banks.isEmpty { return }
        var table = Table([
            ("bank", .left), ("claimed", .right), ("before", .right), ("others", .right), ("last seen", .left),
            ("silent", .right), ("usual gap", .right),
        ])
        for bank in banks {
            table.add([
                bank.bank, bank.recent.text, bank.before.text, "\(bank.otherRecent)", "\(bank.silence.lastSeen)",
                "\(bank.silence.days) d", bank.silence.usualGap.map { "\($0) d" } ?? "",
            ])
        }
        Output.line()
        table.print()
    }

    private func showTemplates(_ drift: Drift) {
        let changed = Set(drift.alarms.map { $0.subject.split(separator: " ").first.map(String.init) ?? "" })
        let templates = drift.templates.filter { all || changed.contains($0.template) }
        if templates.isEmpty { return }
        var table = Table([
            ("bank", .left), ("template", .left), ("mails", .right), ("first seen", .left), ("last seen", .left),
            ("silent", .right),
            ("usual gap", .right), ("fields now (before)", .left),
        ])
        for template in templates {
            table.add([
                template.bank, template.template, "\(template.mails)", "\(template.silence.firstSeen)",
                "\(template.silence.lastSeen)", "\(template.silence.days) d",
                template.silence.usualGap.map { "\($0) d" } ?? "",
                template.fields.filter { all || $0.isMissing }.map(\.text).joined(separator: ", "),
            ])
        }
        Output.line()
        table.print()
    }

    private func show(_ shape: Drift.Shape) {
        let days =
            shape.firstSeen == shape.lastSeen ? "on \(shape.firstSeen)" : "\(shape.firstSeen) to \(shape.lastSeen)"
        let heading = "\(shape.mails) mail\(shape.mails == 1 ? "" : "s") of \(shape.bank) that no template claims"
        Output.line("\n" + Terminal.styled(heading, shape.isNew ? .yellow : .bold) + ", \(days), shape \(shape.id)")
        Output.line("  " + Terminal.printable(String(shape.words.prefix(200))))
    }

    private func show(_ nearest: NearestTemplate.Answer) {
        switch nearest {
        case .gone: Output.line("  " + Terminal.styled("the example's bytes are not retained", .dim))
        case .claimed(let template): Output.line("  claimed by \(template) now")
        case .none: Output.line("  no template of the bank comes near")
        case .near(let near):
            Output.line("  nearest: \(near.template), stopped in \(near.step)")
            if let matched = near.matched, let stopped = near.stopped {
                Output.line(
                    "    " + Terminal.printable(String(matched.suffix(50))) + Terminal.styled(" >< ", .red)
                        + Terminal.printable(stopped))
            }
            if !near.missing.isEmpty {
                Output.line("    no more: " + Terminal.printable(near.missing.joined(separator: " ")))
            }
            if !near.new.isEmpty {
                Output.line("    now:     " + Terminal.printable(near.new.joined(separator: " ")))
            }
        }
    }
}

extension Drift.Alarm.Kind {
    /// Padded to the same width.
    fileprivate var heading: String {
        switch self {
        case .bankSilent: "silent bank    "
        case .templateSilent: "silent         "
        case .matchRate: "fewer claimed  "
        case .fieldMissing: "missing field  "
        case .newShape: "new form       "
        }
    }
}

extension Proportion {
    var text: String { rate.map { "\(Int(($0 * 100).rounded())) % of \(whole)" } ?? "none" }
    var json: JSON { .object([("part", JSON(part)), ("of", JSON(whole)), ("rate", rate.map(JSON.number) ?? .null)]) }
}

extension Drift.Fill {
    fileprivate var text: String {
        func percent(_ share: Proportion) -> String { share.rate.map { "\(Int(($0 * 100).rounded())) %" } ?? "-" }
        return "\(field.rawValue) \(percent(recent)) (\(percent(before)))"
    }
}

extension Drift {
    /// The signs alone, for `status --json`.
    var summary: JSON { .object(signs) }

    private var signs: [(String, JSON)] {
        [
            ("through", JSON(describing: through)), ("changed", JSON(changed)),
            ("new_shapes", JSON(shapes.count { $0.isNew })),
            (
                "alarms",
                .array(
                    alarms.map {
                        .object([
                            ("kind", .string($0.kind.rawValue)), ("bank", .string($0.bank)),
                            ("subject", .string($0.subject)), ("message", .string($0.sentence)),
                        ])
                    })
            ),
        ]
    }

    func json(_ nearest: NearestTemplate) -> JSON {
        .object(
            signs + [
                ("banks", .array(banks.map(\.json))), ("templates", .array(templates.map(\.json))),
                ("unclaimed_shapes", .array(shapes.map { $0.json(nearest) })),
            ])
    }
}

extension Drift.Bank {
    fileprivate var json: JSON {
        .object(
            [
                ("bank", .string(bank)), ("claimed_recent", recent.json), ("claimed_before", before.json),
                ("others_recent", JSON(otherRecent)),
            ] + silence.json)
    }
}

extension Drift.Template {
    fileprivate var json: JSON {
        let fields = fields.map { fill in
            (
                fill.field.rawValue,
                JSON.object([
                    ("recent", fill.recent.json), ("before", fill.before.json), ("missing", .bool(fill.isMissing)),
                ])
            )
        }
        return .object(
            [("bank", .string(bank)), ("template", .string(template)), ("mails", JSON(mails))] + silence.json
                + [("fields", .object(fields))])
    }
}

extension Drift.Shape {
    fileprivate func json(_ nearest: NearestTemplate) -> JSON {
        .object([
            ("bank", .string(bank)), ("shape", .string(id)), ("words", .string(words)), ("mails", JSON(mails)),
            ("drafts", JSON(drafts)), ("first_seen", JSON(describing: firstSeen)),
            ("last_seen", JSON(describing: lastSeen)),
            ("example", .string(example)), ("new", .bool(isNew)), ("nearest", nearest.find(for: self).json),
        ])
    }
}

extension Drift.Silence {
    fileprivate var json: [(String, JSON)] {
        [
            ("first_seen", JSON(describing: firstSeen)), ("last_seen", JSON(describing: lastSeen)),
            ("usual_gap_days", JSON(usualGap)),
            ("silent_days", JSON(days)), ("silent", .bool(isOverdue)),
        ]
    }
}
