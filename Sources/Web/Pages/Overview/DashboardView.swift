import Chronology
import Ledger
import Review
import Store

/// The overview as text.
struct DashboardView {
    struct Choice {
        var title: String
        var path: String
        var isCurrent: Bool
    }

    struct Figure {
        var title: String
        var value: String
        /// The change against the period before; `nil` without a period to compare with.
        var change: String?
        /// `more`, `less` or `same`.
        var trend: String
        var note: String
        /// A class of the style sheet after a space. It keeps sums of lakhs and crores on one line of a phone.
        let size: String

        init(title: String, value: String, change: String?, trend: String, note: String) {
            (self.title, self.value, self.change, self.trend, self.note) = (title, value, change, trend, note)
            size = value.count < 12 ? "" : value.count < 14 ? " long" : " longest"
        }
    }

    struct Bar {
        var title: String
        /// `#RRGGBB`.
        var color: String
        var amount: String
        var share: String
        /// Width in percent.
        var width: String
        var path: String
        var count: String
        /// The subcategories, as text.
        var parts: String?
    }

    struct Merchant {
        var name: String
        var amount: String
        var count: String
        var last: String
        var path: String
    }

    struct Waiting {
        var title: String
        var date: String
        var amount: String?
        var path: String
    }

    var isEmpty: Bool
    var hasNoMailbox: Bool
    var periods: [Choice]
    /// Empty if there is only one.
    var currencies: [Choice]
    var span: String
    var figures: [Figure]
    var bars: [Bar]
    var merchants: [Merchant]
    var chart: ChartView?
    var waiting: [Waiting]
    var waitingMore: String?
    /// The number of proposed transfers, as text.
    var questions: String?
    var troubles: [String]
    var troublesMore: String?
    var uncategorized: String?
    var uncategorizedPath: String

    /// Limit of shown categories, the largest first.
    private static let bars = 12
    private static let troubles = 4

    init(_ sums: DashboardPage.Sums, _ scope: DashboardPage.Scope) {
        let (period, span) = (scope.period, scope.days)
        let code = sums.currency.code
        let many = sums.totals.count > 1
        isEmpty = sums.isEmpty
        hasNoMailbox = sums.health.isEmpty && sums.isEmpty
        periods = Period.allCases.map {
            Choice(
                title: $0.title,
                path: "/?" + FormFields.encoded([("period", $0.rawValue)] + (many ? [("currency", code)] : [])),
                isCurrent: $0 == period)
        }
        currencies =
            many
            ? sums.totals.map {
                Choice(
                    title: $0.currency.code,
                    path: "/?" + FormFields.encoded([("period", period.rawValue), ("currency", $0.currency.code)]),
                    isCurrent: $0.currency == sums.currency)
            } : []
        self.span = "\(DayText.text(span.first)) to \(DayText.text(span.last))"
        let now = sums.totals.first { $0.currency == sums.currency } ?? Statistics.Totals(currency: sums.currency)
        figures = Self.figures(now, sums.before, span.days)
        let filter = [
            ("since", span.first.description), ("until", span.last.description), ("currency", code),
            ("type", "expense"), ("status", "confirmed"),
        ]
        func list(_ more: [(String, String)]) -> String { "/app/transactions?" + FormFields.encoded(filter + more) }
        bars = Self.bars(sums, now, list)
        merchants = sums.merchants.map {
            Merchant(
                name: $0.merchant, amount: MoneyText.text($0.spent), count: Self.count($0.expenses, "payment"),
                last: DayText.text($0.lastDate), path: list([("q", SearchExpression.text(merchant: $0.merchant))]))
        }
        chart = now.spent.minorUnits > 0 ? ChartView(sums.buckets, by: period.step) : nil
        waiting = sums.waiting.map { line in
            Waiting(
                title: line.merchant ?? line.subject ?? line.sender ?? "A mail",
                date: line.date.map { DayText.text($0) } ?? "", amount: line.amount.map(MoneyText.text),
                path: "/app/review/\(line.id.argument)")
        }
        waitingMore = sums.waitingTotal > sums.waiting.count ? "All \(sums.waitingTotal)" : nil
        questions = sums.questions > 0 ? Self.count(sums.questions, "possible transfer") : nil
        troubles = Array(sums.health.prefix(Self.troubles))
        troublesMore = sums.health.count > Self.troubles ? "and \(sums.health.count - Self.troubles) more" : nil
        let without = sums.categories.filter { $0.category == CategoryRow.uncategorized }.reduce(0) { $0 + $1.expenses }
        uncategorized = without > 0 ? Self.count(without, "payment") : nil
        uncategorizedPath = list([("category", CategoryRow.uncategorized)])
    }

    static func count(_ number: Int, _ word: String) -> String {
        "\(MoneyText.number(number)) \(word)\(number == 1 ? "" : "s")"
    }

    private static func figures(_ now: Statistics.Totals, _ before: Statistics.Totals?, _ days: Int) -> [Figure] {
        func average(_ totals: Statistics.Totals) -> Money {
            Money(minorUnits: totals.spent.minorUnits / Int64(days), currency: totals.currency)
        }
        func figure(_ title: String, _ value: String, _ new: Int64, _ old: Int64?, _ note: String) -> Figure {
            guard let old, old > 0 else {
                return Figure(title: title, value: value, change: nil, trend: "same", note: note)
            }
            let percent = Int((Double(new - old) / Double(old) * 100).rounded())
            let words =
                percent == 0
                ? "as before" : percent > 999 ? "over 10 times" : "\(abs(percent)) % \(percent > 0 ? "more" : "less")"
            return Figure(
                title: title, value: value, change: words, trend: percent == 0 ? "same" : percent > 0 ? "more" : "less",
                note: note)
        }
        let largest = now.expenses > 0 ? "largest \(MoneyText.text(now.largest))" : "no payments"
        return [
            figure("Spent", MoneyText.text(now.spent), now.spent.minorUnits, before?.spent.minorUnits, largest),
            figure(
                "Received", MoneyText.text(now.received), now.received.minorUnits, before?.received.minorUnits,
                count(now.incomes, "credit")),
            figure(
                "Spent a day", MoneyText.text(average(now)), average(now).minorUnits,
                before.map { average($0).minorUnits }, "over \(days) days"),
            figure(
                "Payments", MoneyText.number(now.expenses), Int64(now.expenses), before.map { Int64($0.expenses) },
                now.transfers > 0 ? "and \(count(now.transfers, "transfer")) apart" : "transfers apart"),
        ]
    }

    private static func bars(
        _ sums: DashboardPage.Sums, _ now: Statistics.Totals, _ list: ([(String, String)]) -> String
    ) -> [Bar] {
        var order: [String] = []
        var whole: [String: (units: Int64, expenses: Int, parts: [String])] = [:]
        for sum in sums.categories {
            if whole[sum.category] == nil { order.append(sum.category) }
            var entry = whole[sum.category] ?? (0, 0, [])
            entry.units += sum.spent.minorUnits
            entry.expenses += sum.expenses
            if let name = sum.subcategory { entry.parts.append("\(name) \(MoneyText.text(sum.spent))") }
            whole[sum.category] = entry
        }
        let largest = whole.values.map(\.units).max() ?? 0
        return order.prefix(Self.bars).map { name in
            let entry = whole[name] ?? (0, 0, [])
            let share = now.spent.minorUnits > 0 ? Double(entry.units) / Double(now.spent.minorUnits) * 100 : 0
            return Bar(
                title: name, color: CategoryColor.fill(sums.colors[name]),
                amount: MoneyText.text(Money(minorUnits: entry.units, currency: sums.currency)),
                share: share >= 0.5 ? "\(Int(share.rounded())) %" : "under 1 %",
                width: "\(largest > 0 ? max(1, Int((Double(entry.units) / Double(largest) * 100).rounded())) : 0)",
                path: list([("category", name)]), count: count(entry.expenses, "payment"),
                parts: entry.parts.isEmpty ? nil : entry.parts.prefix(3).joined(separator: " · "))
        }
    }
}

enum CategoryColor {
    static let none = "#8E8E93"

    /// Returns a valid colour: the value becomes part of the markup.
    static func fill(_ color: String?) -> String {
        guard let color, color.utf8.count == 7, color.utf8.first == UInt8(ascii: "#"),
            color.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x46).contains($0 & 0xDF) })
        else { return none }
        return color
    }
}

extension Period {
    fileprivate var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
