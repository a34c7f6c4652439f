import ArgumentParser
import JSONText
import Ledger
import Store

struct DriftCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drift",
        abstract:
            "Show where a bank seems to have changed its mails: silent templates, missing fields, mails that nothing claims."
    )

    @Option(help: "Only this bank, by its key, such as hdfc.")
    var bank: String?
    /// Forms of mail that nothing claims, unless all are asked for: enough for a morning's work.
    private static let shownShapes = 10

    @Flag(help: "Also templates and mails that are as usual.")
    var all = false
    @Flag(help: "One JSON object.")
    var json = false
    @OptionGroup var locations: Locations

    func run() async throws {
        try orExit {
            let store = try locations.store()
            var drift = try store.drift()
            if let bank {
                drift.banks.removeAll { $0.bank != bank }
                drift.templates.removeAll { $0.bank != bank }
                drift.shapes.removeAll { $0.bank != bank }
                guard !drift.banks.isEmpty else {
                    throw ValidationError("no mail of a bank '\(bank)' is in the ledger")
                }
            }
            let nearest = NearestTemplate(store: store, profiles: try? locations.profilesInForce(), drift: drift)
            json ? print(drift.json(nearest).text) : show(drift, nearest)
        }
    }

    private func show(_ drift: Drift, _ nearest: NearestTemplate) {
        let alarms = drift.alarms
        if alarms.isEmpty {
            print("no template looks changed (mail read through \(drift.through))")
        } else {
            for alarm in alarms {
                print(Terminal.styled(alarm.kind.heading, .yellow) + "  " + Terminal.printable(alarm.message))
            }
        }
        let changed = Set(alarms.map { $0.subject.split(separator: " ").first.map(String.init) ?? "" })
        let banks = drift.banks.filter { bank in all || alarms.contains { $0.bank == bank.bank && $0.subject.isEmpty } }
        if !banks.isEmpty {
            var table = Table([
                ("bank", .left), ("claimed", .right), ("before", .right), ("others", .right), ("last seen", .left),
                ("silent", .right), ("usual gap", .right),
            ])
            for bank in banks {
                table.add([
                    bank.bank, bank.recent.text, bank.before.text, "\(bank.otherRecent)", bank.silence.lastSeen,
                    "\(bank.silence.days) d", bank.silence.usualGap.map { "\($0) d" } ?? "",
                ])
            }
            print("")
            table.print()
        }
        let templates = drift.templates.filter { all || changed.contains($0.template) }
        if !templates.isEmpty {
            var table = Table([
                ("template", .left), ("mails", .right), ("first seen", .left), ("last seen", .left), ("silent", .right),
                ("usual gap", .right), ("fields now (before)", .left),
            ])
            for template in templates {
                table.add([
                    template.template, "\(template.mails)", template.silence.firstSeen, template.silence.lastSeen,
                    "\(template.silence.days) d",
                    template.silence.usualGap.map { "\($0) d" } ?? "",
                    template.fields.filter { all || $0.isMissing }.map(\.text).joined(separator: ", "),
                ])
            }
            print("")
            table.print()
        }
        let money = drift.shapes.filter { $0.drafts > 0 }
        let shapes = all ? drift.shapes : Array(money.prefix(Self.shownShapes))
        for shape in shapes {
            let days =
                shape.firstSeen == shape.lastSeen ? "on \(shape.firstSeen)" : "\(shape.firstSeen) to \(shape.lastSeen)"
            print(
                "\n"
                    + Terminal.styled(
                        "\(shape.mails) mail\(shape.mails == 1 ? "" : "s") of \(shape.bank) that no template claims",
                        shape.isNew ? .yellow : .bold) + ", \(days), shape \(shape.id)")
            print("  " + Terminal.printable(String(shape.words.prefix(200))))
            switch nearest.look(at: shape) {
            case .gone: print("  " + Terminal.styled("the example's bytes are not kept", .dim))
            case .claimed(let template): print("  claimed by \(template) now")
            case .none: print("  no template of the bank comes near")
            case .near(let near):
                print("  nearest: \(near.template), stopped in \(near.step)")
                if let matched = near.matched, let stopped = near.stopped {
                    print(
                        "    " + Terminal.printable(String(matched.suffix(50))) + Terminal.styled(" >< ", .red)
                            + Terminal.printable(stopped))
                }
                if !near.missing.isEmpty {
                    print("    no more: " + Terminal.printable(near.missing.joined(separator: " ")))
                }
                if !near.new.isEmpty { print("    now:     " + Terminal.printable(near.new.joined(separator: " "))) }
            }
        }
        if shapes.contains(where: { $0.drafts > 0 }) {
            print(
                "\nThe mails wait in 'parserctl review list --shape SHAPE'; 'parserctl new' makes a template from such a mail."
            )
        }
        if !all {
            print(
                "\n"
                    + (money.count > shapes.count
                        ? "\(money.count - shapes.count) more forms, and everything" : "Everything")
                    + " that was counted: parserctl drift --all")
        }
    }
}

extension Drift.Alarm.Kind {
    /// As wide as the widest.
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

extension Share {
    var text: String { rate.map { "\(Int(($0 * 100).rounded())) % of \(whole)" } ?? "none" }
    var json: JSON { .object([("part", JSON(part)), ("of", JSON(whole)), ("rate", rate.map(JSON.number) ?? .null)]) }
}

extension Drift.Fill {
    fileprivate var text: String {
        func percent(_ share: Share) -> String { share.rate.map { "\(Int(($0 * 100).rounded())) %" } ?? "-" }
        return "\(field.rawValue) \(percent(recent)) (\(percent(before)))"
    }
}

extension Drift {
    /// What `status` prints for programs: the signs alone.
    var summary: JSON { .object(signs) }

    private var signs: [(String, JSON)] {
        [
            ("through", .string(through)), ("changed", JSON(changed)), ("new_shapes", JSON(shapes.count { $0.isNew })),
            (
                "alarms",
                .array(
                    alarms.map {
                        .object([
                            ("kind", .string($0.kind.rawValue)), ("bank", .string($0.bank)),
                            ("subject", .string($0.subject)), ("message", .string($0.message)),
                        ])
                    })
            ),
        ]
    }

    func json(_ nearest: NearestTemplate) -> JSON {
        .object(
            signs + [
                (
                    "banks",
                    .array(
                        banks.map {
                            .object(
                                [
                                    ("bank", .string($0.bank)), ("claimed_recent", $0.recent.json),
                                    ("claimed_before", $0.before.json), ("others_recent", JSON($0.otherRecent)),
                                ] + $0.silence.json)
                        })
                ),
                (
                    "templates",
                    .array(
                        templates.map { template in
                            .object(
                                [
                                    ("bank", .string(template.bank)), ("template", .string(template.template)),
                                    ("mails", JSON(template.mails)),
                                ] + template.silence.json + [
                                    (
                                        "fields",
                                        .object(
                                            template.fields.map {
                                                (
                                                    $0.field.rawValue,
                                                    .object([
                                                        ("recent", $0.recent.json), ("before", $0.before.json),
                                                        ("missing", .bool($0.isMissing)),
                                                    ])
                                                )
                                            })
                                    )
                                ])
                        })
                ),
                (
                    "unclaimed_shapes",
                    .array(
                        shapes.map { shape in
                            .object([
                                ("bank", .string(shape.bank)), ("shape", .string(shape.id)),
                                ("words", .string(shape.words)), ("mails", JSON(shape.mails)),
                                ("drafts", JSON(shape.drafts)),
                                ("first_seen", .string(shape.firstSeen)), ("last_seen", .string(shape.lastSeen)),
                                ("example", .string(shape.example)), ("new", .bool(shape.isNew)),
                                ("nearest", nearest.look(at: shape).json),
                            ])
                        })
                ),
            ])
    }
}

extension Drift.Silence {
    fileprivate var json: [(String, JSON)] {
        [
            ("first_seen", .string(firstSeen)), ("last_seen", .string(lastSeen)), ("usual_gap_days", JSON(usualGap)),
            ("silent_days", JSON(days)), ("silent", .bool(isOverdue)),
        ]
    }
}
