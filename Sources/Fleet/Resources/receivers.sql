-- Secrets of receivers of notifications, sealed to a public key of the workers: see SealedPassword.
CREATE TABLE fleet.receiver_secrets (
  household_id bigint NOT NULL REFERENCES fleet.households ON DELETE CASCADE,
  receiver text NOT NULL CHECK (receiver <> ''),
  -- The server that the secret is for.
  host text NOT NULL CHECK (host <> ''),
  -- The public key in base64.
  sealed_to text NOT NULL CHECK (length(sealed_to) = 44),
  sealed bytea NOT NULL CHECK (length(sealed) < 10000),
  sealed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (household_id, receiver)
);
