-- The household is not the first column. PostgreSQL plans the check of a foreign key once for a connection. While a
-- table has few rows, every index that begins with the household costs the same in its estimate. It then chose this
-- index instead of the primary key, and each check read all mails of the household.
DROP INDEX ledger.processed_emails_by_mailbox_folder_uid_validity_uid;
CREATE UNIQUE INDEX processed_emails_by_mailbox_folder_uid_validity_uid
  ON ledger.processed_emails (mailbox, household_id, folder, uid_validity, uid);
