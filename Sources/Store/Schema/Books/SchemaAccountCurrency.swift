extension Schema {
    /// The currency of an account that its first alert made and nobody confirmed: ``AccountCurrency`` follows it.
    static let accountCurrency = """
        UPDATE user_accounts SET currency = coalesce(\(AccountCurrency.usual), currency) WHERE confirmed_at IS NULL;
        """
}
