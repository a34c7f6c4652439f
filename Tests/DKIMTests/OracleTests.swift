import Chronology
import DKIM
import Foundation
import InternetMessage
import Processes
import Testing

/// The verdicts of dkimpy, another implementation of RFC 6376, on generated mails: 310 of them, or
/// `SPENDWISE_DKIM_MAILS`.
@Suite struct OracleTests {
    static let python = "/usr/bin/python3"
    static let hasOracle = run([python, "-c", "import dkim, nacl, cryptography"]) != nil

    struct Case: Decodable {
        let kind: String
        let mail: Data
        let keys: [String: String]
        let arrival: Int64
        let verdicts: [Bool]
    }

    static func run(_ arguments: [String]) -> Data? {
        let program = ChildProcess(arguments[0], arguments: arguments, seconds: 600, outputBytes: 256 << 20)
        guard let outcome = try? program.run(), outcome.end == .exit(0), !outcome.isCut else { return nil }
        return Data(outcome.output)
    }

    /// Refusals that go beyond RFC 6376 or that dkimpy does not make.
    static let stricter: [String: Set<SignatureReason>] = [
        "sha1": [.weakAlgorithm],
        "length, text added": [.partialBody],
        "field added": [.fieldsUncovered],
        "test key": [.keyForTests],
        // dkimpy ignores s=, h= and k= of the key for the most part, and characters that are no Base64.
        "damaged key": [.keyUnusable],
        "signature damaged": [.malformed, .fieldsUncovered],
    ]
    /// True for a mail that dkimpy refuses with a reason that does not count here.
    static func isLaxer(_ item: Case) -> Bool {
        switch item.kind {
        // The time of arrival counts, not the present time.
        case "expired after arrival": return true
        // dkimpy keeps white space at the end of a last line that has no line end; RFC 6376 section 3.4.4 removes it
        // before section 3.4.3 completes the line.
        case "body altered", "body cut": return item.mail.last == 32 || item.mail.last == 9
        // The library ignores what is behind the padding of Base64, all bytes of the signature being there.
        case "signature damaged":
            let text = String(decoding: item.mail, as: UTF8.self)
            return text.contains(/=[^=\r\n]{1,2}\r\n(Received|X-)/)
        // The key itself is whole, and only the padding of its Base64 is missing.
        case "damaged key": return item.keys["ed"]?.utf8.count == "v=DKIM1; k=ed25519; p=".utf8.count + 43
        default: return false
        }
    }

    @Test(.enabled(if: hasOracle, "python3-dkim and python3-cryptography are not installed"))
    func verdictsEqualThoseOfDkimpy() throws {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["SPENDWISE_DKIM_MAILS"].flatMap(Int.init) ?? 310
        let seed = environment["SPENDWISE_DKIM_SEED"].flatMap(Int.init) ?? 1
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "oracle.py").path
        let lines = try #require(Self.run([Self.python, script, "\(count)", "\(seed)"]))
        var (signatures, explained, duration) = (0, [String: Int](), Duration.zero)
        for line in lines.split(separator: 10) {
            let item = try JSONDecoder().decode(Case.self, from: Data(line))
            let message = Message(parsing: Array(item.mail))
            let verifier = SignatureVerifier(keys: TableKeys(records: item.keys))
            let start = ContinuousClock.now
            let results = verifier.results(
                of: message, receivedAt: UnixTime(seconds: item.arrival), extent: .all)
            duration += ContinuousClock.now - start
            let comment = Comment(rawValue: "\(item.kind): \(results.map(\.reason)) \(item.mail.base64EncodedString())")
            #expect(results.count == item.verdicts.count, comment)
            for (result, expected) in zip(results, item.verdicts) {
                signatures += 1
                let isValid = result.reason == .valid
                if isValid == expected { continue }
                let isExplained =
                    isValid ? Self.isLaxer(item) : Self.stricter[item.kind]?.contains(result.reason) == true
                #expect(isExplained, comment)
                explained["\(item.kind): \(result.reason)", default: 0] += 1
            }
        }
        #expect(signatures > count * 9 / 10)
        let differences = explained.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        print(
            "DKIM: \(signatures) signatures of \(count) mails; \(explained.values.reduce(0, +)) explained differences:",
            differences.joined(separator: ", "), "; \(duration / count) a mail")
    }
}
