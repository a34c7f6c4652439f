import ArgumentParser
import Codecs
import Console
import Ledger
import Store

struct Calibrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract:
            "Show how reliable the confidence is by your decisions on drafts, and suggest a threshold for each bank."
    )

    @Option(help: "Only this bank, by its key, such as hdfc.")
    var bank: String?
    @Option(help: "The proportion of right drafts, with 95 % certainty, that a suggested threshold needs.")
    var target = Calibration.target
    @OptionGroup var options: LedgerOptions

    func validate() throws {
        guard target > 0, target < 1 else {
            throw ValidationError("--target is a proportion between 0 and 1, such as 0.95")
        }
    }

    func run() async throws {
        try options.read { store in
            Terminal.progress("reading the transactions")
            let banks = try store.statistics.calibration().banks.filter { bank == nil || $0.bank == bank }
            Terminal.progress(nil)
            if options.json { return banks.forEach { Output.line($0.json(target).text) } }
            if banks.isEmpty {
                return Output.line(
                    "no decisions yet: decide some drafts with 'parserctl review', or leave booked ones unchanged for \(Calibration.settlingDays) days"
                )
            }
            for (index, bank) in banks.enumerated() {
                if index > 0 { Output.line("") }
                show(bank)
            }
        }
    }

    private func show(_ bank: Calibration.Bank) {
        Output.line(Terminal.styled(Terminal.printable(bank.bank), .bold) + "  \(bank.settled) drafts decided")
        var table = Table([
            ("confidence", .left), ("accepted", .right), ("unchanged", .right), ("corrected", .right),
            ("rejected", .right), ("right", .right), ("95 % between", .left), ("0 %     50 %    100 %", .left),
            ("corrected fields", .left),
        ])
        for bin in bank.bins {
            let interval = bin.right.interval
            table.add([
                "\(Self.decimal(bin.from))-\(Self.decimal(bin.to))", "\(bin.accepted)", "\(bin.untouched)",
                "\(bin.corrected)", "\(bin.rejected)", Self.percent(bin.right.rate ?? 0),
                "\(Self.percent(interval.lowerBound)) and \(Self.percent(interval.upperBound))", Self.plot(bin.right),
                bin.fields.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }.map {
                    "\($0.key.rawValue) \($0.value)"
                }.joined(separator: ", "),
            ])
        }
        table.print()
        if let suggestion = bank.suggestion(target: target) {
            Output.line(
                "suggested: auto_confirm_at \(Self.shown(suggestion.value)): would have booked \(suggestion.right.whole), of these \(suggestion.wronglyBooked) wrongly"
            )
        } else {
            let best = bank.thresholds.max { $0.right.interval.lowerBound < $1.right.interval.lowerBound }
            let reached =
                best.map {
                    "at best \(Self.percent($0.right.interval.lowerBound)) from \(Self.shown($0.value)) on, \($0.wronglyBooked) of \($0.right.whole) wrong"
                } ?? "none can be booked"
            Output.line("no threshold is known to book \(Self.percent(target)) correctly: \(reached)")
        }
    }

    /// 21 columns: the rate within its interval.
    static func plot(_ share: Proportion) -> String {
        let last = 20.0
        let interval = share.interval
        let (low, high) = (Int((interval.lowerBound * last).rounded()), Int((interval.upperBound * last).rounded()))
        let rate = Int(((share.rate ?? 0) * last).rounded())
        return String((0...Int(last)).map { $0 == rate ? "●" : (low...high).contains($0) ? "─" : "·" })
    }

    static func percent(_ value: Double) -> String { "\(Int((value * 100).rounded())) %" }

    /// Two decimals.
    static func decimal(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }

    /// A confidence as a threshold that it reaches: cut, not rounded, at four decimals.
    static func shown(_ value: Double) -> String { "\((value * 10_000 + 1e-6).rounded(.down) / 10_000)" }
}

extension Calibration.Bank {
    func json(_ target: Double) -> JSON {
        func threshold(_ threshold: Calibration.Threshold) -> JSON {
            .object([
                ("auto_confirm_at", .number(threshold.value)), ("would_book", JSON(threshold.right.whole)),
                ("wrongly", JSON(threshold.wronglyBooked)),
                ("right_at_least", .number(threshold.right.interval.lowerBound)),
            ])
        }
        return .object([
            ("bank", .string(bank)), ("settled", JSON(settled)),
            (
                "bins",
                .array(
                    bins.map { bin in
                        .object([
                            ("from", .number(bin.from)), ("to", .number(bin.to)), ("accepted", JSON(bin.accepted)),
                            ("untouched", JSON(bin.untouched)), ("corrected", JSON(bin.corrected)),
                            ("rejected", JSON(bin.rejected)), ("right", bin.right.rate.map(JSON.number) ?? .null),
                            ("right_from", .number(bin.right.interval.lowerBound)),
                            ("right_to", .number(bin.right.interval.upperBound)),
                            (
                                "corrected_fields",
                                .object(
                                    bin.fields.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                                        ($0.key.rawValue, JSON($0.value))
                                    })
                            ),
                        ])
                    })
            ),
            ("thresholds", .array(thresholds.map(threshold))),
            ("suggested", suggestion(target: target).map(threshold) ?? .null),
        ])
    }
}
