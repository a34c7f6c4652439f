extension Schema {
    /// Its queries now use the tables of counts, or the index of the status alone.
    static let statusIndex = "DROP INDEX processed_emails_by_status"
}
