import Chronology
import InternetMessage
public import Ledger
import PCRE2
public import Profiles

/// A mail with all personal text replaced by pseudonyms of the same shape, proven to be read like the original.
public struct Redaction: Sendable {
    /// The whole mail: RFC 5322 with MIME.
    public var message: [UInt8]
    /// Its canonical text, as long as the original one.
    public var text: [UInt8]
    public var subject: String
    /// RFC 5322 date-time, moved by as many days as the dates in the text.
    public var date: String?
    /// The decision about the redacted mail; offline, so its authenticity is unverified.
    public var decision: Decision
}

/// Reason why a mail cannot be redacted.
public struct RedactionError: Error, Sendable, CustomStringConvertible {
    public var message: String
    public var remedy: String?
    public var description: String { message + (remedy.map { "\n\($0)" } ?? "") }
}

extension ProfileSet {
    /// Replaces digits, names, addresses, references and links. Deterministic: the same mail gives the same result.
    ///
    /// The words that the claiming template matched stay as they are, except for the values in them; those of an
    /// ignored mail stay only if it is not claimed without them.
    /// - Parameter knownWords: the result of ``bankWords()``, if the caller has it.
    public func redact(_ bytes: [UInt8], knownWords: Set<String>? = nil) throws(RedactionError) -> Redaction {
        var redactor = try Redactor(bytes, by: self, knownWords: knownWords ?? bankWords())
        return try redactor.run()
    }
}

extension Claim {
    /// The ranges that the patterns of the template matched in the text and in the subject.
    func matched(by name: String?) -> (body: [Range<Int>], subject: [Range<Int>]) {
        guard let template = sender.bank?.allTemplates.first(where: { $0.name == name }), let matcher = Matcher() else {
            return ([], [])
        }
        let text = message.text.bytes
        func range(_ pattern: Pattern, _ text: [UInt8]) -> Range<Int>? {
            (try? matcher.firstMatch(of: pattern, in: text)) == true ? matcher.range(of: 0) : nil
        }
        var body = template.match.body?.pattern.flatMap { range($0, text) }.map { [$0] } ?? []
        if case .transaction(let extraction) = template.kind {
            for pattern in extraction.bodies {
                guard let range = pattern.pattern.flatMap({ range($0, text) }) else { continue }
                body.append(range)
                break
            }
            body += extraction.fields.compactMap { $0.pattern.pattern.flatMap { range($0, text) } }
        } else {
            body += template.extractions.compactMap { $0.pattern.pattern.flatMap { range($0, text) } }
        }
        return (body, template.match.subject.flatMap { range($0, Array(message.subject.utf8)) }.map { [$0] } ?? [])
    }
}

/// Words by which a mail names its recipient.
enum Recipient {
    private static let fields: Set<String> = [
        "to", "cc", "delivered-to", "x-original-to", "x-forwarded-to", "x-delivered-to",
    ]

    static func words(of header: ArraySlice<UInt8>) -> Set<String> {
        var found: Set<String> = []
        var isWanted = false
        for line in header.split(separator: 0x0A) {
            var value = line[...]
            if line.first != 0x20, line.first != 0x09 {
                guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
                    isWanted = false
                    continue
                }
                isWanted = fields.contains(String(decoding: line[..<colon], as: UTF8.self).lowercased())
                value = line[(colon + 1)...]
            }
            guard isWanted else { continue }
            // The host is not a name.
            for part in String(decoding: value, as: UTF8.self).lowercased().split(whereSeparator: {
                " \t\r,;<>\"()".contains($0)
            }) {
                found.formUnion(
                    part.prefix { $0 != "@" }.split { !$0.isLetter }.map(String.init).filter { $0.count >= 3 })
            }
        }
        return found.subtracting(["undisclosed", "recipients", "recipient", "the", "and", "mail", "info"])
    }
}
