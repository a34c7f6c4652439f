import Chronology
import Ledger
import Profiles

/// Moves printed dates by several days without changing their form.
enum ShiftedDate {
    /// Limit of the shift, so that dates stay in their month.
    static let furthest = 12

    /// Number of days by which all of these dates can be moved within their months without changing their length; 0 if
    /// there is none.
    static func shift(
        for dates: [[UInt8]], orders: [DateOrder], arrival: CalendarDate?, pseudonyms: Pseudonyms
    ) -> Int {
        var stream = pseudonyms.stream(dates.flatMap { $0 }, "shift")
        let choices = (Array(-furthest...(-1)) + Array(1...furthest)).shuffled(using: &stream)
        return choices.first { choice in
            dates.allSatisfy { move($0, by: choice, orders: orders, arrival: arrival) != nil }
        } ?? 0
    }

    /// The date moved by `days`, in the same form; `nil` if it would be in another month or have another number of
    /// digits.
    /// - Parameter orders: in which the bank prints numeric dates; the first that gives a day counts.
    static func move(
        _ printed: [UInt8], by days: Int, orders: [DateOrder] = [.dayFirst], arrival: CalendarDate?
    ) -> [UInt8]? {
        if days == 0 { return printed }
        let arrival = arrival ?? CalendarDate(daysSince1970: 20_000)
        guard
            let (date, order) = orders.lazy.compactMap({ order in
                DateText.read(printed, order: order, arrival: arrival).map { ($0, order) }
            }).first
        else { return nil }
        let moved = CalendarDate(daysSince1970: date.daysSince1970 + days)
        guard moved.month == date.month, moved.year == date.year else { return nil }
        // The number whose change alone gives the requested date is the day.
        for run in numbers(in: printed) where run.count <= 2 {
            var result = printed
            let day = Array("\(moved.day)".utf8)
            let digits = run.count > day.count ? [UInt8(ascii: "0")] + day : day
            guard digits.count == run.count,
                !(run.count == 2 && digits[0] == UInt8(ascii: "0") && printed[run.lowerBound] != UInt8(ascii: "0")
                    && !usesZeros(printed))
            else { continue }
            for (offset, index) in run.enumerated() { result[index] = digits[offset] }
            suffix(&result, behind: run.upperBound, moved.day)
            let later = CalendarDate(daysSince1970: arrival.daysSince1970 + days)
            if DateText.read(result, order: order, arrival: later) == moved { return result }
        }
        return nil
    }

    /// True if two-digit days may begin with a zero: in forms of digits only.
    private static func usesZeros(_ printed: [UInt8]) -> Bool {
        !printed.contains(where: PrintedForms.isLetter) || printed.count >= 9
    }

    private static func numbers(in text: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for index in text.indices where PrintedForms.isDigit(text[index]) {
            if let last = found.last, last.upperBound == index {
                found[found.count - 1] = last.lowerBound..<index + 1
            } else {
                found.append(index..<index + 1)
            }
        }
        return found
    }

    /// Replaces `1st`, `2nd`, `11th`, if an ordinal suffix is printed.
    private static func suffix(_ text: inout [UInt8], behind at: Int, _ day: Int) {
        guard at + 2 <= text.count else { return }
        let ending = String(decoding: text[at..<at + 2], as: UTF8.self).lowercased()
        guard ["st", "nd", "rd", "th"].contains(ending) else { return }
        let new = (11...13).contains(day) ? "th" : [1: "st", 2: "nd", 3: "rd"][day % 10] ?? "th"
        let isCapital = text[at] & 0x20 == 0
        for (offset, byte) in new.utf8.enumerated() { text[at + offset] = isCapital ? byte & 0xDF : byte }
    }
}
