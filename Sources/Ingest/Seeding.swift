public import Settings
public import Store

extension Store {
    /// Brings the shipped categories and keywords into the database; what a person made stays as it is.
    public func seed(_ file: CategoryFile) throws(StoreError) {
        try seedCategories(
            file.categories.map { category in
                CategorySeed(
                    name: category.name, icon: category.icon, color: category.color, keywords: category.keywords,
                    subcategories: category.subcategories.map { .init(name: $0.name, icon: $0.icon, keywords: $0.keywords) })
            })
    }
}
