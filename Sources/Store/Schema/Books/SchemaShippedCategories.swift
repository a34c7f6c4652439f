extension Schema {
    /// A shipped category may be renamed and recoloured: `shipped_name` is its name in the file of categories, and an
    /// edited one is not updated from that file any more.
    static let shippedCategories = """
        ALTER TABLE categories ADD COLUMN shipped_name TEXT COLLATE NOCASE;
        ALTER TABLE categories ADD COLUMN is_edited INTEGER NOT NULL DEFAULT 0 CHECK (is_edited IN (0, 1));
        UPDATE categories SET shipped_name = name WHERE is_system;
        CREATE UNIQUE INDEX categories_by_shipped_name ON categories (shipped_name) WHERE shipped_name IS NOT NULL;
        ALTER TABLE subcategories ADD COLUMN shipped_name TEXT COLLATE NOCASE;
        UPDATE subcategories SET shipped_name = name WHERE is_system;
        CREATE UNIQUE INDEX subcategories_by_shipped_name ON subcategories (category_id, shipped_name) WHERE shipped_name IS NOT NULL;
        """
}
