extension Schema {
    /// Sums over the booked rows without reading the rows, each of which is some 1.5 kB. A day's rows stand together,
    /// and new rows at its end.
    ///
    /// `status` and `deleted_at` say nothing in it, but without them SQLite 3.40 looks at the row to see its own
    /// condition.
    static let statistics = """
        CREATE INDEX transactions_statistics ON transactions
          (parsed_date, currency, transaction_type, category_name, subcategory, amount_minor, parsed_vendor, status, deleted_at)
          WHERE status = 'confirmed' AND deleted_at IS NULL;
        """
}
