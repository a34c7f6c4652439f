-- Passwords of statements, sealed to a public key of the workers: see SealedPassword.
CREATE TABLE fleet.statement_passwords (
  household_id bigint NOT NULL REFERENCES fleet.households ON DELETE CASCADE,
  -- The bank, or the bank and the last digits of the account: hdfc, hdfc-3307.
  statement text NOT NULL CHECK (statement <> ''),
  -- The public key in base64.
  sealed_to text NOT NULL CHECK (length(sealed_to) = 44),
  sealed bytea NOT NULL CHECK (length(sealed) < 10000),
  sealed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (household_id, statement)
);
