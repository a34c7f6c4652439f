extension Schema {
    /// What the balances of an account without a printed one are added up from, day by day, without reading its rows.
    /// Lists of an account sort few rows; no query needs the order of its instants.
    static let accountIndex = """
        DROP INDEX transactions_by_user_account;
        CREATE INDEX transactions_by_user_account ON transactions
          (user_account_id, parsed_date, currency, transaction_type, status, amount_minor, balance_minor, limit_minor, deleted_at)
          WHERE user_account_id IS NOT NULL;
        """
}
