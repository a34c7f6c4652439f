import ArgumentParser
import Codecs
import Console
import Ingest
import InternetMessage
import Ledger
import Profiles
import Settings
import Store

/// Measures the daemon's work on a mail, without network and database.
struct Benchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "benchmark",
        abstract: "Measure the time of each step of reading mails, and the memory.",
        discussion:
            "Uses mails of known banks only, up to 64 MiB. Times are CPU time of one core in the fastest round.",
        shouldDisplay: false)

    @Argument(help: "Mail files, mbox files and Maildirs.")
    var paths: [String]
    @Option(help: "The approximate duration in seconds.")
    var seconds = 10.0
    @Option(
        help: ArgumentHelp("The number of mails over which the memory is measured; 0 for none.", valueName: "mails"))
    var memory = 100_000
    @OptionGroup var reading: Reading
    @OptionGroup var locations: Locations

    /// The maximum number of bytes that are held in memory.
    static let maximumBytes = 64 << 20

    func run() async throws {
        let profiles = try locations.profiles()
        let mails = try load(profiles)
        guard !mails.isEmpty else { throw Exit.nothingTested }
        let intake = Intake(
            profiles: profiles, rules: try locations.rules(try? locations.store()),
            authentication: reading.authentication.policy ?? .unverified,
            decisions: DecisionSettings(keepsSettled: .nothing))
        let resident = watchMemory(mails, intake)
        var times = try StageTimes(mails, intake)
        let watch = Stopwatch()
        while times.rounds < 3 || watch.seconds < seconds { times.measureRound() }
        if reading.json { Output.line(json(mails, times, resident).text) } else { show(mails, times, resident) }
    }

    private func load(_ profiles: ProfileSet) throws -> [[UInt8]] {
        var mails: [[UInt8]] = []
        var bytes = 0
        for path in paths {
            try MailArchive.read(path) { _, mail in
                guard bytes < Self.maximumBytes, profiles.claim(Message(parsing: mail)).sender.bank != nil else {
                    return
                }
                mails.append(mail)
                bytes += mail.count
            }
        }
        return mails
    }

    /// Resident bytes after a tenth, half and all of the mails.
    private func watchMemory(_ mails: [[UInt8]], _ intake: Intake) -> [(mails: Int, bytes: Int)] {
        guard memory > 0 else { return [] }
        var seen = [(mails: 0, bytes: ResidentMemory.bytes)]
        for number in 1...memory {
            let index = number % mails.count
            mails[index].withUnsafeBytes {
                _ = intake.entry(
                    for: $0,
                    at: MailLocation(
                        mailbox: "benchmark", folder: "INBOX", uidValidity: 1, uid: UInt32(truncatingIfNeeded: number)),
                    receivedAt: nil)
            }
            if [memory / 10, memory / 2, memory].contains(number) { seen.append((number, ResidentMemory.bytes)) }
        }
        return seen
    }

    private func show(_ mails: [[UInt8]], _ times: StageTimes, _ resident: [(mails: Int, bytes: Int)]) {
        var table = Table([("step", .left), ("us a mail", .right), ("share", .right), ("mails a second", .right)])
        func add(_ name: String, _ time: Double) {
            table.add([
                name, hundredths(time), "\(Int((time / times.whole * 100).rounded())) %",
                time > 0 ? "\(Int(1e6 / time))" : "-",
            ])
        }
        for step in times.steps { add(step.name, step.time) }
        add("to the decision", times.decision)
        add("whole", times.whole)
        add("whole, not a bank's", times.foreign)
        table.print()
        Output.line(
            "\(mails.count) mails of \(mails.reduce(0) { $0 + $1.count } / mails.count) bytes, fastest of \(times.rounds) rounds, CPU time of one core"
        )
        for (count, bytes) in resident {
            Output.line("resident after \(count) mails: \(hundredths(Double(bytes) / 1_048_576)) MiB")
        }
    }

    private func hundredths(_ value: Double) -> String {
        let number = Int((value * 100).rounded())
        return "\(number / 100).\(number % 100 / 10)\(number % 10)"
    }

    private func json(_ mails: [[UInt8]], _ times: StageTimes, _ resident: [(mails: Int, bytes: Int)]) -> JSON {
        .object([
            ("mails", JSON(mails.count)), ("bytes", JSON(mails.reduce(0) { $0 + $1.count })),
            ("rounds", JSON(times.rounds)),
            ("steps", .object(times.steps.map { ($0.name, .number($0.time)) })),
            ("decision_us", .number(times.decision)), ("whole_us", .number(times.whole)),
            ("not_a_bank_us", .number(times.foreign)),
            ("mails_per_second", .number(1e6 / times.whole)),
            ("resident", .array(resident.map { .object([("mails", JSON($0.mails)), ("bytes", JSON($0.bytes))]) })),
        ])
    }
}
