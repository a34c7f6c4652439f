import Store

/// The periods of the API; each ends today.
enum Period: String, CaseIterable {
    case week, month, quarter, year

    var days: Int {
        switch self {
        case .week: 7
        case .month: 30
        case .quarter: 90
        case .year: 365
        }
    }

    /// Gives a chart between 7 and 31 steps.
    var step: Statistics.Step {
        switch self {
        case .week, .month: .day
        case .quarter: .week
        case .year: .month
        }
    }
}
