import Chronology
import Codecs
import Ledger
import Store

/// Reads the members of a JSON object. Problems are collected; members that were not read are refused at the end.
struct Fields: Sendable {
    private var members: [String: JSON] = [:]
    let prefix: String
    private var check = FieldCheck()

    init(_ members: [(String, JSON)], prefix: String = "") {
        self.prefix = prefix
        for (name, value) in members { self.members[name] = value }
    }

    mutating func refuse(_ name: String, _ detail: String) { check.refuse(prefix + name, detail) }

    /// Adds a problem of a nested object, whose field name is complete.
    mutating func refuse(whole problem: FieldProblem) { check.refuse(problem.field, problem.detail) }

    func has(_ name: String) -> Bool { members[name] != nil }

    /// Removes and returns a member. The members left at the end are unknown ones.
    mutating func remove(_ name: String) -> JSON? { members.removeValue(forKey: name) }

    /// Removes members that clients send back unchanged.
    mutating func ignore(_ names: String...) { for name in names { members[name] = nil } }

    /// Reads a text that may be absent or null.
    mutating func text(_ name: String) -> Change<String> {
        switch remove(name) {
        case nil: return .keep
        case .null: return .clear
        case .string(let text): return .set(text)
        default:
            refuse(name, "must be a text")
            return .keep
        }
    }

    /// Reads a text that may be absent; null counts as absent.
    mutating func optional(_ name: String) -> String? { text(name).new }

    /// Reads a list of texts that may be absent; null is refused.
    mutating func texts(_ name: String) -> [String]? {
        guard let value = remove(name) else { return nil }
        guard let items = value.elements else {
            refuse(name, "must be a list of texts")
            return nil
        }
        let texts = items.compactMap(\.textValue)
        if texts.count < items.count { refuse(name, "must be a list of texts") }
        return texts
    }

    mutating func required(_ name: String) -> String {
        guard has(name) else {
            refuse(name, "is required")
            return ""
        }
        let change = text(name)
        if change == .clear { refuse(name, "must not be null") }
        return change.new ?? ""
    }

    mutating func value<Value: Hashable & Sendable>(
        _ name: String, _ form: String, _ read: (String) -> Value?
    ) -> Change<Value> {
        switch text(name) {
        case .keep: return .keep
        case .clear: return .clear
        case .set(let text):
            guard let value = read(text) else {
                refuse(name, form)
                return .keep
            }
            return .set(value)
        }
    }

    /// Reads one of an enum's raw values; null is refused.
    mutating func choice<Value: RawRepresentable & CaseIterable & Hashable & Sendable>(
        _ name: String, _: Value.Type
    ) -> Value? where Value.RawValue == String {
        let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
        return notNull(name, value(name, "must be one of: \(words)") { Value(rawValue: $0) })
    }

    mutating func notNull<Value>(_ name: String, _ change: Change<Value>) -> Value? {
        if change == .clear { refuse(name, "must not be null") }
        return change.new
    }

    mutating func date(_ name: String) -> CalendarDate? {
        notNull(
            name, value(name, "must be a day of the calendar, yyyy-mm-dd, from 1970 to 2199") { CalendarDate(iso: $0) })
    }

    mutating func time(_ name: String) -> Change<TimeOfDay> {
        value(name, "must be a time of day, HH:mm:ss") { TimeOfDay(iso: $0) }
    }

    mutating func bool(_ name: String) -> Bool? {
        switch remove(name) {
        case nil: return nil
        case .bool(let value): return value
        default:
            refuse(name, "must be true or false")
            return nil
        }
    }

    mutating func integer(_ name: String) -> Change<Int64> {
        switch remove(name) {
        case nil: return .keep
        case .null: return .clear
        case .integer(let value): return .set(value)
        default:
            refuse(name, "must be a whole number")
            return .keep
        }
    }

    /// Reads an amount that may be absent or null: a decimal text or a whole number. Other numbers are refused, because
    /// the sender computed them in floating point.
    mutating func amount(_ name: String, _ currency: Currency) -> Money? {
        let text: String
        switch remove(name) {
        case nil, .null: return nil
        case .string(let value): text = value
        case .integer(let value): text = "\(value)"
        default:
            refuse(name, "must be a decimal number as a text, such as \"1234.50\", or a whole number")
            return nil
        }
        return money(name, text, currency)
    }

    /// Reads an amount that may be negative; absent and null count as absent.
    mutating func signedAmount(_ name: String, _ currency: Currency) -> Money? {
        guard case .string(let text)? = members[name], text.hasPrefix("-") else { return amount(name, currency) }
        members[name] = .string(String(text.dropFirst()))
        return amount(name, currency).map { Money(minorUnits: -$0.minorUnits, currency: currency) }
    }

    func isNull(_ name: String) -> Bool { if case .null? = members[name] { true } else { false } }

    /// Reads an amount; null is refused.
    mutating func requiredAmount(_ name: String, _ currency: Currency) -> Money? {
        if case .null? = members[name] { refuse(name, "must not be null") }
        return amount(name, currency)
    }

    mutating func money(_ name: String, _ text: String, _ currency: Currency) -> Money? {
        guard let money = Money(plain: text, currency: currency) else {
            refuse(
                name,
                "must be a decimal number such as 1234.50, not negative, with at most \(currency.exponent) decimals in \(currency.code)"
            )
            return nil
        }
        return money
    }

    mutating func currency(_ name: String) -> Currency? {
        notNull(
            name,
            value(name, "must be a three-letter ISO 4217 code such as INR") {
                $0.utf8.count == 3 ? Currency(code: $0) : nil
            })
    }

    /// Reads a currency; null counts as absent.
    mutating func optionalCurrency(_ name: String) -> Currency? {
        value(name, "must be a three-letter ISO 4217 code such as INR") {
            $0.utf8.count == 3 ? Currency(code: $0) : nil
        }.new
    }

    /// Reads an instant with Z, with an offset, or without either, which means UTC.
    mutating func instant(_ name: String) -> UnixTime? {
        value(name, "must be an instant such as 2026-01-05T06:43:14Z") { UnixTime(rfc3339: $0) }.new
    }

    var problems: [FieldProblem] { check.problems }

    /// True if nothing about the field was refused yet.
    func isFree(of field: String) -> Bool { !problems.contains { $0.field == prefix + field } }

    /// Throws if there are problems, unknown members included.
    mutating func finish() throws {
        let found = allProblems()
        guard found.isEmpty else { throw Problem.invalid(found) }
    }

    mutating func allProblems() -> [FieldProblem] {
        for name in members.keys.sorted() { refuse(name, "unknown member") }
        members = [:]
        return check.problems
    }
}
