-- Not the household first. PostgreSQL plans the check of a foreign key once for a connection. Of a table with few rows
-- it takes all indexes that begin with the household for equal, and with this one each check would read all mails of
-- the household.
DROP INDEX ledger.processed_emails_by_mailbox_folder_uid_validity_uid;
CREATE UNIQUE INDEX processed_emails_by_mailbox_folder_uid_validity_uid
  ON ledger.processed_emails (mailbox, household_id, folder, uid_validity, uid);
