import ArgumentParser
import Codecs
import Console
import Glibc
import InternetMessage
import Ledger
import ProfileAuthoring
import Profiles
import Settings
import Statements
import YAMLSource

struct Test: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract:
            "Run the samples in the profiles of mails and statements; with paths, also .eml files, mbox files and Maildirs.",
        discussion: "Exit status: 0 all hold, 1 cannot load, 2 a sample differs (a diff is shown), 3 nothing tested.")

    @Argument(help: "Mail files and folders to run through the profiles; - is standard input, a mail or an mbox file.")
    var paths: [String] = []
    @Flag(help: "With paths: also show how long each template's patterns take.")
    var times = false
    @Option(
        help: ArgumentHelp(
            "Also write the results of the samples as JUnit XML; - is standard output.", valueName: "file"))
    var junit: String?
    @Flag(help: "Write 'expect:' into the profiles for samples that have none.")
    var accept = false
    @Flag(help: "With --accept: also overwrite field values that differ.")
    var force = false
    @OptionGroup var reading: Reading
    @OptionGroup var locations: Locations

    func validate() throws {
        if !paths.isEmpty, accept || junit != nil {
            throw ValidationError("--accept and --junit are for the samples in the profiles: give no mails with them")
        }
        if force, !accept { throw ValidationError("--force needs --accept") }
        if times, paths.isEmpty { throw ValidationError("--times needs mails") }
        if junit == "-", reading.json || accept {
            throw ValidationError("--junit - uses standard output for the XML: leave out --json and --accept")
        }
    }

    func run() async throws {
        do {
            if paths.isEmpty {
                try runSamples()
            } else {
                try runArchives()
            }
        } catch let error as ExitCode {
            throw error
        } catch let error as ValidationError {
            throw error
        } catch {
            StandardError.write("parserctl: \(error)\n")
            throw Exit.failed
        }
    }

    private func runSamples() throws {
        var profiles = try locations.profiles()
        var results = profiles.checkSamples()
        var refused = 0
        if accept {
            let counts = try Accept(force: force, json: reading.json).run(results)
            refused = counts.refused
            if counts.written > 0 {
                profiles = try locations.profiles()
                results = profiles.checkSamples()
            }
            if !reading.json { Output.line("\(counts.written) written, \(refused) not") }
        }
        let statements = try StatementReader.checkSamples(profiles: locations.profileFolders())
        results += statements.map(SampleResult.init)
        try report(results, profiles, statementProfiles: Set(statements.map(\.profile)).count)
        if results.isEmpty { throw Exit.nothingTested }
        if refused > 0 || results.contains(where: { !$0.holds }) { throw Exit.differs }
    }

    private func report(_ results: [SampleResult], _ profiles: ProfileSet, statementProfiles: Int) throws {
        if let junit { try write(JUnit.document(results), to: junit) }
        let failed = results.filter { !$0.holds }
        if reading.json, !accept {
            for result in results { Output.line(json(of: result).text) }
        } else if !reading.json, junit != "-" {
            for result in failed { show(result) }
            let statements = statementProfiles > 0 ? " and \(statementProfiles) statement profiles" : ""
            Output.line(
                "\(results.count - failed.count) of \(results.count) samples hold, in \(profiles.templateCount) templates of \(profiles.banks.count) banks\(statements)"
            )
        }
    }

    private func show(_ result: SampleResult) {
        Output.line(
            "\(result.path):\(result.line): \(Terminal.styled(result.template, .bold)), sample '\(Terminal.printable(result.sample))'"
        )
        if result.isUnwritten {
            return Output.line(
                "  " + Terminal.printable(result.headline)
                    + (result.got.map { ": \(Terminal.printable($0.yaml.flow))" } ?? ""))
        }
        for (expected, got) in result.diff {
            Output.line("  " + Terminal.styled("- \(Terminal.printable(expected))", .red))
            Output.line("  " + Terminal.styled("+ \(Terminal.printable(got))", .green))
        }
    }

    private func json(of result: SampleResult) -> JSON {
        .object([
            ("template", .string(result.template)), ("sample", .string(result.sample)), ("file", .string(result.path)),
            ("line", JSON(result.line)),
            ("holds", .bool(result.holds)), ("has_expectation", .bool(!result.isUnwritten)),
            (
                "differences",
                .array(
                    result.differences.map {
                        .object([("field", .string($0.field)), ("got", JSON($0.got)), ("expected", JSON($0.expected))])
                    })
            ),
        ])
    }

    private func runArchives() throws {
        var report = ArchiveReport()
        try reading.decide(paths, by: ReadingRules(locations, .deferred)) { name, message, claim, decision, _ in
            report.add(name, subject: message.subject, claim, decision, timings: times ? claim.timings() : [])
            if reading.json { Output.line(JSON.object(decision.json(of: name)).text) } else { report.showProgress() }
        }
        if !reading.json { report.show() }
        if report.total == 0 { throw Exit.nothingTested }
    }

    private func write(_ text: String, to path: String) throws {
        if path == "-" { return Output.text(text) }
        func failure() -> SourceError {
            SourceError(
                file: path, message: "cannot be written: \(String(cString: strerror(errno)))",
                remedy: "Check the folder, and that this user may write there.")
        }
        guard let file = fopen(path, "we") else { throw failure() }
        let isWritten = fputs(text, file) >= 0
        guard fclose(file) == 0, isWritten else { throw failure() }
    }
}

extension SampleResult {
    /// A sample of a statement profile, which `--accept` leaves alone.
    fileprivate init(_ statement: StatementSampleResult) {
        self.init(
            bank: statement.bank, profile: statement.profile, sample: statement.sample,
            at: (statement.path, statement.line, statement.index),
            differences: statement.differences.map {
                Difference(field: $0.field, got: $0.got, expected: $0.expected)
            })
    }
}
