public import Chronology
public import InternetMessage
public import Ledger
import Profiles

/// A mail with the values that a person gives for it, on the command line or by correcting a review item.
public struct MarkedMail: Sendable {
    /// Canonical text.
    public var text: [UInt8]
    public var subject: String
    /// The addr-spec of From, lower case.
    public var sender: String
    /// The day of arrival in the bank's zone, for dates printed without a year.
    public var arrival: CalendarDate?
    /// Values in any form that a person writes: `1,234.50`, `5 Jan 2026`.
    public var values: [Field: String]
    /// Values that were not given and must not become a part of a pattern, such as the counterparty's name.
    var hidden: [Range<Int>] = []

    public init(text: [UInt8], subject: String, sender: String, arrival: CalendarDate? = nil, values: [Field: String]) {
        self.text = text
        self.subject = subject
        self.sender = sender
        self.arrival = arrival
        self.values = values
    }

    /// - Parameter zone: the bank's time zone.
    public init(_ message: Message, values: [Field: String], zone: IANATimeZone) {
        let arrival = message.date.map { zone.day(of: $0.instant) }
        self.init(
            text: message.text.bytes, subject: message.subject, sender: message.from.first?.addrSpec ?? "",
            arrival: arrival, values: values)
    }
}

extension MarkedMail {
    /// True if a message's text prints the value in one of the forms of alerts.
    public static func prints(_ value: String, as field: Field, in message: Message) -> Bool {
        let arrival = message.date?.day
        return (try? PrintedForms())?.places(of: value, as: field, in: message.text.bytes, arrival: arrival).isEmpty
            == false
    }
}

/// The place of each value of one mail, chosen among all candidates.
struct Placement {
    var places: [Field: PrintedForms.Place] = [:]
    /// Notes about the choice, for a person.
    var notes: [String] = []
    /// The counterparty is printed as its UPI address only.
    var isAddressTheName = false

    /// Fields that can be marked in a text, without type, channel and currency.
    static let findable: [Field] = [.amount, .date, .time, .account, .merchant, .vpa, .reference, .balance, .limit]

    init(of mail: MarkedMail, number: Int, forms: PrintedForms) throws(DerivationError) {
        var candidates: [Field: [PrintedForms.Place]] = [:]
        isAddressTheName =
            mail.values[.merchant] != nil && mail.values[.merchant]?.lowercased() == mail.values[.vpa]?.lowercased()
        for field in Self.findable where !(field == .merchant && isAddressTheName) {
            guard let value = mail.values[field] else { continue }
            let found = forms.places(of: value, as: field, in: mail.text, arrival: mail.arrival)
            guard !found.isEmpty else { throw Self.notFound(value, field, mail, number, forms) }
            candidates[field] = found
        }
        var best: (places: [Field: PrintedForms.Place], score: Double)?
        let roots = candidates[.amount] ?? candidates.min { $0.key.rawValue < $1.key.rawValue }?.value ?? []
        for root in roots.prefix(50) {
            guard let chosen = Self.choose(around: root, candidates, mail.text) else { continue }
            if chosen.score > best?.score ?? -.infinity { best = chosen }
        }
        guard let best else {
            if candidates.isEmpty { return }
            let fields = candidates.keys.map(\.rawValue).sorted().joined(separator: ", ")
            throw DerivationError(
                .ambiguous, "mail \(number): two of the values (\(fields)) are in the same place only",
                remedy: "Leave out the one that the mail does not print by itself.")
        }
        places = best.places
        for (field, place) in places.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            guard let count = candidates[field]?.count, count > 1 else { continue }
            if place.span.count < 3, field == .merchant || field == .reference {
                throw DerivationError(
                    .ambiguous,
                    "mail \(number): the \(field.rawValue) '\(mail.values[field] ?? "")' occurs in \(count) places",
                    remedy: "Give more of it as it is printed.")
            }
            notes.append(
                "mail \(number): the \(field.rawValue) occurs in \(count) places; used is '\(Self.surroundings(of: place.span, in: mail.text))'"
            )
        }
    }

    /// The positions nearest to `root` for every other field; `nil` if two would overlap.
    private static func choose(
        around root: PrintedForms.Place, _ candidates: [Field: [PrintedForms.Place]], _ text: [UInt8]
    ) -> (places: [Field: PrintedForms.Place], score: Double)? {
        let rootField: Field =
            candidates[.amount] != nil ? .amount : candidates.keys.min { $0.rawValue < $1.rawValue } ?? .amount
        var chosen: [Field: PrintedForms.Place] = [rootField: root]
        var score = rootField == .amount ? Wording.score(ofAmount: root.span, in: text) : 0
        for (field, places) in candidates.filter({ $0.key != rootField }).sorted(by: {
            ($0.value.count, $0.key.rawValue) < ($1.value.count, $1.key.rawValue)
        }) {
            let free = places.filter { place in !chosen.values.contains { $0.span.overlaps(place.span) } }
            func cost(_ place: PrintedForms.Place) -> Double {
                let distance = Double(
                    place.span.lowerBound < root.span.lowerBound
                        ? root.span.lowerBound - place.span.upperBound : place.span.lowerBound - root.span.upperBound)
                let isLabelled =
                    field == .balance || field == .limit ? Wording.isLabelledAside(place.span, in: text) : true
                return min(distance, 2000) / 200 + (isLabelled ? 0 : 4)
            }
            guard let nearest = free.min(by: { cost($0) < cost($1) }) else { return nil }
            chosen[field] = nearest
            score -= cost(nearest)
        }
        return (chosen, score)
    }

    private static func surroundings(of span: Range<Int>, in text: [UInt8]) -> String {
        var start = max(0, span.lowerBound - 30)
        while start < span.lowerBound, text[start] & 0xC0 == 0x80 { start += 1 }
        return String(decoding: text[start..<span.upperBound].map { $0 == 0x0A ? 0x20 : $0 }, as: UTF8.self)
    }

    /// The error quotes the most similar text.
    private static func notFound(
        _ value: String, _ field: Field, _ mail: MarkedMail, _ number: Int, _ forms: PrintedForms
    ) -> DerivationError {
        func shown(_ spans: [Range<Int>]) -> String? {
            var seen: [String] = []
            for span in spans {
                let text = String(decoding: mail.text[span], as: UTF8.self)
                if !seen.contains(text) { seen.append(text) }
            }
            return seen.isEmpty ? nil : seen.prefix(8).joined(separator: "; ")
        }
        let near: String?
        switch field {
        case .amount, .balance, .limit:
            guard PrintedForms.money(value) != nil else {
                return DerivationError(.valueNotFound, "'\(value)' is not an amount", remedy: "Write it as 1234.56.")
            }
            near = shown(forms.ranges(of: forms.number, in: mail.text))
        case .date:
            guard PrintedForms.day(value, mail.arrival) != nil else {
                return DerivationError(.valueNotFound, "'\(value)' is not a date", remedy: "Write it as yyyy-mm-dd.")
            }
            near = shown(forms.dates(in: mail.text))
        case .time:
            guard TimeText.read(value.utf8) != nil else {
                return DerivationError(
                    .valueNotFound, "'\(value)' is not a time", remedy: "Write it as hh:mm or hh:mm:ss.")
            }
            near = shown(forms.ranges(of: forms.time, in: mail.text))
        case .account:
            var numbers: [Range<Int>] = []
            for index in mail.text.indices where PrintedForms.isDigit(mail.text[index]) {
                if let last = numbers.last, last.upperBound == index {
                    numbers[numbers.count - 1] = last.lowerBound..<index + 1
                } else {
                    numbers.append(index..<index + 1)
                }
            }
            near = shown(numbers.filter { (3...18).contains($0.count) })
        default: near = NearestText.find(value, in: mail.text)
        }
        return DerivationError(
            .valueNotFound, "mail \(number): the \(field.rawValue) '\(value)' is not in the mail's text",
            remedy: near.map { "Nearest there: \($0)" } ?? "Look at its text with 'parserctl explain'.")
    }
}
