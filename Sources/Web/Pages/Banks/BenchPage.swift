import Hummingbird
import InternetMessage
import Ledger
import ProfileAuthoring
import Profiles
import Store

/// The test bench: shows how a pasted mail would be read. Nothing is stored.
enum BenchPage {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/banks/test", on: router) { call in
            let profiles = pages.services.profiles()
            return try await pages.show(.testBench, call) { _ in
                BenchView(profiles, mail: "", bank: nil, subject: "", result: nil)
            }
        }
        pages.post("/app/banks/test", on: router) { call in
            let (mail, bank, subject) = (
                call.form["mail"] ?? "", call.form.text("bank"), call.form.text("subject") ?? ""
            )
            let profiles = pages.services.profiles()
            let sender = profiles.banks.first { $0.key == bank }.flatMap { bank in
                bank.addresses.sorted().first ?? bank.domains.first.map { "alerts@\($0)" }
            }
            let bytes = Self.bytes(mail, from: sender, subject: subject)
            let result =
                mail.allSatisfy(\.isWhitespace)
                ? nil : try await pages.services.ledger { try BenchResult(bytes, profiles, $0) }
            let view = BenchView(profiles, mail: mail, bank: bank, subject: subject, result: result)
            return try await pages.show(.testBench, call) { _ in view }
        }
    }

    /// Returns the pasted mail; if only its text was pasted, with a header of the chosen bank.
    static func bytes(_ text: String, from sender: String?, subject: String) -> [UInt8] {
        guard let sender else { return Array(text.utf8) }
        let title = String(subject.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) })
        return Array(
            "From: \(sender)\r\nSubject: \(title)\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\(text)"
                .utf8)
    }
}

struct BenchResult: Sendable {
    struct FieldLine: Sendable {
        var field: String
        var value: String
        var how: String
    }

    struct Near: Sendable {
        var template: String
        var step: String
        var matched: String?
        var stopped: String?
    }

    var outcome: String
    var meaning: String
    var bank: String?
    var template: String?
    var confidence: String?
    var fields: [FieldLine]
    var reasons: [ReasonLine]
    var category: String?
    var pieces: [MarkedPiece]
    var near: [Near]

    init(_ bytes: [UInt8], _ profiles: ProfileSet, _ store: Store) throws {
        let message = Message(parsing: bytes)
        let claim = profiles.claim(message)
        let decision = try store.dated(claim.decide(trusting: .unverified, receivedAt: nil))
            .categorized(by: store.categories.rules())
        outcome = decision.outcome.rawValue
        meaning = Self.meaning(decision)
        bank = decision.bank
        template = decision.template
        confidence = decision.draft == nil ? nil : PercentText.text(decision.confidence)
        fields = Field.allCases.compactMap { field in
            guard let draft = decision.draft, var value = draft.text(of: field) else { return nil }
            if field == .channel { value = draft.channel.words }
            return FieldLine(
                field: field.rawValue, value: value,
                how: draft.patterns[field]?.name
                    ?? (draft.spans[field] == nil
                        ? PageText.of("test-bench.not-printed") : PageText.of("test-bench.common-words")))
        }
        reasons = decision.reasons.map(ReasonLine.init)
        category = decision.category?.why
        pieces = MarkedPiece.pieces(of: message.text.bytes, decision.draft?.spans ?? [:])
        near =
            decision.isWithoutTemplate
            ? claim.explain(nearest: TemplateExplanation.usualCount).nearest.map {
                Near(
                    template: $0.template, step: $0.step.rawValue, matched: $0.matched.map { String($0.suffix(60)) },
                    stopped: $0.stoppedAt)
            } : []
    }

    private static func meaning(_ decision: Decision) -> String {
        switch decision.outcome {
        case .recorded: PageText.of("test-bench.recorded")
        case .review:
            decision.draft == nil
                ? PageText.of("test-bench.no-amount") : PageText.of("test-bench.review")
        case .ignored:
            PageText.of(
                "test-bench.ignored",
                ["reason": decision.reasons.first.map(ReasonText.note) ?? PageText.of("test-bench.no-transaction")])
        case .unclaimed:
            PageText.of("test-bench.unclaimed")
        case .quarantined:
            PageText.of(
                "test-bench.quarantined",
                ["reason": decision.reasons.first.map(ReasonText.note) ?? PageText.of("test-bench.untrusted")])
        case .failed:
            PageText.of(
                "test-bench.failed", ["reason": decision.failure?.description ?? PageText.of("test-bench.limit")])
        case .duplicate: PageText.of("test-bench.copy")
        }
    }
}

struct BenchView {
    var mail: String
    var subject: String
    var bankChoices: [SelectChoice]
    var result: BenchResult?

    init(_ profiles: ProfileSet, mail: String, bank: String?, subject: String, result: BenchResult?) {
        self.mail = mail
        self.subject = subject
        self.result = result
        bankChoices =
            [SelectChoice("", PageText.of("test-bench.as-in-the-mail"), chosen: bank ?? "")]
            + profiles.banks.sorted { $0.name < $1.name }.map { SelectChoice($0.key, $0.name, chosen: bank) }
    }
}
