public import Chronology
public import Ledger

/// Sums over confirmed transactions. Currencies are never added together, and transfers between own accounts are
/// neither spent nor received.
public enum Statistics {
    /// Figures of one currency in a range of days.
    public struct Totals: Hashable, Sendable {
        public var spent: Money
        public var received: Money
        public var transferred: Money
        /// Numbers of expenses and of incomes.
        public var expenses: Int
        public var incomes: Int
        public var transfers: Int
        /// The largest expense; zero if there is none.
        public var largest: Money

        public init(currency: Currency) {
            let nothing = Money(minorUnits: 0, currency: currency)
            (spent, received, transferred, largest) = (nothing, nothing, nothing, nothing)
            (expenses, incomes, transfers) = (0, 0, 0)
        }

        public var currency: Currency { spent.currency }
        public var transactions: Int { expenses + incomes + transfers }
        public var net: Money { Money(minorUnits: received.minorUnits &- spent.minorUnits, currency: currency) }
    }

    public struct CategorySum: Hashable, Sendable {
        public var category: String
        /// `nil` for the expenses of the category without a subcategory.
        public var subcategory: String?
        public var spent: Money
        public var expenses: Int

        public init(category: String, subcategory: String?, spent: Money, expenses: Int) {
            self.category = category
            self.subcategory = subcategory
            self.spent = spent
            self.expenses = expenses
        }
    }

    /// Expenses and income of one step of a chart.
    public struct Bucket: Hashable, Sendable {
        public var days: DaySpan
        public var spent: Money
        public var received: Money
        public var expenses: Int
    }

    public struct MerchantSum: Hashable, Sendable {
        /// Last printed spelling; names that differ in ASCII case only are one merchant.
        public var merchant: String
        public var spent: Money
        public var expenses: Int
        /// `yyyy-mm-dd`.
        public var lastDate: CalendarDate
    }

    /// The expenses of a category in each step of a chart.
    public struct CategorySeries: Hashable, Sendable {
        public var category: String
        public var spent: [Money]
        public var total: Money

        public init(category: String, spent: [Money], total: Money) {
            (self.category, self.spent, self.total) = (category, spent, total)
        }
    }

    public struct PayeeSum: Hashable, Sendable {
        /// `payees.id`.
        public var payeeID: Int64
        public var payee: String
        public var spent: Money
        public var expenses: Int
        public var lastDate: CalendarDate
    }

    public struct TagSum: Hashable, Sendable {
        public var tag: String
        public var spent: Money
        public var expenses: Int
    }

    /// Length of a step of a chart. Weeks begin on Monday; the first and the last step are cut at the ends of the
    /// range.
    public enum Step: String, Hashable, Sendable, CaseIterable {
        case day, week, month, year

        /// The shortest length with which a range has at most `limit` steps, as far as there is one.
        public init(of span: DaySpan, atMost limit: Int) {
            self =
                span.days <= limit
                ? .day : span.days <= 7 * (limit - 1) ? .week : span.days <= 30 * (limit - 1) + 15 ? .month : .year
        }

        /// Steps of a range, in order and without gaps.
        public func steps(of span: DaySpan) -> [DaySpan] {
            var result: [DaySpan] = []
            var first = span.first
            while first <= span.last {
                let end = min(last(from: first), span.last)
                guard let step = DaySpan(first, through: end) else { break }
                result.append(step)
                let next = CalendarDate(daysSince1970: end.daysSince1970 + 1)
                guard next > first else { break }
                first = next
            }
            return result
        }

        /// The last day of the step that `day` is in.
        private func last(from day: CalendarDate) -> CalendarDate {
            switch self {
            case .day: day
            case .week: CalendarPeriod.week.days(around: day).last
            case .month: CalendarPeriod.month.days(around: day).last
            case .year: CalendarPeriod.year.days(around: day).last
            }
        }
    }
}
