import Foundation
import Testing

/// Reading of JSON output and answers. Each function throws, and fails the test, if the text has another form.
enum JSONOutput {
    static func object(_ text: some StringProtocol) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
    }

    static func array(_ text: some StringProtocol) throws -> [[String: Any]] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]], "\(text)")
    }

    /// One object a line.
    static func lines(_ text: String) throws -> [[String: Any]] { try text.split(separator: "\n").map(object) }
}
