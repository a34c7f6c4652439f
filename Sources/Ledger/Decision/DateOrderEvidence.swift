public import Chronology

/// What the numeric dates of one mail prove, and what they leave open.
public struct PrintedDates: Hashable, Sendable {
    /// The orders that a date of the mail proves: by a day above 12, or because it fits the mail's arrival in one order
    /// only. Evidence about the bank only if the mail is authentic.
    public var proven: Set<DateOrder> = []
    /// The draft's day in the other order, if nothing in the mail decides between the two.
    public var other: OtherDay?

    public init() {}
}

/// The day of a draft, such as 03/04/2026, in the order in which it was not read.
public struct OtherDay: Hashable, Sendable {
    public var order: DateOrder
    public var date: CalendarDate
    public var occurredAt: UnixTime
    /// The factors about the day if it is this one.
    public var reasons: [Reason]

    public init(order: DateOrder, date: CalendarDate, occurredAt: UnixTime, reasons: [Reason]) {
        (self.order, self.date, self.occurredAt, self.reasons) = (order, date, occurredAt, reasons)
    }
}

/// The number of a bank's authentic mails that prove each order of day and month.
public struct DateOrderCounts: Hashable, Sendable {
    public var dayFirst: Int
    public var monthFirst: Int

    public init(dayFirst: Int = 0, monthFirst: Int = 0) {
        (self.dayFirst, self.monthFirst) = (dayFirst, monthFirst)
    }

    /// The mails from which on an order is proven: one odd footer decides nothing.
    public static let minimum = 2

    /// The proven order; `nil` if too few mails prove one, or mails prove both.
    public var proven: DateOrder? {
        if monthFirst == 0, dayFirst >= Self.minimum { return .dayFirst }
        if dayFirst == 0, monthFirst >= Self.minimum { return .monthFirst }
        return nil
    }

    /// The mails that prove an order.
    public subscript(order: DateOrder) -> Int {
        switch order {
        case .dayFirst: dayFirst
        case .monthFirst: monthFirst
        case .yearFirst: 0
        }
    }

    public mutating func add(_ proven: Set<DateOrder>) {
        if proven.contains(.dayFirst) { dayFirst += 1 }
        if proven.contains(.monthFirst) { monthFirst += 1 }
    }
}

extension Decision {
    /// The factors that depend on the day.
    private static let dayFactors: Set<Reason.Factor> = [.dateInFuture, .dateDistance, .dateOrderUnproven]

    /// The same decision with its day in the order that other mails of the bank prove. If they speak against the order
    /// in which it was read and prove none, a person decides.
    public func dated(by counts: DateOrderCounts) -> Decision {
        guard let other = dates.other, let draft else { return self }
        var copy = self
        if let proven = counts.proven {
            copy.reasons.removeAll { $0.factor == .dateOrderUnproven }
            var dated = draft
            if proven == other.order {
                copy.reasons.removeAll { $0.factor.map(Self.dayFactors.contains) ?? false }
                copy.reasons += other.reasons.filter { $0.factor.map(Self.dayFactors.contains) ?? false }
                (dated.date, dated.occurredAt) = (other.date, other.occurredAt)
            }
            copy.reasons.append(
                Reason(
                    .dateOrderProven, weight: 1,
                    note: "\(counts[proven]) other mails of the bank print \(proven.words): so this day was read"))
            copy.dates.other = nil
            copy.disposition = disposition.with(dated)
        } else {
            guard counts[other.order] > 0 else { return self }
            copy.reasons.removeAll { $0.factor == .dateOrderUnproven }
            copy.reasons.append(.unprovenDateOrder("mails of the bank contradict the order in which its day was read"))
            copy.disposition = .review(draft)
        }
        copy.confidence = copy.reasons.confidence
        return copy
    }
}

extension Reason {
    /// - Parameter note: why the order of day and month is a guess.
    public static func unprovenDateOrder(_ note: String) -> Reason {
        Reason(.dateOrderUnproven, weight: 0.8, note: note)
    }
}

extension Decision.Disposition {
    /// The same for another draft.
    fileprivate func with(_ draft: TransactionDraft) -> Decision.Disposition {
        switch self {
        case .review(.some): .review(draft)
        case .book: .book(draft)
        case .unclaimed, .copy, .quarantined, .ignored, .review(nil), .failed: self
        }
    }
}

extension DateOrder {
    fileprivate var words: String {
        switch self {
        case .dayFirst: "the day before the month"
        case .monthFirst: "the month before the day"
        case .yearFirst: "the year first"
        }
    }
}
