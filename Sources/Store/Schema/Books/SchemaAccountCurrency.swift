extension Schema {
    /// The currency of an unconfirmed account, which its first alert made: ``AccountCurrency`` follows it.
    static let accountCurrency = """
        UPDATE user_accounts SET currency = coalesce(\(AccountCurrency.usual), currency) WHERE confirmed_at IS NULL;
        """
}
