import Ledger
import Testing

@testable import Ingest
@testable import ParserControl

/// The line of progress of an import.
@Suite struct ImportProgressTests {
    struct Case: Sendable {
        let total: Int64
        let bytes: Int64
        var resumed: Int64 = 0
        var seconds = 10.0
        let line: String
        var bar = ""
    }

    static let cases = [
        Case(
            total: 2_000_000_000, bytes: 500_000_000,
            line: "25 % 500.0 MB of 2.0 GB, 1234 mails, 56 rows, 50.0 MB/s, 30 s left", bar: "[#####---------------] "),
        Case(
            total: 2_000_000_000, bytes: 0, seconds: 0, line: "0 % 0 B of 2.0 GB, 1234 mails, 56 rows, 0 B/s",
            bar: "[--------------------] "),
        Case(
            total: 2_000_000_000, bytes: 2_000_000_000, line: "100 % 2.0 GB of 2.0 GB, 1234 mails, 56 rows, 200.0 MB/s",
            bar: "[####################] "),
        // Resumed bytes do not count for the rate.
        Case(
            total: 2_000_000, bytes: 1_500_000, resumed: 1_000_000,
            line: "75 % 1.5 MB of 2.0 MB, 1234 mails, 56 rows, 50.0 kB/s, 10 s left", bar: "[###############-----] "),
        // The file has grown since.
        Case(
            total: 1000, bytes: 1500, line: "100 % 1.5 kB of 1.0 kB, 1234 mails, 56 rows, 150 B/s",
            bar: "[####################] "),
        // A pipe has no size.
        Case(total: 0, bytes: 999, line: "999 B, 1234 mails, 56 rows, 99 B/s"),
        // 100 % only with the last byte.
        Case(
            total: 1_000_000, bytes: 999_999, line: "99 % 1.0 MB of 1.0 MB, 1234 mails, 56 rows, 100.0 kB/s, 1 s left",
            bar: "[###################-] "),
    ]

    @Test(arguments: cases) func formatsTheLine(item: Case) {
        var summary = ImportSummary()
        (summary.bytes, summary.resumedBytes, summary.mails, summary.outcomes) = (
            item.bytes, item.resumed, 1234, [.recorded: 50, .duplicate: 6]
        )
        let progress = ImportProgress(total: item.total, isQuiet: false)
        #expect(progress.line(summary, seconds: item.seconds, isTerminal: false) == item.line)
        #expect(progress.line(summary, seconds: item.seconds, isTerminal: true) == item.bar + item.line)
    }

    @Test(
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (999_949, "999.9 kB"), (999_950, "1.0 MB"),
            (1_500_000, "1.5 MB"), (999_999_999, "1.0 GB"), (2_345_000_000, "2.35 GB"),
        ] as [(Int64, String)])
    func formatsBytes(bytes: Int64, text: String) {
        #expect(Size(bytes).description == text)
    }
}
