import Chronology
import Ledger
import Store

/// The comparison of a sum with the sum of another period, in words.
struct Comparison {
    /// `12 % more`, `as before`.
    var words: String
    /// `more`, `less` or `same`.
    var trend: String

    /// `nil` if there is no sum to compare with.
    init?(_ new: Int64, with old: Int64?) {
        guard let old, old > 0 else { return nil }
        let percent = Int((Double(new - old) / Double(old) * 100).rounded())
        words =
            percent == 0
            ? PageText.of("comparison.as-before")
            : percent > 999
                ? PageText.of("comparison.ten-times")
                : PageText.of(percent > 0 ? "comparison.more" : "comparison.less", ["percent": "\(abs(percent))"])
        trend = percent == 0 ? "same" : percent > 0 ? "more" : "less"
    }

    /// The other period of a comparison, cut to the days that have passed: `Sep 2026`, `1 to 23 Oct 2026`.
    static func name(_ period: ReportingPeriod, _ choice: PeriodChoice) -> String? {
        guard let other = choice.other(than: period) else { return nil }
        let days = period.comparable(other, on: choice.today)
        return days == other.days ? PeriodText.title(other) : PeriodText.span(days)
    }

    /// One sentence each about spending and income, compared with the other period, and about savings: `Spent ₹300.00,
    /// 50 % more than ₹200.00 in Sep 2026.`
    /// - Parameter isPart: true if the sums are those of a category, payee or account: they save nothing.
    static func sentences(
        _ now: Statistics.Totals, _ before: Statistics.Totals?, _ period: ReportingPeriod, _ choice: PeriodChoice,
        isPart: Bool
    ) -> [String] {
        let name = name(period, choice)
        let hasIncome = now.received.minorUnits != 0 || (before?.received.minorUnits ?? 0) != 0
        let sums = [("spent", now.spent, before?.spent), ("received", now.received, before?.received)]
        return sums.filter { !isPart || $0.0 == "spent" || hasIncome }.map {
            key, new, old in
            let amount = MoneyText.text(new)
            guard let old, let name, let change = Comparison(new.minorUnits, with: old.minorUnits) else {
                return PageText.of("comparison.\(key)", ["amount": amount])
            }
            return change.trend == "same"
                ? PageText.of("comparison.\(key)-same", ["amount": amount, "period": name])
                : PageText.of(
                    "comparison.\(key)-other",
                    ["amount": amount, "change": change.words, "old": MoneyText.text(old), "period": name])
        } + (isPart ? [] : [PageText.of("comparison.saved", ["amount": MoneyText.text(now.net)])])
    }
}
