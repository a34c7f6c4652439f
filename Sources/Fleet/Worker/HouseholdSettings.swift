public import Settings
public import YAMLSource

/// The settings of a household, as the database holds them: keys of spendwise.yaml(5) without paths and secrets.
///
/// They are data of the fleet's database. Nothing in them may name a command or a file of the worker, so the login of
/// each mailbox is the worker's command.
public enum HouseholdSettings {
    private static let keys = ["timezone", "home_currency", "auto_confirm_at", "keep_raw", "banks", "mailboxes"]
    private static let refused = ["maildir", "ca_file", "password_file", "password_command", "oauth"]

    /// Reads and checks the settings.
    ///
    /// - Parameter database: the working copy.
    public static func read(
        _ household: Household, database: String, _ fleet: FleetConfiguration
    ) throws(SourceError) -> Settings {
        let file = YAMLFile(
            path: "settings of household \(household.name)", bytes: Array(household.settings.utf8))
        let map = try file.root().mapping(allowing: keys)
        for mailbox in try map["mailboxes"]?.list() ?? [] {
            let entry = try mailbox.mapping()
            for key in refused {
                guard let node = entry[key] else { continue }
                throw node.error(
                    "'\(key)' is not allowed in a fleet",
                    remedy: "Remove it: passwords and the authority come from the configuration of the worker.")
            }
        }
        var settings = try Settings(
            YAMLFile(path: file.path, bytes: file.bytes + Array(places(database, fleet).utf8)),
            passwordCommand: fleet.passwordCommand ?? Self.noCommand)
        for index in settings.mailboxes.indices {
            let mailbox = settings.mailboxes[index].name
            settings.mailboxes[index].caFile = fleet.caFile
            guard let command = fleet.passwordCommand else { continue }
            settings.mailboxes[index].login = .password(
                .command(
                    "SPENDWISE_HOUSEHOLD=\(quoted(household.name)) SPENDWISE_MAILBOX=\(quoted(mailbox))"
                        + " && export SPENDWISE_HOUSEHOLD SPENDWISE_MAILBOX && \(command)"))
        }
        return settings
    }

    /// The login of settings that are read where no worker logs in.
    private static let noCommand = "exit 1"

    /// The keys of the worker, which a household may not set.
    private static func places(_ database: String, _ fleet: FleetConfiguration) -> String {
        func flow(_ path: String) -> String { YAMLValue.text(path).flow }
        return """

            database: \(flow(database))
            parsers: [\(fleet.parsers.map(flow).joined(separator: ", "))]
            categories: \(flow(fleet.categories))

            """
    }

    /// A word of the shell.
    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
