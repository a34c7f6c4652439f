import ArgumentParser
import Codecs
import Console
import Glibc
import Ingest
import InternetMessage
import Ledger
import ProfileAuthoring
import Profiles
import Review
import Settings

struct Explain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show the outcome of a mail with its reasons: fields, confidence, authenticity, category.",
        discussion:
            "A mail of the ledger is named by the number of its transaction, by its id as 'parserctl mails --json' and 'parserctl review list' show it, or by its Message-ID."
    )

    @Argument(help: "Mail files, mbox files, Maildirs or packed ones, or mails of the ledger.")
    var mails: [String]
    @Flag(help: "Show every template that does not claim the mail, and the whole text.")
    var all = false
    @Option(
        help: ArgumentHelp(
            "The files hold texts of SMS from this sender, such as VM-HDFCBK; - is standard input.",
            valueName: "header"))
    var sms: String?
    @Flag(help: "Verify the DKIM signatures and ARC seals of the mail, and show them. Looks their keys up in DNS.")
    var verify = false
    @OptionGroup var reading: Reading
    @OptionGroup var locations: Locations

    func validate() throws {
        if sms != nil, verify || reading.authentication.authservID != nil {
            throw ValidationError("--sms is for texts of SMS, which have no signature and no Authentication-Results")
        }
    }

    func run() async throws {
        try orExit {
            let rules = try ReadingRules(locations, .onDemand)
            if let sms {
                try reading.decide(smsFrom: sms, in: mails, by: rules, each: report)
            } else {
                try reading.decide(mails, by: rules, each: report)
            }
        }
    }

    /// The number of templates that are explained.
    private var nearest: Int { all ? .max : TemplateExplanation.usualCount }

    private func report(
        _ name: String, _ message: Message, _ claim: Claim, _ decision: Decision, _ policy: AuthenticationPolicy
    ) throws {
        let check = verify ? SignatureReport(message, claim, forwarders: policy.forwarders) : nil
        if reading.json {
            Output.line(claim.json(of: name, decision, nearest: nearest, check?.json ?? []).text)
        } else {
            show(name, message, claim, decision, check)
        }
    }

    private func show(
        _ name: String, _ message: Message, _ claim: Claim, _ decision: Decision, _ check: SignatureReport?
    ) {
        Output.line(Terminal.styled(Terminal.printable(name), .bold))
        func line(_ title: String, _ value: String?) {
            guard let value, !value.isEmpty else { return }
            Output.line(
                "  " + title + String(repeating: " ", count: max(1, 16 - title.count)) + Terminal.printable(value))
        }
        line("from", message.from.map(\.addrSpec).joined(separator: ", "))
        line("subject", message.subject)
        line("outcome", decision.outcome.rawValue + (decision.failure.map { ": \($0)" } ?? ""))
        line("bank", decision.bank)
        line("template", decision.template)
        line("authentication", decision.authentication)
        line("verified", check?.verdict)
        for signature in check?.lines ?? [] { line("signature", signature) }
        line("ARC", check?.seals)
        if let draft = decision.draft { show(draft) }
        line(
            "notice",
            decision.notice.map { notice in
                notice.kind.rawValue + ": "
                    + BankNotice.Field.allCases.compactMap { field in
                        notice.text(of: field).map { "\(field.rawValue) \($0)" }
                    }.joined(separator: ", ")
            })
        line("confidence", decision.profile == nil ? nil : "\((decision.confidence * 1000).rounded() / 1000)")
        for reason in decision.reasons {
            Output.line("    x \(reason.weight)  \(reason.name): \(Terminal.printable(reason.note))")
        }
        line(
            "category",
            decision.category.map {
                "\($0.mapping.category)" + ($0.mapping.subcategory.map { " / \($0)" } ?? "") + " (\($0.why))"
            })
        guard decision.profile != nil else { return }
        if TemplateName.template(decision.template) == nil {
            Output.line("  templates, the nearest first")
            let (nearest, others) = claim.explain(nearest: nearest)
            for explanation in nearest { show(explanation) }
            if others > 0 { Output.line("    and \(others) more: --all shows them") }
        }
        Output.line("  text")
        let lines = MarkedText(message.text.bytes, decision.draft?.spans ?? [:]).lines(inColour: Terminal.hasColour)
        for line in lines.prefix(all ? lines.count : 60) { Output.line("    | " + line) }
        if !all, lines.count > 60 { Output.line("    and \(lines.count - 60) lines more: --all shows them") }
    }

    private func show(_ draft: TransactionDraft) {
        Output.line("  fields")
        for field in Field.allCases {
            guard let value = draft.text(of: field) else { continue }
            let place =
                draft.spans[field].map { "bytes \($0.lowerBound)..<\($0.upperBound)" }
                ?? (draft.patterns[field] == .subject ? "in the subject" : "not printed")
            let shown = Terminal.printable(value)
            let how = place + (draft.patterns[field].map { ", \($0.name)" } ?? "")
            Output.line(
                "    \(field.rawValue)" + String(repeating: " ", count: 14 - field.rawValue.count) + shown
                    + String(repeating: " ", count: max(2, 34 - shown.count)) + Terminal.styled(how, .dim))
        }
    }

    /// Shows how far a template matches, and the words at which it stops.
    private func show(_ explanation: TemplateExplanation) {
        let place = explanation.line > 0 ? Terminal.styled("  \(explanation.path):\(explanation.line)", .dim) : ""
        if explanation.step == .claims { return Output.line("    \(explanation.template): would claim it") }
        guard let matched = explanation.matched else {
            return Output.line("    \(explanation.template): stopped in \(explanation.step.rawValue)\(place)")
        }
        let words = Terminal.printable(String(matched.suffix(60)).replacing("\n", with: " "))
        guard let stopped = explanation.stoppedAt else {
            return Output.line("    \(explanation.template): \(explanation.step.rawValue) finds '\(words)'\(place)")
        }
        Output.line("    \(explanation.template): stopped in \(explanation.step.rawValue)\(place)")
        Output.line(
            "      \(words)" + Terminal.styled(" >< ", .red)
                + (stopped.isEmpty ? Terminal.styled("the end of the line", .dim) : Terminal.printable(stopped)))
        if let wanted = explanation.wanted {
            Output.line("      " + Terminal.styled("it wanted \(Terminal.printable(wanted))", .dim))
        }
    }
}
