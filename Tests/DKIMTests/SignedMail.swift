import DKIM
import Foundation
import InternetMessage
import Synchronization
import Testing

/// Keys that a test gives.
struct TableKeys: KeySource {
    /// Records by selector. Another selector is missing.
    var records: [String: String] = [:]
    /// The answer to every lookup, if it is not a record.
    var always: KeyAnswer?

    func answers(for names: [KeyName]) -> [KeyAnswer] {
        names.map { always ?? records[$0.selector].map { .record(Array($0.utf8)) } ?? .missing }
    }
}

/// The same, with the names that were asked for.
final class AskedKeys: KeySource {
    private let table: TableKeys
    private let asked = Mutex<[String]>([])

    init(records: [String: String]) { table = TableKeys(records: records) }

    var names: [String] { asked.withLock { $0 } }

    func answers(for names: [KeyName]) -> [KeyAnswer] {
        asked.withLock { $0 += names.map(\.text) }
        return table.answers(for: names)
    }
}

/// A mail from `alerts@mail.bank.example`, signed by `bank.example` on 2026-01-01.
enum SignedMail {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
    /// Ten seconds after the time of the signature.
    static let arrival: Int64 = 1_767_225_610

    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: name + ".eml")))
    }

    static func text(_ name: String = "rsa") throws -> String {
        String(decoding: try bytes(name), as: UTF8.self)
    }

    static let keys: [String: String] = {
        let text = (try? String(contentsOf: folder.appending(path: "keys.txt"), encoding: .utf8)) ?? ""
        return Dictionary(
            text.split(separator: "\n").compactMap { line in
                line.firstIndex(of: " ").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
            }, uniquingKeysWith: { $1 })
    }()

    static let verifier = SignatureVerifier(keys: TableKeys(records: keys))
}
