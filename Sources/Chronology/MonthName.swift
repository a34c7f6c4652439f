/// English month names, as mail headers, HTTP and alerts write them.
public enum MonthName {
    static let abbreviations = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    static let names = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// `January` for 1.
    public static func name(_ month: Int) -> String { names[month - 1] }

    /// The abbreviations in lower case, with `sept`.
    public static let abbreviatedWords = Set(abbreviations.map { $0.lowercased() } + ["sept"])

    /// The names in lower case.
    public static let words = Set(names.map { $0.lowercased() })

    /// The lower-case abbreviations, each as a 24-bit number with the first letter on top.
    private static let keys: [UInt32] = abbreviations.map { name in
        name.utf8.reduce(0) { $0 << 8 | UInt32($1 | 0x20) }
    }

    /// `Jan` for 1.
    public static func abbreviation(_ month: Int) -> String { abbreviations[month - 1] }

    /// The month 1...12 of an abbreviation in any case; `nil` for anything else.
    public static func month(abbreviated name: some Collection<UInt8>) -> Int? {
        guard name.count == 3, name.allSatisfy({ $0 & 0x40 != 0 }) else { return nil }
        return month(key: name.reduce(0) { $0 << 8 | UInt32($1 | 0x20) })
    }

    /// The month whose lower-case abbreviation has these three bytes, the first letter on top.
    public static func month(key: UInt32) -> Int? { keys.firstIndex(of: key).map { $0 + 1 } }
}
