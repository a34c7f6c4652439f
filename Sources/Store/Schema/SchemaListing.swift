extension Schema {
    /// One index of a tenth of the rows' size holds all that lists filter, search and sort by and that sums are made
    /// of: only the rows of a page are read. Rows arrive in the order of their days, nearly, so it is written at its
    /// end, and costs no more than the two that it replaces.
    ///
    /// `deleted_at` says nothing in it, but without it SQLite 3.40 looks at the row to see the index's own condition.
    static let listing = """
        DROP INDEX transactions_by_date;
        DROP INDEX transactions_statistics;
        CREATE INDEX transactions_by_date ON transactions
          (parsed_date, id, status, currency, transaction_type, amount_minor, category_name, subcategory, parsed_vendor, channel, account_digits, profile,
           account_id, recorder, ledger, confidence_score, notes, reference, vpa, deleted_at)
          WHERE deleted_at IS NULL;
        """
}
