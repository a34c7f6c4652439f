import Chronology
import Ledger
import Store

/// Formats amounts with the currency's sign and the digit grouping of its country.
enum MoneyText {
    /// `₹1,23,456.78`, `$123,456.78`, `AED 1,234.50`.
    static func text(_ money: Money) -> String {
        let sign = money.minorUnits < 0 ? "\u{2212}" : ""
        return sign + prefix(money.currency) + grouped(money)
    }

    /// `+₹50.00` for money that comes in, a refund included. Other amounts have no sign: a list names transfers, and
    /// the rest is spent.
    /// - Parameter type: `nil` if the direction is not known.
    static func signed(_ money: Money, _ type: TransactionType?) -> String {
        signed(money, isIncome: type == .income)
    }

    static func signed(_ money: Money, isIncome: Bool) -> String { (isIncome ? "+" : "") + text(money) }

    /// The remark on amounts that a total leaves out; `nil` if there are none.
    static func withoutRate(_ amounts: [Money]) -> String? {
        amounts.isEmpty
            ? nil
            : PageText.of("money.without-rate", ["amounts": amounts.map(text).joined(separator: ", ")])
    }

    /// Returns the amount without minor units, shortened if it is large: for axes and narrow columns.
    static func short(_ money: Money) -> String {
        let magnitude = Int64(clamping: money.minorUnits.magnitude)
        let whole = (0..<money.currency.exponent).reduce(magnitude) { units, _ in units / 10 }
        let sign = (money.minorUnits < 0 && whole > 0 ? "\u{2212}" : "") + prefix(money.currency)
        let steps: [(Int64, String)] =
            money.currency.code == "INR"
            ? [(10_000_000, "money.crore"), (100_000, "money.lakh"), (1000, "money.thousand")]
            : [(1_000_000_000, "money.billion"), (1_000_000, "money.million"), (1000, "money.thousand")]
        for (step, name) in steps where whole >= step {
            let tenths = whole * 10 / step
            let amount = tenths % 10 == 0 || tenths >= 1000 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
            return sign + PageText.of(name, ["amount": amount])
        }
        return sign + "\(whole)"
    }

    static func prefix(_ currency: Currency) -> String {
        switch currency.code {
        case "INR": "₹"
        case "USD": "$"
        case "EUR": "€"
        case "GBP": "£"
        case "JPY": "¥"
        default: currency.code + "\u{A0}"
        }
    }

    /// `1,23,456`: a count with the digit grouping of rupees.
    static func number(_ count: Int) -> String { grouped("\(count)"[...], size: 2) }

    /// Groups of two before the last three digits for rupees (Indian numbering system), otherwise of three.
    private static func grouped(_ money: Money) -> String {
        let decimal = money.decimal.drop { $0 == "-" }
        let parts = decimal.split(separator: ".")
        guard let whole = parts.first else { return String(decimal) }
        return grouped(whole, size: money.currency.code == "INR" ? 2 : 3) + (parts.count > 1 ? "." + parts[1] : "")
    }

    private static func grouped(_ digits: Substring, size: Int) -> String {
        var rest = digits
        var groups = [rest.suffix(3)]
        rest = rest.dropLast(3)
        while !rest.isEmpty {
            groups.append(rest.suffix(size))
            rest = rest.dropLast(size)
        }
        return groups.reversed().joined(separator: ",")
    }
}

/// Formats proportions.
enum PercentText {
    /// `85 %` of 0.85.
    static func text(_ value: Double) -> String { "\(Int((value * 100).rounded())) %" }
}

/// Formats days and instants.
enum DayText {
    /// `5 Jan 2026`.
    static func text(_ day: CalendarDate) -> String {
        PageText.of("date.day", ["day": "\(day.day)", "month": name(ofMonth: day.month), "year": "\(day.year)"])
    }

    /// `5 Jan`.
    static func short(_ day: CalendarDate) -> String {
        PageText.of("date.short", ["day": "\(day.day)", "month": name(ofMonth: day.month)])
    }

    /// `Jan 2026`.
    static func month(_ day: CalendarDate) -> String {
        PageText.of("date.month", ["month": name(ofMonth: day.month), "year": "\(day.year)"])
    }

    private static func name(ofMonth month: Int) -> String { PageText.of("date.month-\(month)") }

    /// `Mon` to `Sun` (ISO 8601).
    static var weekdays: [String] { (1...7).map { PageText.of("date.weekday-\($0)") } }

    /// `5 Jan 2026, 12:13 IST` of an instant, in the time zone of the ledger.
    static func instant(_ instant: UnixTime, _ zone: IANATimeZone) -> String {
        let minutes = (instant + zone.offset(at: instant)).seconds / 60 % 1440
        let time = "\(minutes / 600)\(minutes / 60 % 10):\(minutes % 60 / 10)\(minutes % 10)"
        return PageText.of(
            "date.instant", ["day": text(zone.day(of: instant)), "time": time, "zone": zone.label(at: instant)])
    }
}
