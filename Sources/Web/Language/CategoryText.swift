/// Names of categories in the language of the page. Those that people gave stay; shipped ones are texts of the group
/// `category`.
enum CategoryText {
    static func name(_ name: String) -> String { TextCatalogue.current.text("category.\(name)") ?? name }

    /// `Food & Dining › Restaurants`.
    static func name(_ category: String, _ subcategory: String?) -> String {
        name(category) + (subcategory.map { " › " + name($0) } ?? "")
    }
}
