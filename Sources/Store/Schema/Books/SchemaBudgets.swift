extension Schema {
    /// Each state of a period is reported once.
    static let budgetNotifications = """
        CREATE TABLE budget_notifications (
          budget_id INTEGER NOT NULL REFERENCES budgets (id) ON DELETE CASCADE,
          first_day TEXT NOT NULL,
          state TEXT NOT NULL CHECK (state IN ('warning', 'exceeded')),
          told_at TEXT NOT NULL,
          PRIMARY KEY (budget_id, first_day, state)
        ) STRICT, WITHOUT ROWID;
        """

    /// Limits of the expenses of categories. Their state is computed when it is asked for.
    static let budgets = """
        -- starts_on: a day of the first period. AUTOINCREMENT: the journal restores a deleted row under its number.
        CREATE TABLE budgets (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          category_id INTEGER NOT NULL REFERENCES categories (id) ON DELETE CASCADE,
          subcategory_id INTEGER REFERENCES subcategories (id) ON DELETE CASCADE,
          period TEXT NOT NULL CHECK (period IN ('week', 'month', 'quarter', 'year')),
          currency TEXT NOT NULL CHECK (length(currency) = 3),
          amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
          rolls_over INTEGER NOT NULL DEFAULT 0 CHECK (rolls_over IN (0, 1)),
          starts_on TEXT NOT NULL CHECK (starts_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
          created_at TEXT NOT NULL,
          updated_at TEXT NOT NULL
        ) STRICT;
        -- NULL is not equal to NULL in an index, and here it must be.
        CREATE UNIQUE INDEX budgets_once ON budgets (category_id, coalesce(subcategory_id, 0), currency, period);
        CREATE INDEX budgets_by_subcategory ON budgets (subcategory_id);
        """
}
