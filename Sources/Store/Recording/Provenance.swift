import Chronology
import Codecs
import Ledger

/// The origin of a row, as the JSON text of the column `provenance`:
/// `{"profile":…,"version":…,"template":…,"authentication":…,"category":…,"spans":{"amount":[3,10],…},
/// "patterns":{"body_pattern 1 of 2":["amount",…],…},"reasons":[{"factor":…,"weight":…,"note":…},…]}`.
///
/// Written for every mail, hence straight into bytes, without a tree of `JSON` values.
struct Provenance {
    private var bytes: [UInt8] = []

    /// UTF-8.
    static func json(_ decision: Decision, reasons: [Reason]) -> [UInt8] {
        var writer = Provenance()
        writer.write(decision, reasons)
        return writer.bytes
    }

    private mutating func write(_ decision: Decision, _ reasons: [Reason]) {
        bytes.reserveCapacity(1024)
        raw("{")
        member("\"profile\":", decision.profile)
        member("\"version\":", decision.profileVersion)
        member("\"template\":", decision.template)
        member("\"authentication\":", decision.authentication.isEmpty ? nil : decision.authentication)
        member("\"category\":", decision.category?.why)
        if let spans = decision.draft?.spans, !spans.isEmpty {
            separate()
            raw("\"spans\":{")
            for field in Field.allCases {
                guard let span = spans[field] else { continue }
                separate()
                string(field.rawValue)
                raw(":[")
                number(span.lowerBound)
                raw(",")
                number(span.upperBound)
                raw("]")
            }
            raw("}")
        }
        if let patterns = decision.draft?.patterns, !patterns.isEmpty { write(patterns) }
        separate()
        raw("\"reasons\":[")
        for reason in reasons {
            separate()
            raw("{")
            member("\"factor\":", reason.name)
            raw(",\"weight\":")
            weight(reason.weight)
            member("\"note\":", reason.note)
            raw("}")
        }
        raw("]}")
    }

    /// Writes each pattern's name once with its fields, because one pattern sets most fields.
    private mutating func write(_ patterns: [Field: FieldPattern]) {
        separate()
        raw("\"patterns\":{")
        var written: [FieldPattern] = []
        for first in Field.allCases {
            guard let pattern = patterns[first], !written.contains(pattern) else { continue }
            written.append(pattern)
            separate()
            string(pattern.name)
            raw(":[")
            for field in Field.allCases where patterns[field] == pattern {
                separate()
                string(field.rawValue)
            }
            raw("]")
        }
        raw("}")
    }

    /// Writes a comma, unless this is the first item of its object or list.
    private mutating func separate() {
        guard let last = bytes.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") else { return }
        bytes.append(UInt8(ascii: ","))
    }

    private mutating func member(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        separate()
        raw(name)
        string(value)
    }

    private mutating func raw(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    private mutating func number(_ value: Int) {
        if value >= 10 { number(value / 10) }
        bytes.append(UInt8(0x30 + max(value, 0) % 10))
    }

    /// Writes two decimals if they are exact, as for nearly every weight.
    private mutating func weight(_ value: Double) {
        let hundredths = value * 100
        guard hundredths >= 0, hundredths <= 100, hundredths == hundredths.rounded() else {
            return bytes.append(contentsOf: (value.isFinite ? value.description : "0").utf8)
        }
        let whole = Int(hundredths)
        number(whole / 100)
        if whole % 100 != 0 {
            raw(".")
            number(whole % 100 / 10)
            if whole % 10 != 0 { number(whole % 10) }
        }
    }

    private mutating func string(_ text: String) { JSON.quote(text, to: &bytes) }
}
