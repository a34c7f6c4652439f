extension Schema {
    /// Exchange rates.
    static let rates = """
        -- billionths: of the quote for one unit of the base.
        CREATE TABLE exchange_rates (
          base TEXT NOT NULL CHECK (length(base) = 3),
          quote TEXT NOT NULL CHECK (length(quote) = 3),
          day TEXT NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
          billionths INTEGER NOT NULL CHECK (billionths > 0),
          source TEXT NOT NULL CHECK (source = 'person' OR source = 'ecb' OR source = 'rbi'),
          updated_at TEXT NOT NULL,
          PRIMARY KEY (base, quote, day),
          CHECK (base <> quote)
        ) STRICT, WITHOUT ROWID;
        """
}
