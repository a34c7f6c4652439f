import ArgumentParser
import Glibc
import Ingest
import InternetMessage
import Ledger
import Profiles
import Settings

struct Explain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Say what becomes of a mail and why: fields, confidence, authenticity, category.")

    @Argument(help: "Mail files, mbox files or Maildirs.")
    var paths: [String]
    @OptionGroup var reading: Reading
    @OptionGroup var locations: Locations

    func run() async throws {
        do {
            let profiles = try locations.profiles()
            try reading.decide(paths, profiles, try locations.categories()) { name, message, claim, decision in
                if reading.json {
                    print(JSON.object(decision.json(of: name) + [("templates", templates(claim, decision))]).text)
                } else {
                    show(name, message, claim, decision)
                }
            }
        } catch let error as ValidationError {
            throw error
        } catch {
            StandardError.write("parserctl: \(error)\n")
            throw Exit.cannotLoad
        }
    }

    /// How far each template came, where none claims the mail.
    private func templates(_ claim: Claim, _ decision: Decision) -> JSON {
        guard decision.template == "generic" || decision.template == nil else { return .array([]) }
        return .array(
            claim.explain().map {
                .object([
                    ("template", .string($0.template)), ("step", .string($0.step.rawValue)), ("matched", JSON($0.matched)), ("stopped_at", JSON($0.stoppedAt)),
                ])
            })
    }

    private func show(_ name: String, _ message: Message, _ claim: Claim, _ decision: Decision) {
        print(Terminal.styled(Terminal.printable(name), .bold))
        func line(_ title: String, _ value: String?) {
            guard let value, !value.isEmpty else { return }
            print("  " + title + String(repeating: " ", count: max(1, 16 - title.count)) + Terminal.printable(value))
        }
        line("from", message.from.map(\.addrSpec).joined(separator: ", "))
        line("subject", message.subject)
        line("outcome", decision.outcome.rawValue + (decision.failure.map { ": \($0)" } ?? ""))
        line("bank", decision.bank)
        line("template", decision.template)
        line("authentication", decision.authentication)
        if let draft = decision.draft {
            print("  fields")
            for field in Field.allCases {
                guard let value = draft.text(of: field) else { continue }
                let place = draft.spans[field].map { "bytes \($0.lowerBound)..<\($0.upperBound)" } ?? "not printed"
                let shown = Terminal.printable(value)
                print("    \(field.rawValue)" + String(repeating: " ", count: 14 - field.rawValue.count) + shown + String(repeating: " ", count: max(2, 34 - shown.count)) + Terminal.styled(place, .dim))
            }
        }
        line("confidence", decision.profile == nil ? nil : "\((decision.confidence * 1000).rounded() / 1000)")
        for reason in decision.reasons { print("    x \(reason.weight)  \(reason.factor): \(Terminal.printable(reason.note))") }
        line("category", decision.category.map { "\($0.mapping.category)" + ($0.mapping.subcategory.map { " / \($0)" } ?? "") + " (\($0.why))" })
        guard decision.profile != nil else { return }
        if decision.template == nil || decision.template == "generic" {
            print("  templates, the nearest first")
            for explanation in claim.explain().prefix(8) {
                print("    \(explanation.template): stopped in \(explanation.step.rawValue)")
                if let matched = explanation.matched, let stopped = explanation.stoppedAt {
                    print("      \(Terminal.printable(String(matched.suffix(50))))" + Terminal.styled(" >< ", .red) + Terminal.printable(stopped))
                }
            }
        }
        print("  text")
        showText(message.text.bytes, decision.draft?.spans ?? [:])
    }

    /// The canonical text with the words of each field set off: by colour on a terminal, by [field: …] elsewhere.
    private func showText(_ text: [UInt8], _ spans: [Field: Range<Int>]) {
        var result = ""
        var offset = 0
        for (field, span) in spans.sorted(by: { $0.value.lowerBound < $1.value.lowerBound }) where span.lowerBound >= offset && span.upperBound <= text.count {
            result += String(decoding: text[offset..<span.lowerBound], as: UTF8.self)
            let words = String(decoding: text[span], as: UTF8.self)
            result += Terminal.hasColour ? Terminal.styled(words, .cyan) + Terminal.styled("(\(field.rawValue))", .dim) : "[\(field.rawValue): \(words)]"
            offset = span.upperBound
        }
        result += String(decoding: text[offset...], as: UTF8.self)
        for line in result.split(separator: "\n").prefix(60) { print("    | " + (Terminal.hasColour ? String(line) : Terminal.printable(String(line)))) }
    }
}
