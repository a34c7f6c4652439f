import Chronology
import ChronologyFixture
import InternetMessage
import Ledger
import Profiles
import Settings
import Store
import Testing

@testable import Ingest

/// Messages of a sender who wants another payment booked than was made, or the daemon stopped.
///
/// The decision is that of the daemon. Cut anywhere, a message may be decided in any way but one: the forged amount is
/// never booked.
@Suite struct HostileMailTests {
    static let groups: [(name: String, mails: [HostileMail])] = [
        ("structure", HostileMail.structures), ("header", HostileMail.headers), ("sender", HostileMail.senders),
        ("results", HostileMail.results), ("encoding", HostileMail.encodings), ("charset", HostileMail.charsets),
        ("words", HostileMail.encodedWords), ("characters", HostileMail.characters),
        ("merchant", HostileMail.merchants), ("hidden", HostileMail.hiddenTexts),
        ("shown", HostileMail.shownTexts), ("size", HostileMail.sizes),
    ]

    @Test func enoughFixturesWithDifferentNames() {
        let names = Self.groups.flatMap { group in group.mails.map { "\(group.name): \($0.name)" } }
        #expect(names.count >= 300 && Set(names).count == names.count)
    }

    @Test(arguments: groups.indices) func outcomes(group: Int) throws {
        for mail in Self.groups[group].mails {
            let decision = try Self.decide(mail)
            let isMet = Self.meets(decision, mail.outcome)
            #expect(isMet, "\(mail.name): \(Self.summary(decision))")
        }
    }

    /// The first fifth of the message, two fifths and so on, and without its last bytes.
    @Test(arguments: groups.indices) func cutAnywhere(group: Int) throws {
        for mail in Self.groups[group].mails
        where mail.bytes.count < 100_000 && !Self.showForgeryIfCut.contains(mail.name) {
            let count = mail.bytes.count
            for end in (1..<5).map({ count * $0 / 5 }) + [count - 1, count - 2, count - 30] where end > 0 {
                let cut = HostileMail(mail.name, Array(mail.bytes.prefix(end)), mail.outcome)
                let decision = try Self.decide(cut)
                let isForged =
                    decision.outcome == .recorded && decision.draft?.amount.decimal == HostileMail.forgedAmount
                #expect(!isForged, "\(mail.name), cut at \(end)")
            }
        }
    }

    /// Messages whose first part is a whole message with the forged payment in sight.
    private static let showForgeryIfCut: Set = [
        "a forged plain form", "gone by a sheet that follows", "white by a sheet that follows",
    ]

    private static func decide(_ mail: HostileMail) throws -> Decision {
        var intake = try Sample.intake()
        intake.decisions.autoConfirmAt = Decision.usualThreshold
        let isAuthenticated = mail.name.hasPrefix(HostileMail.resultsMark)
        if isAuthenticated { intake.authentication = .pinned(authservID: "mx.example") }
        let place = MailLocation(mailbox: "personal", folder: "INBOX", uidValidity: 7, uid: 1)
        return intake.entry(for: mail.bytes, at: place, receivedAt: UnixTime(1_767_588_000)).decision
    }

    private static func meets(_ decision: Decision, _ expected: HostileMail.Outcome) -> Bool {
        let outcome = decision.outcome
        switch expected {
        case .booked(let amount, let merchant):
            return outcome == .recorded && decision.draft?.amount.decimal == amount
                && decision.draft?.merchant == merchant && decision.draft?.account == "4321"
        case .review: return outcome == .review
        case .doubted(let factor): return outcome == .review && decision.reasons.contains { $0.name == factor }
        case .ignored: return outcome == .ignored
        case .quarantined: return outcome == .quarantined
        case .unclaimed: return outcome == .unclaimed
        case .failed(let limit): return outcome == .failed && decision.failure?.description == "limit \(limit) hit"
        }
    }

    private static func summary(_ decision: Decision) -> String {
        let draft = decision.draft.map { "\($0.amount) at \($0.merchant ?? "-") of \($0.account ?? "-")" } ?? "no draft"
        return "\(decision.outcome), \(draft), \(decision.reasons.map(\.name)), \(decision.failure?.description ?? "")"
    }
}
