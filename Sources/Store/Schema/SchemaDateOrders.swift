extension Schema {
    /// What the mails of a bank prove about the order of its numeric dates.
    static let dateOrders = """
        -- mails: authentic ones with a date that proves the order.
        CREATE TABLE date_order_counts (
          profile TEXT NOT NULL CHECK (profile <> ''),
          date_order TEXT NOT NULL CHECK (date_order IN ('day_first', 'month_first')),
          mails INTEGER NOT NULL CHECK (mails > 0),
          PRIMARY KEY (profile, date_order)
        ) STRICT, WITHOUT ROWID;
        """
}
