import Chronology

/// A fault in the text of a recurrence rule, with its remedy.
public struct RecurrenceRuleError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
}

extension RecurrenceRule: CustomStringConvertible {
    /// Longer rules are refused.
    public static let longestText = 255
    /// Limits of `INTERVAL` and `COUNT`: more than any payment has.
    public static let largestInterval = 1000
    static let largestCount = 10_000

    /// Reads `FREQ=MONTHLY;BYMONTHDAY=5`, with or without the prefix `RRULE:`, in any case of letters.
    public init(_ text: String) throws(RecurrenceRuleError) {
        guard text.utf8.count <= Self.longestText else {
            throw Self.error("the rule is longer than \(Self.longestText) characters")
        }
        let upper = text.uppercased()
        var parts: [String: String] = [:]
        for part in (upper.hasPrefix("RRULE:") ? upper.dropFirst(6) : upper[...]).split(separator: ";") {
            let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard words.count == 2, !words[1].isEmpty else {
                throw Self.error("a part of the rule is not NAME=VALUE: write it as FREQ=MONTHLY;BYMONTHDAY=5")
            }
            guard Self.names.contains(String(words[0])) else {
                throw Self.error("the rule has an unknown part: use \(Self.names.joined(separator: ", "))")
            }
            guard parts.updateValue(String(words[1]), forKey: String(words[0])) == nil else {
                throw Self.error("\(words[0]) occurs twice in the rule")
            }
        }
        guard let frequency = parts["FREQ"].flatMap(Frequency.init) else {
            throw Self.error("FREQ must be one of: \(Frequency.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self.init(frequency)
        interval = try Self.number(parts["INTERVAL"], "INTERVAL", atMost: Self.largestInterval) ?? 1
        count = try Self.number(parts["COUNT"], "COUNT", atMost: Self.largestCount)
        if let text = parts["UNTIL"] { end = try Self.day(text) }
        if let text = parts["BYDAY"] { weekdays = try Self.list(text, "BYDAY", Self.place) }
        if let text = parts["BYMONTHDAY"] { monthDays = try Self.list(text, "BYMONTHDAY", Self.monthDay) }
        try check()
    }

    private func check() throws(RecurrenceRuleError) {
        if count != nil, end != nil { throw Self.error("a rule has COUNT or UNTIL, not both") }
        if !weekdays.isEmpty, !monthDays.isEmpty { throw Self.error("a rule has BYDAY or BYMONTHDAY, not both") }
        switch frequency {
        case .monthly: break
        case .weekly:
            if !monthDays.isEmpty { throw Self.error("BYMONTHDAY needs FREQ=MONTHLY") }
            if weekdays.contains(where: { $0.number != nil }) {
                throw Self.error("a numbered BYDAY such as 1MO needs FREQ=MONTHLY")
            }
        case .daily, .yearly:
            if !weekdays.isEmpty { throw Self.error("BYDAY needs FREQ=WEEKLY or FREQ=MONTHLY") }
            if !monthDays.isEmpty { throw Self.error("BYMONTHDAY needs FREQ=MONTHLY") }
        }
    }

    /// The canonical text.
    public var description: String {
        var parts = ["FREQ=\(frequency.rawValue)"]
        if interval != 1 { parts.append("INTERVAL=\(interval)") }
        if !weekdays.isEmpty {
            parts.append(
                "BYDAY="
                    + weekdays.map { ($0.number.map(String.init) ?? "") + $0.weekday.rawValue }.joined(separator: ","))
        }
        if !monthDays.isEmpty { parts.append("BYMONTHDAY=" + monthDays.map(String.init).joined(separator: ",")) }
        if let count { parts.append("COUNT=\(count)") }
        if let end { parts.append("UNTIL=" + end.description.filter { $0 != "-" }) }
        return parts.joined(separator: ";")
    }

    private static let names = ["FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "COUNT", "UNTIL"]

    private static func error(_ text: String) -> RecurrenceRuleError { RecurrenceRuleError(description: text) }

    private static func number(_ text: String?, _ name: String, atMost limit: Int) throws(RecurrenceRuleError) -> Int? {
        guard let text else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), (1...limit).contains(number)
        else { throw error("\(name) must be a number from 1 to \(limit)") }
        return number
    }

    /// `yyyymmdd`, or an instant of which the day counts.
    private static func day(_ text: String) throws(RecurrenceRuleError) -> CalendarDate {
        let digits = Array(text.prefix(8))
        let rest = text.dropFirst(8)
        guard digits.count == 8, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
            rest.isEmpty || rest.count == 8 && rest.first == "T" && rest.last == "Z",
            let date = CalendarDate(
                iso: String(digits[0..<4]) + "-" + String(digits[4..<6]) + "-" + String(digits[6..<8]))
        else { throw error("UNTIL must be a day such as 20271231") }
        return date
    }

    private static func list<Value: Hashable>(
        _ text: String, _ name: String, _ read: (Substring) -> Value?
    ) throws(RecurrenceRuleError) -> [Value] {
        var values: [Value] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let value = read(word) else {
                let form =
                    name == "BYDAY" ? "days such as MO,TH, in a month also 1MO or -1FR" : "days 1...31 or -31...-1"
                throw error("\(name) must be \(form)")
            }
            if !values.contains(value) { values.append(value) }
        }
        return values
    }

    private static func place(_ word: Substring) -> Place? {
        guard let weekday = Weekday(rawValue: String(word.suffix(2))) else { return nil }
        let number = word.dropLast(2)
        if number.isEmpty { return Place(number: nil, weekday: weekday) }
        guard let value = Int(number), (1...5).contains(abs(value)) else { return nil }
        return Place(number: value, weekday: weekday)
    }

    private static func monthDay(_ word: Substring) -> Int? {
        guard word.utf8.count <= 3, let value = Int(word), (1...31).contains(abs(value)) else { return nil }
        return value
    }
}
