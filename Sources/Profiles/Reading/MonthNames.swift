import Ledger

/// The names of months and weekdays in the languages of `MonthNames.tsv` and `WeekdayNames.tsv`.
enum MonthNames {
    /// Month 1...12 by name, in lower case without full stops. A name of several languages with different months is
    /// left to the English one, or else to the first.
    private static let months: [String: Int] = {
        var months: [String: Int] = [:]
        for columns in TableText.rows(PackageResources.MonthNames_tsv) where columns.count == 13 {
            for (month, names) in columns.dropFirst().enumerated() {
                for name in names.split(separator: "|") {
                    let key = String(name)
                    if months[key] == nil { months[key] = month + 1 }
                }
            }
        }
        return months
    }()

    private static let weekdays: Set<String> = {
        var names: Set<String> = []
        for columns in TableText.rows(PackageResources.WeekdayNames_tsv) where columns.count == 2 {
            names.formUnion(columns[1].split(separator: "|").map(String.init))
        }
        return names
    }()

    /// The maximum number of bytes of a name.
    static let longest = months.keys.lazy.map(\.utf8.count).max() ?? 0

    static func month(_ word: some StringProtocol) -> Int? { months[plain(word)] }

    static func isWeekday(_ word: some StringProtocol) -> Bool { weekdays.contains(plain(word)) }

    private static func plain(_ word: some StringProtocol) -> String { word.lowercased().filter { $0 != "." } }
}
