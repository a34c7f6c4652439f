public import Chronology
internal import Codecs
internal import GRDB
public import Ledger

/// A template that the page asked the mail reader to use.
public struct TemplateActivation: Hashable, Sendable {
    public enum State: String, Sendable {
        /// Waits for the mail reader.
        case asked
        /// Its file is in the folder of activated templates.
        case active
        case refused
        /// A later one of the same name is active.
        case replaced
        case withdrawn
    }

    /// Bytes of a file: twice those of the longest shipped one.
    public static let maximumBytes = 65536
    /// Limit of requests that wait: each costs the mail reader seconds.
    public static let maximumAsked = 10
    /// Limit of rows that are no longer used.
    static let maximumEnded = 100

    public var id: Int64
    /// Name such as `hdfc/card-spend`.
    public var template: String
    public var yaml: String
    /// SHA-256 of the file, in hexadecimal.
    public var digest: String
    /// ID of the mail by which it is proven.
    public var mail: String
    /// The values that it must read from the mail; `nil` if it must ignore it.
    public var expected: [Field: String]?
    public var askedAt: UnixTime
    public var askedBy: String
    public var state: State
    /// The reason of a refusal. It may name values of the mail, so it is never logged.
    public var reason: String?
    public var decidedAt: UnixTime?
    public var withdrawAskedAt: UnixTime?
    /// Why the loader leaves the file out.
    public var fault: String?
    public var seenAt: UnixTime?

    /// The key of its bank.
    public var bank: String { String(template.prefix { $0 != "/" }) }

    init(_ row: Row) {
        id = row["id"]
        template = row["template"]
        yaml = row["yaml"]
        digest = row["digest"]
        mail = row["mail_id"]
        expected = (row["expected"] as String?).map(Self.values)
        askedAt = row["asked_at"]
        askedBy = row["asked_by"]
        state = State(rawValue: row["state"]) ?? .refused
        reason = row["reason"]
        decidedAt = row["decided_at"]
        withdrawAskedAt = row["withdraw_asked_at"]
        fault = row["fault"]
        seenAt = row["seen_at"]
    }

    /// True if the row's digest is that of its file.
    public var isIntact: Bool { FileDigest.hexadecimal(Array(yaml.utf8)) == digest }

    static func json(_ values: [Field: String]) -> String {
        JSON.object(values.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key.rawValue, .string($0.value)) })
            .text
    }

    private static func values(_ json: String) -> [Field: String] {
        guard case .object(let members)? = try? JSON(parsing: Array(json.utf8)) else { return [:] }
        var values: [Field: String] = [:]
        for case (let name, .string(let text)) in members {
            if let field = Field(rawValue: name) { values[field] = text }
        }
        return values
    }
}
