extension Schema {
    /// The currency of an unconfirmed account, which its first alert made: ``UnconfirmedAccount`` follows it.
    static let accountCurrency = """
        UPDATE user_accounts SET currency = coalesce(\(UnconfirmedAccount.usual), currency) WHERE confirmed_at IS NULL;
        """
}
