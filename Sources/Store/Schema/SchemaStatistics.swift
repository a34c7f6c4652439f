extension Schema {
    /// An index for sums over booked rows, which have about 1.5 kB each. Rows of a day are adjacent, and new rows are
    /// appended.
    ///
    /// `status` and `deleted_at` are constant in it, but without them SQLite 3.40 reads the row to check the index's
    /// own condition.
    static let statistics = """
        CREATE INDEX transactions_statistics ON transactions
          (parsed_date, currency, transaction_type, category_name, subcategory, amount_minor, parsed_vendor, status, deleted_at)
          WHERE status = 'confirmed' AND deleted_at IS NULL;
        """
}
