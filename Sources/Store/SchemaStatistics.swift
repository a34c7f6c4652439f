extension Schema {
    /// Sums over the booked rows without reading the rows, each of which is some 1.5 kB. A day's rows stand together, and new rows at its end.
    static let statistics = """
        CREATE INDEX transactions_statistics ON transactions
          (parsed_date, currency, transaction_type, category_name, subcategory, amount_minor, parsed_vendor)
          WHERE status = 'confirmed' AND deleted_at IS NULL;
        """
}
