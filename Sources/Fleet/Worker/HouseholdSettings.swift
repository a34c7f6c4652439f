import Chronology
import Ledger
public import Settings
public import YAMLSource

/// The settings of a household, as the database holds them: keys of spendwise.yaml(5) without paths and secrets.
///
/// They are data of the fleet's database. Nothing in them may name a command or a file of the worker, so the login of
/// each mailbox is the worker's command, and the secret of each receiver is sealed.
public enum HouseholdSettings {
    private static let keys = [
        "timezone", "home_currency", "auto_confirm_at", "keep_raw", "due_days", "banks", "mailboxes", "notifications",
        "statements",
    ]
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
        for receiver in try map["notifications"]?.list() ?? [] { try check(receiver, fleet) }
        let statements = try map["statements"]?.list() ?? []
        for entry in statements { try check(statement: entry) }
        var settings = try Settings(
            YAMLFile(path: file.path, bytes: file.bytes + Array(places(database, fleet).utf8)),
            passwordCommand: fleet.passwordCommand ?? Self.noCommand)
        var names = Set(settings.notifications.map(\.name))
        for (entry, node) in zip(settings.statements, statements) where !names.insert(entry.name).inserted {
            throw node.error(
                "'\(entry.name)' is the name of two secrets",
                remedy: "Give the last digits of the account, or the receiver another name.")
        }
        for index in settings.mailboxes.indices {
            let mailbox = settings.mailboxes[index].name
            settings.mailboxes[index].caFile = fleet.caFile
            guard let command = fleet.passwordCommand else { continue }
            settings.mailboxes[index].login = .password(
                .command(
                    "SPENDWISE_HOUSEHOLD=\(quoted(household.name)) SPENDWISE_MAILBOX=\(quoted(mailbox))"
                        + " && export SPENDWISE_HOUSEHOLD SPENDWISE_MAILBOX && \(command)"))
        }
        for index in settings.notifications.indices {
            // The worker's disk is the operator's concern.
            settings.notifications[index].events.remove(.database)
            // Not the zone of the worker.
            if settings.notifications[index].quiet?.timeZone == nil {
                settings.notifications[index].quiet?.timeZone = settings.timeZone.identifier
            }
        }
        return settings
    }

    private static let refusedOfReceivers = [
        "ca_file", "key_file", "token_file", "secret_file", "password_file", "password_command",
    ]

    private static func check(_ receiver: YAMLNode, _ fleet: FleetConfiguration) throws(SourceError) {
        let entry = try receiver.mapping()
        for key in refusedOfReceivers {
            guard let node = entry[key] else { continue }
            throw node.error(
                "'\(key)' is not allowed in a fleet",
                remedy: "Remove it, and store the secret: spendwise-fleet secret HOUSEHOLD RECEIVER.")
        }
        if let kind = entry["kind"], try kind.string() == "apns" {
            throw kind.error(
                "devices get no notifications in a fleet", remedy: "Use ntfy, webhook or email.")
        }
        if let url = entry["url"], try url.string().hasPrefix("http://"), !fleet.allowsLocalReceivers {
            throw url.error(
                "a receiver on the machine of the worker is not allowed",
                remedy: "Use https, or set 'local_receivers: true' in the configuration of every worker.")
        }
    }

    private static func check(statement: YAMLNode) throws(SourceError) {
        let entry = try statement.mapping()
        for key in ["password_file", "password_command", "rule", "facts_file"] {
            guard let node = entry[key] else { continue }
            throw node.error(
                "'\(key)' is not allowed in a fleet",
                remedy: "Remove it, and store the password: spendwise-fleet secret HOUSEHOLD BANK, or BANK-ACCOUNT.")
        }
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
