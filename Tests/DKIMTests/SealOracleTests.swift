import Chronology
import DKIM
import Foundation
import InternetMessage
import Testing

/// The verdicts of dkimpy on generated ARC chains: 370 of them, or `SPENDWISE_ARC_MAILS`.
@Suite struct SealOracleTests {
    struct Case: Decodable {
        let kind: String
        let sets: Int
        let mail: Data
        let keys: [String: String]
        let arrival: Int64
        let verdict: Bool
    }

    static let forwarders = ["lists.example", "school.example", "home.example"]

    /// Refusals that go beyond dkimpy's.
    static func isStricter(_ item: Case, _ refusal: ARCRefusal) -> Bool {
        switch (item.kind, refusal) {
        // A signature must cover each instance of a field that is read, and the whole body.
        case ("field added", .signature(.fieldsUncovered)), ("from unsigned", .signature(.malformed)),
            ("length", .signature(.partialBody)):
            true
        case ("test key", .signature(.keyForTests)), ("test key", .seal(.keyForTests)): true
        // dkimpy ignores h= of the key, and characters that are no Base64.
        case ("damaged key", .signature(.keyUnusable)), ("damaged key", .seal(.keyUnusable)): true
        default: false
        }
    }

    /// True for a chain that dkimpy refuses with a reason that does not count here.
    static func isLaxer(_ item: Case) -> Bool {
        switch item.kind {
        // The order of the sets is that of their numbers (RFC 8617 section 5.1.1); dkimpy takes that of the fields.
        case "sets moved": return true
        // dkimpy keeps white space at the end of a last line that has no line end; RFC 6376 section 3.4.4 removes it
        // before section 3.4.3 completes the line.
        case "body altered", "body cut": return item.mail.last == 32 || item.mail.last == 9
        default: return false
        }
    }

    @Test(.enabled(if: OracleTests.hasOracle, "python3-dkim and python3-cryptography are not installed"))
    func verdictsEqualThoseOfDkimpy() throws {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["SPENDWISE_ARC_MAILS"].flatMap(Int.init) ?? 370
        let seed = environment["SPENDWISE_ARC_SEED"].flatMap(Int.init) ?? 1
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "seals.py").path
        let lines = try #require(OracleTests.run([OracleTests.python, script, "\(count)", "\(seed)"]))
        var (chains, valid, explained, duration) = (0, 0, [String: Int](), Duration.zero)
        for line in lines.split(separator: 10) {
            let item = try JSONDecoder().decode(Case.self, from: Data(line))
            let message = Message(parsing: Array(item.mail))
            let verifier = SignatureVerifier(keys: TableKeys(records: item.keys))
            let start = ContinuousClock.now
            let finding = verifier.finding(
                for: message, vouchedBy: Self.forwarders, receivedAt: UnixTime(seconds: item.arrival))
            duration += ContinuousClock.now - start
            chains += 1
            let isValid = finding == .vouched(forwarder: "lists.example")
            if isValid { valid += 1 }
            if isValid == item.verdict { continue }
            var isExplained = Self.isLaxer(item)
            if case .refused(let refusal) = finding { isExplained = Self.isStricter(item, refusal) }
            #expect(
                isExplained,
                Comment(rawValue: "\(item.kind), \(item.sets) sets: \(finding) \(item.mail.base64EncodedString())"))
            explained["\(item.kind): \(finding)", default: 0] += 1
        }
        #expect(chains == count && valid > count / 5)
        // What the search for ARC fields costs a mail without any, whose sender nothing confirms.
        let plain = Message(parsing: try SignedMail.bytes("rsa"))
        var unsealed = 0
        let start = ContinuousClock.now
        for _ in 0..<1000
        where SignedMail.verifier.finding(for: plain, vouchedBy: Self.forwarders, receivedAt: nil) == .unsealed {
            unsealed += 1
        }
        let search = (ContinuousClock.now - start) / 1000
        #expect(unsealed == 1000)
        let differences = explained.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        print(
            "ARC: \(chains) chains, \(valid) valid; \(explained.values.reduce(0, +)) explained differences:",
            differences.joined(separator: ", "), "; \(duration / count) a mail, \(search) without sets")
    }
}
