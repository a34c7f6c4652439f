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
        guard case .array(let items) = value else {
            refuse(name, "must be a list of texts")
            return nil
        }
        let texts = items.compactMap { if case .string(let text) = $0 { text } else { nil } }
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
        value(name, "must be an instant such as 2026-01-05T06:43:14Z") { InstantText.read($0) }.new
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

extension Money {
    /// Reads digits with at most as many decimals as the currency has: no sign, no grouping, no exponent.
    init?(plain text: String, currency: Currency) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count),
            parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }), parts[0].count <= 13,
            parts.count == 1 || parts[1].count <= max(2, currency.exponent)
        else { return nil }
        var fraction: [UInt8] = parts.count == 2 ? Array(parts[1]) : []
        while fraction.count > currency.exponent, fraction.last == 0x30 { fraction.removeLast() }
        guard fraction.count <= currency.exponent else { return nil }
        fraction += [UInt8](repeating: 0x30, count: currency.exponent - fraction.count)
        var units: Int64 = 0
        for digit in Array(parts[0]) + fraction {
            let (product, overflow) = units.multipliedReportingOverflow(by: 10)
            guard !overflow, product <= Money.maximumMinorUnits else { return nil }
            units = product + Int64(digit - 0x30)
        }
        guard units <= Money.maximumMinorUnits else { return nil }
        self.init(minorUnits: units, currency: currency)
    }
}

enum InstantText {
    /// Reads any form of RFC 3339, and one without a zone, which means UTC. Instants before 1970 become its beginning.
    /// `nil` for invalid text.
    static func read(_ text: String) -> UnixTime? {
        var rest = Array(text.utf8)[...]
        func number(_ digits: Int, _ range: ClosedRange<Int>) -> Int? {
            guard rest.count >= digits, rest.prefix(digits).allSatisfy({ (0x30...0x39).contains($0) }) else {
                return nil
            }
            defer { rest = rest.dropFirst(digits) }
            return Int(String(decoding: rest.prefix(digits), as: UTF8.self)).flatMap { range.contains($0) ? $0 : nil }
        }
        func sign(_ marks: String) -> UInt8? {
            guard let byte = rest.first, marks.utf8.contains(byte) else { return nil }
            rest = rest.dropFirst()
            return byte
        }
        guard text.utf8.count <= 60, let year = number(4, 0...9999), sign("-") != nil, let month = number(2, 1...12),
            sign("-") != nil, let day = number(2, 1...31),
            sign("Tt ") != nil, let hour = number(2, 0...23), sign(":") != nil, let minute = number(2, 0...59),
            sign(":") != nil, let second = number(2, 0...60)
        else { return nil }
        if sign(".") != nil {
            guard number(1, 0...9) != nil else { return nil }
            rest = rest.drop { (0x30...0x39).contains($0) }
        }
        var offset = 0
        if let mark = sign("+-") {
            guard let hours = number(2, 0...23), sign(":") != nil, let minutes = number(2, 0...59) else { return nil }
            offset = (mark == UInt8(ascii: "+") ? 1 : -1) * (hours * 3600 + minutes * 60)
        } else {
            _ = sign("Zz")
        }
        guard rest.isEmpty else { return nil }
        // A leap year replaces years outside of the ledger's calendar.
        guard let date = CalendarDate(year: (1970...2199).contains(year) ? year : 2000, month: month, day: day) else {
            return nil
        }
        if year < 1970 { return .epoch }
        if year > 2199 { return UnixTime(seconds: 7_258_118_399) }
        return max(.epoch, UnixTime(date) + Int64(hour * 3600 + minute * 60 + second - offset))
    }
}
