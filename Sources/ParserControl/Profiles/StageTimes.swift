import Ingest
import InternetMessage
import Ledger
import Profiles
import Store

/// Measures each step from the bytes of a mail to its row, with mails in memory.
struct StageTimes {
    /// The measured runs over every mail. `header` to `category` are the steps; a step that needs an earlier one
    /// includes it.
    private enum Run: CaseIterable {
        case header, authentication, parts, decoding, text, digest, claim, prefilter, match, decide, category, decision,
            whole, foreign
    }

    private let mails: [[UInt8]]
    private let messages: [Message]
    private let claims: [Claim]
    private let decisions: [Decision]
    private let intake: Intake
    /// Has no profiles: every mail is unclaimed.
    private let stranger: Intake
    /// Seconds for all mails in the fastest round, which other work disturbed least.
    private var best: [Run: Double] = [:]
    private(set) var rounds = 0

    init(_ mails: [[UInt8]], _ intake: Intake) throws {
        self.mails = mails
        self.intake = intake
        stranger = Intake(
            profiles: try ProfileSet(directories: []), rules: intake.rules,
            authentication: intake.authentication, decisions: intake.decisions)
        messages = mails.map { Message(parsing: $0) }
        claims = messages.map(intake.profiles.claim)
        decisions = claims.map { $0.decide(trusting: intake.authentication, receivedAt: nil) }
    }

    mutating func measureRound() {
        for run in Run.allCases {
            let watch = Stopwatch()
            for index in mails.indices { call(run, index) }
            best[run] = min(best[run] ?? .infinity, watch.seconds)
        }
        rounds += 1
    }

    private func call(_ run: Run, _ index: Int) {
        switch run {
        case .header: _ = Message(parsing: mails[index])
        case .authentication: _ = messages[index].authentication(intake.authentication)
        case .parts: _ = messages[index].findParts()
        case .decoding: _ = messages[index].decodeParts()
        case .text: _ = Message(parsing: mails[index]).text
        case .digest: _ = messages[index].digest()
        case .claim: _ = intake.profiles.claim(messages[index])
        case .prefilter: claims[index].prefilter()
        case .match: _ = claims[index].match()
        case .decide: _ = claims[index].decide(trusting: intake.authentication, receivedAt: nil)
        case .category: _ = decisions[index].categorized(by: intake.rules.categories)
        case .decision:
            _ = intake.profiles.claim(Message(parsing: mails[index])).decide(
                trusting: intake.authentication, receivedAt: nil)
        case .whole: enter(index, intake)
        case .foreign: enter(index, stranger)
        }
    }

    private func enter(_ index: Int, _ intake: Intake) {
        mails[index].withUnsafeBytes {
            _ = intake.entry(
                for: $0,
                at: MailLocation(
                    mailbox: "benchmark", folder: "INBOX", uidValidity: 1, uid: UInt32(truncatingIfNeeded: index)),
                receivedAt: nil)
        }
    }

    private func microseconds(_ run: Run, less others: Run...) -> Double {
        max(0, (best[run] ?? 0) - others.reduce(0) { $0 + (best[$1] ?? 0) }) / Double(mails.count) * 1e6
    }

    /// Microseconds per mail from its bytes to the decision, without the digest, the category and the row.
    var decision: Double { microseconds(.decision) }
    /// Microseconds per mail.
    var whole: Double { microseconds(.whole) }
    /// Microseconds per mail if no profile knows the sender.
    var foreign: Double { microseconds(.foreign) }

    /// Microseconds per mail for each step. The last is the rest of the whole: copies, the row, and cold caches.
    var steps: [(name: String, time: Double)] {
        var steps = [
            ("header", microseconds(.header)), ("authentication results", microseconds(.authentication)),
            ("MIME structure", microseconds(.parts)),
            ("transfer encoding, charset", microseconds(.decoding, less: .parts)),
            ("canonical text", microseconds(.text, less: .header, .decoding)),
            ("digest", microseconds(.digest)), ("sender", microseconds(.claim)),
            ("prefilter", microseconds(.prefilter)),
            ("templates", microseconds(.match, less: .prefilter)),
            ("fields, confidence", microseconds(.decide, less: .match, .authentication)),
            ("category", microseconds(.category)),
        ]
        steps.append(("copies, row, cold caches", max(0, whole - steps.reduce(0) { $0 + $1.1 })))
        return steps
    }
}
