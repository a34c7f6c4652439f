import Chronology
import Codecs
import HTTPTypes
import Hummingbird
import Ledger
import Store

/// One route of the API: its handler and its entry in the OpenAPI document.
@dynamicMemberLookup
struct Endpoint: Sendable {
    enum Place: String, Sendable { case path, query, header }

    struct Parameter: Sendable {
        var name: String
        var place: Place
        /// A JSON Schema.
        var schema: JSON
        var about: String
        var isRequired = false
    }

    struct Response: Sendable {
        var status: Int
        var about: String
        /// A JSON Schema; `nil` for no body.
        var schema: JSON?
        var type = "application/json"
        /// Further media types that the client can choose by a parameter.
        var otherTypes: [String] = []
        var headers: [(name: String, about: String)] = []
    }

    /// The requests that the route accepts and its responses.
    struct Contract: Sendable {
        var parameters: [Parameter] = []
        /// The schema of the JSON body; `nil` for no body.
        var body: JSON?
        var isBodyRequired = true
        /// Media types accepted besides JSON.
        var otherBodies: [String] = []
        var responses: [Response]
        /// True if the route supports an Idempotency-Key.
        var isRepeatable = false
    }

    let method: HTTPRequest.Method
    /// The path in OpenAPI's notation: `/transactions/{id}`.
    let path: String
    let tag: String
    let summary: String
    private let contract: Contract
    let run: @Sendable (Call) async throws -> Answer

    init(
        _ method: HTTPRequest.Method, _ path: String, _ tag: String, _ summary: String, _ contract: Contract,
        run: @escaping @Sendable (Call) async throws -> Answer
    ) {
        self.method = method
        self.path = path
        self.tag = tag
        self.summary = summary
        self.contract = contract
        self.run = run
    }

    subscript<Value>(dynamicMember member: KeyPath<Contract, Value>) -> Value { contract[keyPath: member] }

    var routerPath: RouterPath { RouterPath(path) }
}

/// Reads the query of a request. Unknown and duplicate parameters of the API are refused; pages ignore them.
struct Query: Sendable {
    private var values: [String: String] = [:]
    private(set) var check = FieldCheck()

    init(_ call: Call) {
        let known = Set(call.endpoint.parameters.lazy.filter { $0.place == .query }.map(\.name))
        for (name, value) in call.request.uri.queryParameters {
            let name = String(name)
            if !known.contains(name) {
                check.refuse(Self.printable(name), "unknown parameter of this route")
            } else if values.updateValue(String(value), forKey: name) != nil {
                check.refuse(name, "duplicate parameter")
            }
        }
    }

    /// The query of a page: of equal names the first counts, and forms send what is not chosen as empty.
    init(_ fields: FormFields) {
        for (name, _) in fields.fields where values[name] == nil { values[name] = fields.text(name) }
    }

    /// Returns the name if it is short and plain, otherwise `query`: responses must not repeat arbitrary text.
    private static func printable(_ name: String) -> String {
        name.utf8.count <= 40
            && name.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) || $0 == 0x5F || $0 == 0x2D
            } ? name : "query"
    }

    mutating func refuse(_ name: String, _ detail: String) { check.refuse(name, detail) }

    /// - Parameter mayBeEmpty: if true, a blank value counts as absent, as forms send it.
    mutating func text(_ name: String, atMost limit: Int = 200, mayBeEmpty: Bool = true) -> String? {
        guard let value = values[name] else { return nil }
        check.text(name, value, atMost: limit, mayBeEmpty: mayBeEmpty)
        return value.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? nil : value
    }

    mutating func value<Value>(_ name: String, _ form: String, _ read: (String) -> Value?) -> Value? {
        guard let text = values[name] else { return nil }
        guard let value = read(text) else {
            check.refuse(name, form)
            return nil
        }
        return value
    }

    mutating func choice<Value: RawRepresentable & CaseIterable>(_ name: String, _: Value.Type) -> Value?
    where Value.RawValue == String {
        value(name, "must be one of: \(Value.allCases.map(\.rawValue).joined(separator: ", "))") { Value(rawValue: $0) }
    }

    mutating func number(_ name: String, _ range: ClosedRange<Int>) -> Int? {
        let end = range.upperBound == .max ? "" : " to \(range.upperBound)"
        return value(name, "must be a whole number from \(range.lowerBound)\(end)") { text in
            Int(text).flatMap { "\($0)" == text && range.contains($0) ? $0 : nil }
        }
    }

    mutating func uuid(_ name: String) -> String? {
        value(name, "must be a UUID") { AccountRow.isUUID($0) ? $0.lowercased() : nil }
    }

    mutating func date(_ name: String) -> CalendarDate? {
        value(name, "must be a day, yyyy-mm-dd") { CalendarDate(iso: $0) }
    }

    mutating func currency(_ name: String) -> Currency? {
        value(name, "must be a three-letter ISO 4217 code such as INR") {
            $0.utf8.count == 3 ? Currency(code: $0) : nil
        }
    }

    func finish() throws {
        if !check.problems.isEmpty { throw Problem.invalid(check.problems) }
    }
}
