extension Schema {
    /// Accounts that only their owner sees. What others see is decided by ``LedgerView``.
    static let privateAccounts = """
        -- owner_user_id: the only user who sees the account; NULL for an account that all see. A user with such an account is not removed.
        ALTER TABLE user_accounts ADD COLUMN owner_user_id INTEGER REFERENCES users (id);
        CREATE INDEX user_accounts_private ON user_accounts (owner_user_id) WHERE owner_user_id IS NOT NULL;
        """
}
