extension Schema {
    /// What a person decided about a reported sign of a change. It ends with the sign, whose row is deleted then.
    static let hiddenAlarms = """
        -- seen_at: acknowledged, hidden until the sign ends. snoozed_until: hidden until then.
        ALTER TABLE drift_alarms ADD COLUMN seen_at TEXT;
        ALTER TABLE drift_alarms ADD COLUMN snoozed_until TEXT;
        """
}
