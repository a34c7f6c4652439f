import Chronology
import Codecs
import Ledger

/// Names and values of a query or form, in order (WHATWG URL, section 5.1: application/x-www-form-urlencoded).
struct FormFields: Sendable {
    private(set) var fields: [(name: String, value: String)] = []

    /// Limit of fields; no page of this site sends more.
    static let maximumFields = 3000

    init(_ text: some Sequence<UInt8>) {
        fields = FormEncoding.decode(Array(text), limit: Self.maximumFields)
    }

    init(_ text: String) { self.init(text.utf8) }

    init(query: String?) { self.init((query ?? "").utf8) }

    /// Returns the value as sent; `nil` if there is no such field.
    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Returns the value without surrounding white space; `nil` if nothing is left.
    func text(_ name: String) -> String? {
        guard let value = self[name] else { return nil }
        let trimmed = value.drop(while: \.isWhitespace)
        let result = String(trimmed.reversed().drop(while: \.isWhitespace).reversed())
        return result.isEmpty ? nil : result
    }

    /// Reads the fields `since` and `until`. Adds a sentence for each value that is invalid, and for days in the wrong
    /// order.
    func days(_ problems: inout [String]) -> (since: CalendarDate?, until: CalendarDate?) {
        func day(_ name: String, _ title: String) -> CalendarDate? {
            guard let text = text(name) else { return nil }
            if let day = CalendarDate(iso: text) { return day }
            problems.append(PageText.of("problem.day", ["field": PageText.of(title)]))
            return nil
        }
        let (since, until) = (day("since", "common.from"), day("until", "common.to"))
        if let since, let until, since > until {
            problems.append(PageText.of("problem.days-order"))
        }
        return (since, until)
    }

    /// The path and the query of an address of this site.
    static func parts(ofAddress address: some StringProtocol) -> (path: String, query: FormFields) {
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts.first ?? ""), FormFields(query: parts.dropFirst().first.map { String($0) }))
    }

    /// Reads the field `currency`. Adds a sentence if its text is not a currency.
    func currency(_ problems: inout [String]) -> Currency? {
        guard let code = text("currency") else { return nil }
        if let currency = Currency(code: code.uppercased()), currency.isKnown { return currency }
        problems.append(PageText.of("transactions.no-currency", ["text": "\(code.prefix(10))"]))
        return nil
    }

    func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// Returns the encoded fields with changed values; `nil` removes a field.
    func with(_ changes: [(String, String?)]) -> String {
        let names = Set(changes.map(\.0))
        let kept = fields.filter { !names.contains($0.name) && !$0.value.isEmpty }.map { ($0.name, $0.value) }
        return Self.encoded(kept + changes.compactMap { name, value in value.map { (name, $0) } })
    }

    static func encoded(_ fields: [(String, String)]) -> String {
        FormEncoding.encode(fields.map { (name: $0.0, value: $0.1) })
    }

    static func encoded(_ text: String) -> String { PercentEncoding.encode(text) }
}
