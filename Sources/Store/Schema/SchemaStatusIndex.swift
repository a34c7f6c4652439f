extension Schema {
    /// What was counted and looked up by it is in tables of counts by now, or in the index of the status alone.
    static let statusIndex = "DROP INDEX processed_emails_by_status"
}
