import Foundation
import InternetMessage
import Ledger
import ProfileFixture
import Testing

@testable import ProfileAuthoring
@testable import Profiles

/// Derives templates from the samples of the shipped profiles, as if nothing were known of their banks.
@Suite struct DerivationOfShippedSamples {
    /// The fields that a derived template reads from a mail; `nil` if it does not claim the mail.
    static func read(_ draft: TemplateDraft, _ message: Message) throws -> [Field: String]? {
        let common = try String(contentsOf: ShippedProfiles.folder.appending(path: "_common.yaml"), encoding: .utf8)
        let sender = try #require(message.from.first)
        let folder = try ProfileFolder([
            "_common.yaml": common,
            "own/_bank.yaml": TemplateDraft.bankYAML(
                name: "Own", domains: [sender.domain], addresses: [sender.addrSpec]),
            "own/alert.yaml": draft.yaml(named: "own/alert", samples: []),
        ])
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        let claim = try folder.load().claim(message)
        guard claim.claimants() == ["own/alert"] else { return nil }
        let decision = claim.decide(trusting: .unverified, receivedAt: nil)
        var fields: [Field: String] = [:]
        for field in Sample.strictFields where decision.draft?.spans[field] != nil {
            fields[field] = decision.draft?.text(of: field)
        }
        return fields
    }

    @Test func mostValuesRoundTrip() throws {
        var total = 0
        var failures: [String] = []
        for item in try ShippedProfiles.items() {
            guard case .fields(let expected) = item.sample.expectation else { continue }
            // A third is enough to see a fault, and keeps the test short.
            total += 1
            if ProcessInfo.processInfo.environment["ALL_SAMPLES"] == nil, total % 3 != 0 { continue }
            let message = Message(parsing: item.sample.message())
            let values = expected.filter { Sample.strictFields.contains($0.key) }
            let mail = MarkedMail(message, values: values, zone: item.bank.timeZone)
            var problem = "?"
            for specificity in 0...TemplateDraft.greatestSpecificity {
                do {
                    var draft = try TemplateDraft.derive(from: [mail], specificity: specificity)
                    draft.unlessPattern = nil
                    let got = try Self.read(draft, message)
                    let draftOf = try ShippedProfiles.all.get().claim(message).decide(
                        trusting: .unverified, receivedAt: nil
                    ).draft
                    let wanted = values.reduce(into: [Field: String]()) { $0[$1.key] = draftOf?.text(of: $1.key) }
                    if got == wanted {
                        problem = ""
                        break
                    }
                    problem =
                        "\(specificity): got \(got.map { "\($0)" } ?? "no match"), wanted \(wanted)\n\(draft.patterns)"
                } catch { problem = "\(error)" }
            }
            if !problem.isEmpty { failures.append("\(item.template.name) '\(item.sample.name)': \(problem)") }
        }
        if ProcessInfo.processInfo.environment["ALL_SAMPLES"] != nil {
            print("\(failures.count) of \(total)\n" + failures.joined(separator: "\n"))
        }
        #expect(
            failures.count * 50 <= total, "\(failures.count) of \(total): \(failures.prefix(3).joined(separator: "\n"))"
        )
    }
}
