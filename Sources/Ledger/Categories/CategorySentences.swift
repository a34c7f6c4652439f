/// The reason for the category of a transaction, for display: one sentence, stored with the transaction.
/// ``CategoryMatch/why`` is that of a keyword.
public enum CategorySentences {
    /// - Parameter name: of the person; empty if it is not known.
    public static func chosen(by name: String = "") -> String { "chosen by \(name.isEmpty ? "a person" : name)" }

    public static func payee(_ name: String, target: String) -> String {
        "your category of the payee \"\(name)\" -> \(target)"
    }

    /// A split payment is listed under the category of its largest part.
    public static func largest(ofParts count: Int) -> String { "the largest of \(count) parts of a split payment" }

    public static func transfer(_ reason: TransferReason, target: String) -> String {
        "\(reason.sentence) -> \(target)"
    }

    /// `Food / Coffee`.
    public static func target(_ category: String, _ subcategory: String?) -> String {
        category + (subcategory.map { " / \($0)" } ?? "")
    }
}
