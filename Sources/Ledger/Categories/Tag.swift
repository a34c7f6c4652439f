/// A word that a person attaches to transactions, such as `goa-2026`. Equal words in any case of letters are one tag.
public enum Tag {
    /// Limit of the tags of one transaction.
    public static let maximum = 20

    /// Characters that end a tag in a typed list.
    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "," || scalar.properties.isWhitespace
    }

    /// Tags of a typed list, separated by blanks or commas.
    public static func list(_ text: String) -> [String] {
        text.unicodeScalars.split(whereSeparator: isSeparator).map { String($0) }
    }

    /// Faults of the tags of a transaction, as those of the field `tags`.
    public static func problems(_ tags: [String]) -> [FieldProblem] {
        var check = FieldCheck()
        if tags.count > maximum { check.refuse("tags", .tooMany(maximum)) }
        for tag in tags {
            check.text("tags", tag, atMost: TextLimit.tag)
            if tag.unicodeScalars.contains(where: isSeparator) {
                check.refuse("tags", .tagForm)
            }
        }
        return Array(check.problems.prefix(1))
    }

    /// The tags without repetitions, in order of their names.
    public static func unique(_ tags: [String]) -> [String] {
        var seen: Set<String> = []
        return tags.filter { seen.insert($0.lowercased()).inserted }.sorted { $0.lowercased() < $1.lowercased() }
    }

}
