extension Schema {
    /// Numbers for exchange rates, by which the journal restores them, and rates that a mail states.
    static let rateNumbers = """
        -- AUTOINCREMENT: the journal restores a rate under its number.
        CREATE TABLE numbered_rates (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          base TEXT NOT NULL CHECK (length(base) = 3),
          quote TEXT NOT NULL CHECK (length(quote) = 3),
          day TEXT NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
          -- Of the quote for one unit of the base.
          billionths INTEGER NOT NULL CHECK (billionths > 0),
          source TEXT NOT NULL CHECK (source = 'person' OR source = 'ecb' OR source = 'rbi' OR source = 'mail'),
          updated_at TEXT NOT NULL,
          UNIQUE (base, quote, day),
          CHECK (base <> quote)
        ) STRICT;
        INSERT INTO numbered_rates (base, quote, day, billionths, source, updated_at)
          SELECT base, quote, day, billionths, source, updated_at FROM exchange_rates ORDER BY day, base, quote;
        DROP TABLE exchange_rates;
        ALTER TABLE numbered_rates RENAME TO exchange_rates;
        """
}
