import Codecs

/// Names and values of a query or of a form (WHATWG URL, section 5.1: application/x-www-form-urlencoded), in their
/// order.
struct FormFields: Sendable {
    private(set) var fields: [(name: String, value: String)] = []

    /// More fields than a page of ours ever sends are not read.
    static let maximumFields = 3000

    init(_ text: some Sequence<UInt8>) {
        fields = FormEncoding.decode(Array(text), limit: Self.maximumFields)
    }

    init(_ text: String) { self.init(text.utf8) }

    init(query: String?) { self.init((query ?? "").utf8) }

    /// As sent; `nil` where there is none of this name.
    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Without blanks around it; `nil` also where nothing else is left.
    func text(_ name: String) -> String? {
        guard let value = self[name] else { return nil }
        let trimmed = value.drop(while: \.isWhitespace)
        let result = String(trimmed.reversed().drop(while: \.isWhitespace).reversed())
        return result.isEmpty ? nil : result
    }

    func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// The same fields with others in place of some; `nil` takes one away.
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
