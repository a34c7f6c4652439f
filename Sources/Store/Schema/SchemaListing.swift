extension Schema {
    /// One index of a tenth of the rows' size with all columns that lists filter, search and sort by and that sums use:
    /// only the rows of a page are read. Rows arrive nearly in the order of their days, so most insertions append, and
    /// it costs no more than the two indexes that it replaces.
    ///
    /// `deleted_at` is constant in it, but without it SQLite 3.40 reads the row to check the index's own condition.
    static let listing = """
        DROP INDEX transactions_by_date;
        DROP INDEX transactions_statistics;
        CREATE INDEX transactions_by_date ON transactions
          (parsed_date, id, status, currency, transaction_type, amount_minor, category_name, subcategory, parsed_vendor, channel, account_digits, profile,
           account_id, recorder, ledger, confidence_score, notes, reference, vpa, deleted_at)
          WHERE deleted_at IS NULL;
        """
}
