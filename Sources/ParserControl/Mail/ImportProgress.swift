import Console
import Ingest
import Settings

/// The progress of an import: a bar on a terminal, a line from time to time elsewhere.
struct ImportProgress {
    /// Bytes; 0 if unknown, as for a pipe.
    let total: Int64
    let isQuiet: Bool
    private let begun: ContinuousClock.Instant
    private var shownAt: ContinuousClock.Instant
    private var calls = 0

    private static let interval = Duration.milliseconds(200)
    private static let lineInterval = Duration.seconds(10)

    init(total: Int64, isQuiet: Bool) {
        self.total = total
        self.isQuiet = isQuiet
        begun = .now
        shownAt = begun
    }

    mutating func show(_ summary: ImportSummary) {
        // Reading the clock for every mail would cost more than most mails do.
        calls += 1
        guard calls % 32 == 0 || summary.fromBanks > 0 && calls % 8 == 0 else { return }
        let now = ContinuousClock.now
        guard now - shownAt > (Terminal.isErrorTerminal ? Self.interval : Self.lineInterval) else { return }
        shownAt = now
        let line = line(summary, seconds: (now - begun) / .seconds(1), isTerminal: Terminal.isErrorTerminal)
        if Terminal.isErrorTerminal {
            Terminal.progress(line)
        } else if !isQuiet {
            StandardError.write("parserctl: " + line + "\n")
        }
    }

    func finish() { Terminal.progress(nil) }

    func line(_ summary: ImportSummary, seconds: Double, isTerminal: Bool) -> String {
        let rate = Double(summary.bytes - summary.resumedBytes) / max(seconds, 0.001)
        var line = ""
        if total > 0 {
            let share = min(1, Double(summary.bytes) / Double(total))
            if isTerminal {
                let filled = Int(share * 20)
                line = "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: 20 - filled) + "] "
            }
            line += "\(Int(share * 100)) % "
        }
        line +=
            "\(Size(summary.bytes))" + (total > 0 ? " of \(Size(total))" : "")
            + ", \(summary.mails) mails, \(summary.rows) rows, \(Size(Int64(rate)))/s"
        if total > summary.bytes, rate > 0 {
            line += ", \(Int((Double(total - summary.bytes) / rate).rounded(.up))) s left"
        }
        return line
    }
}

/// A number of bytes in a readable unit.
struct Size: CustomStringConvertible {
    let bytes: Int64
    init(_ bytes: Int64) { self.bytes = bytes }

    var description: String {
        var value = Double(bytes)
        for unit in ["B", "kB", "MB"] {
            let shown = unit == "B" ? value : (value * 10).rounded() / 10
            // Not `1000.0 kB`.
            if shown < 1000 { return unit == "B" ? "\(bytes) B" : "\(shown) \(unit)" }
            value /= 1000
        }
        return "\((value * 100).rounded() / 100) GB"
    }
}
