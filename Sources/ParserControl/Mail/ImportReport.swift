import Codecs
import Console
import Ingest
import Ledger

/// The result of an import, with what is left to do.
struct ImportReport {
    let summary: ImportSummary
    let isInterrupted: Bool
    let seconds: Double
    /// The name whose Authentication-Results counted.
    let authservID: String?
    /// The outcomes of a dry run.
    let dryRun: DryRunList?

    private var isDryRun: Bool { dryRun != nil }

    var json: JSON {
        func counts(_ outcomes: [Outcome: Int]) -> JSON {
            .object(Outcome.allCases.map { ($0.rawValue, JSON(outcomes[$0] ?? 0)) })
        }
        return .object([
            ("mails", JSON(summary.mails)), ("bytes", JSON(summary.bytes)),
            ("resumed_bytes", JSON(summary.resumedBytes)),
            ("from_banks", JSON(summary.fromBanks)), ("new", counts(summary.outcomes)), ("known", JSON(summary.known)),
            ("changed", counts(summary.changed)),
            ("authserv_ids", .object(summary.authservIDs.sorted { $0.key < $1.key }.map { ($0.key, JSON($0.value)) })),
            (
                "faults",
                .array(summary.faults.map { .object([("path", .string($0.path)), ("error", .string($0.message))]) })
            ),
            ("no_mail", JSON(summary.otherCount)), ("each", dryRun.map { .array($0.objects) } ?? .null),
            ("authserv_id", JSON(authservID)), ("dry_run", .bool(isDryRun)), ("interrupted", .bool(isInterrupted)),
            ("seconds", .number(seconds)),
        ])
    }

    var text: String {
        var lines: [String] = []
        let outcomes = Outcome.allCases.compactMap { outcome in
            summary.outcomes[outcome].map { "\($0) \(outcome.rawValue)" }
        }
        lines.append(
            "\(summary.mails) mails in \(Size(summary.bytes)), \(summary.fromBanks) of banks: "
                + (outcomes.isEmpty ? "nothing new" : outcomes.joined(separator: ", "))
                + (summary.known > 0 ? "; \(summary.known) known already" : "")
                + (isDryRun ? " (a dry run: nothing was written)" : ""))
        let changed = Outcome.allCases.compactMap { outcome in
            summary.changed[outcome].map { "\($0) now \(outcome.rawValue)" }
        }
        if !changed.isEmpty { lines.append("known ones decided again: " + changed.joined(separator: ", ")) }
        lines.append(
            "\((seconds * 10).rounded() / 10) s, \(Size(Int64(Double(summary.bytes - summary.resumedBytes) / max(seconds, 0.001))))/s, \(Int(Double(summary.mails) / max(seconds, 0.001))) mails a second"
        )
        if isInterrupted {
            lines += ["", "Interrupted. What was read is stored; the same command continues from here."]
        }
        for fault in summary.faults.prefix(10) { lines.append("not read: \(Terminal.printable(fault.description))") }
        if summary.faults.count > 10 { lines.append("and \(summary.faults.count - 10) more files") }
        lines += others + quarantine
        if let count = summary.outcomes[.review], count > 0 {
            lines += ["", isDryRun ? "\(count) would wait for you" : "\(count) wait for you: parserctl review list"]
        }
        if let count = summary.outcomes[.failed], count > 0 {
            lines += ["", "\(count) could not be processed" + (isDryRun ? "" : ": parserctl retry lists them")]
        }
        return lines.joined(separator: "\n")
    }

    /// The files that are no mail; one that was given itself is among the faults.
    private var others: [String] {
        let named = summary.others.filter { other in !summary.faults.contains { $0.path == other.path } }
        guard let first = named.first else { return [] }
        return [
            "\(summary.otherCount) files are not mail and were left out, such as \(Terminal.printable(first.description))"
        ]
    }

    /// The reason for quarantined mails, and the remedy.
    private var quarantine: [String] {
        let count = (summary.outcomes[.quarantined] ?? 0) + (summary.changed[.quarantined] ?? 0)
        guard count > 0 else { return [] }
        let names = summary.authservIDs.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let named = names.prefix(4).map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
        if let id = authservID {
            return [
                "", "\(count) mails that claim to be from a bank are quarantined: \(id) did not authenticate them.",
            ]
                + (names.contains { $0.key == id } || names.isEmpty
                    ? isDryRun ? [] : ["See them with 'parserctl mails --outcome quarantined'."]
                    : [
                        "The checks in them are by: \(named). If one of these is your provider, import again with its name."
                    ])
        }
        var lines = [
            "",
            "\(count) mails that claim to be from a bank are quarantined, because no authserv-id is given.",
        ]
        if let first = names.first {
            lines.append(
                "Checks in them are by: \(named). If that is the provider that received this mail, import again with --authserv-id \(first.key)."
            )
        } else {
            lines.append("They have no check by a mail provider.")
        }
        lines.append("If you are sure that no forged mail is among them: --trust-delivery. Nothing is booked twice.")
        return lines
    }
}
