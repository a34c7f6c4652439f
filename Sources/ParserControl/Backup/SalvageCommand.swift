import ArgumentParser
import Backup
import Chronology
import Codecs
import Console
import Glibc
import Settings
import Store

/// Copies the readable rows of a damaged ledger to a new one.
struct Salvage: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "salvage",
        abstract: "Copy what can be read of a damaged ledger to a new one.",
        discussion: """
            Every table is read row by row around the damaged pages; the damaged ledger is only read. What belongs to a lost row is treated as if that row \
            had been deleted. If rows are missing, the next start reads the mailboxes again from their 'since' and books what is missing; what the ledger \
            has is not booked twice. A recent backup is often better: it also has what people changed. Stop spendwised before.
            """)
    @Option(help: "The new ledger. Default: LEDGER.salvaged-TIME.")
    var output: String?
    @Flag(help: "Put the new ledger in the place of the damaged one, which gets another name.")
    var replace = false
    @Flag(help: "Do not ask before the replacement.")
    var yes = false
    @OptionGroup var options: LedgerOptions

    func run() async throws {
        try orExit {
            let path = try options.locations.databasePath()
            guard !DatabasePath(path).isEmpty else { throw Refused("\(path) is empty: there is nothing to salvage") }
            try LedgerReplacement.refuseIfOpen(path)
            let target = output ?? "\(path).salvaged-\(BackupFolder.stamp(.now))"
            let report = try LedgerSalvage.run(path, to: target) { Terminal.progress("reading \($0)") }
            Terminal.progress(nil)
            if !options.json { show(report) }
            var kept: String?
            if replace, try isWanted() { kept = try install(target, over: path, report) }
            finish(report, target, path, kept)
        }
    }

    private func isWanted() throws -> Bool {
        if yes { return true }
        return try options.confirm("replace it with the new ledger?", unattended: "salvage replaces the ledger")
    }

    /// - Returns: the new name of the damaged ledger.
    private func install(_ target: String, over path: String, _ report: SalvageReport) throws -> String? {
        var kept: String?
        do {
            let ledger = try Store(path: target)
            // Part of what replaces the ledger, so that no crash leaves a salvaged ledger without it.
            let damaged = report.tables.count { !$0.isComplete }
            try ledger.audit.append(.byOperator("ledger salvaged: \(damaged) tables with losses"))
            if case .replacedDamaged(let name) = try Restoration.run(ledger, over: path, isDamaged: true) {
                kept = name
            }
        }
        LedgerFiles.remove(target)
        return kept
    }

    private func show(_ report: SalvageReport) {
        var table = Table([
            ("table", .left), ("rows", .right), ("lost", .right), ("invalid", .right), ("without parent", .right),
            ("references cleared", .right),
        ])
        for part in report.tables where part.rows > 0 || !part.isComplete {
            table.add([
                part.name, "\(part.rows)", part.lost.map { "\($0)" } ?? "unknown", "\(part.rejected)",
                "\(part.orphans)", "\(part.unlinked)",
            ])
        }
        table.print()
        Output.line()
    }

    private func finish(_ report: SalvageReport, _ target: String, _ path: String, _ kept: String?) {
        if options.json { return Output.line(object(report, kept == nil ? target : path, kept).text) }
        Output.line(
            report.isComplete
                ? "every row was read"
                : "rows are missing: the next start reads the mailboxes again and books what is missing")
        if let kept {
            Output.line("\(path): salvaged; the damaged ledger is kept as \(kept)\nStart spendwised again.")
        } else {
            Output.line("\(target): the new ledger; 'parserctl salvage --replace' puts one in the place of \(path)")
        }
    }

    private func object(_ report: SalvageReport, _ ledger: String, _ kept: String?) -> JSON {
        let tables = report.tables.map { table in
            JSON.object([
                ("table", .string(table.name)), ("rows", JSON(table.rows)), ("lost", JSON(table.lost)),
                ("invalid", JSON(table.rejected)), ("without_parent", JSON(table.orphans)),
                ("references_cleared", JSON(table.unlinked)), ("damaged", .bool(table.isDamaged)),
            ])
        }
        return .object([
            ("ledger", .string(ledger)), ("complete", .bool(report.isComplete)), ("damaged_ledger", JSON(kept)),
            ("tables", .array(tables)),
        ])
    }
}
