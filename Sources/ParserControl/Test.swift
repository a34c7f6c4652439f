import ArgumentParser
import Glibc
import Ingest
import Ledger
import Profiles
import Settings

struct Test: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the samples in the profiles; with paths, also .eml files, mbox files and Maildirs.",
        discussion: "Exit status: 0 all hold, 1 cannot load, 2 a sample differs (a diff is shown), 3 nothing tested.")

    @Argument(help: "Mail files and folders to run through the profiles.")
    var paths: [String] = []
    @Flag(help: "With paths: also show how long each template's patterns take.")
    var times = false
    @OptionGroup var reading: Reading
    @OptionGroup var locations: Locations

    func run() async throws {
        let profiles: ProfileSet
        let categories: CategoryRules
        do {
            profiles = try locations.profiles()
            categories = try locations.categories()
        } catch {
            StandardError.write("parserctl: \(error)\n")
            throw Exit.cannotLoad
        }
        if !paths.isEmpty { return try runArchives(profiles, categories) }
        let results = profiles.checkSamples()
        let failed = results.filter { !$0.holds }
        if reading.json {
            for result in results { print(json(of: result).text) }
        } else {
            for result in failed { show(result) }
            let templates = profiles.banks.reduce(0) { $0 + $1.templates.count }
            print("\(results.count - failed.count) of \(results.count) samples hold, in \(templates) templates of \(profiles.banks.count) banks")
        }
        if results.isEmpty { throw Exit.nothingTested }
        if !failed.isEmpty { throw Exit.differs }
    }

    private func show(_ result: SampleResult) {
        print("\(result.path):\(result.line): \(Terminal.styled(result.template, .bold)), sample '\(Terminal.printable(result.sample))'")
        for difference in result.differences {
            print("  " + Terminal.styled("- \(difference.field): \(Terminal.printable(difference.expected ?? "nothing"))", .red))
            print("  " + Terminal.styled("+ \(difference.field): \(Terminal.printable(difference.got ?? "nothing"))", .green))
        }
    }

    private func json(of result: SampleResult) -> JSON {
        .object([
            ("template", .string(result.template)), ("sample", .string(result.sample)), ("file", .string(result.path)), ("line", JSON(result.line)),
            ("holds", .bool(result.holds)),
            ("differences", .array(result.differences.map { .object([("field", .string($0.field)), ("got", JSON($0.got)), ("expected", JSON($0.expected))]) })),
        ])
    }

    private func runArchives(_ profiles: ProfileSet, _ categories: CategoryRules) throws {
        var counts: [Outcome: Int] = [:]
        var templates: [String: Int] = [:]
        var unread: [String] = []
        var total = 0
        var spent: [String: Duration] = [:]
        do {
            try reading.decide(paths, profiles, categories) { name, _, claim, decision in
                total += 1
                if times { for (template, time) in claim.timings() { spent[template, default: .zero] += time } }
                counts[decision.outcome, default: 0] += 1
                if let template = decision.template { templates[template, default: 0] += 1 }
                if decision.template == "generic", decision.outcome == .review { unread.append(name) }
                if reading.json { print(JSON.object(decision.json(of: name)).text) }
            }
        } catch let fault as MailArchive.Fault {
            StandardError.write("parserctl: \(fault)\n")
            throw Exit.cannotLoad
        }
        if !reading.json {
            var table = Table([("template", .left), ("mails", .right)])
            for (template, count) in templates.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) { table.add([template, "\(count)"]) }
            if !table.rows.isEmpty { table.print() }
            if times, total > 0 {
                print("\nmicroseconds a mail, all of them counted")
                var slow = Table([("template", .left), ("us", .right)])
                for (template, time) in spent.sorted(by: { $0.value > $1.value }).prefix(40) {
                    slow.add([template, "\((time / total / Duration.nanoseconds(100)).rounded() / 10)"])
                }
                slow.print()
            }
            for name in unread { print("no template reads \(Terminal.printable(name))") }
            let summary = Outcome.allCases.compactMap { outcome in counts[outcome].map { "\($0) \(outcome.rawValue)" } }.joined(separator: ", ")
            print("\(total) mails: \(summary.isEmpty ? "none" : summary)")
        }
        if total == 0 { throw Exit.nothingTested }
    }
}
