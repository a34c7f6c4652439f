import ArgumentParser
import Console
import Settings

/// Authorization code with PKCE, on a loopback redirect or by pasting (RFC 8252, RFC 7636).
struct Login: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Consent to reading a mailbox with OAuth, and store the refresh token.",
        discussion: """
            Prints an address to open in a browser on this machine, waits for the consent and writes the refresh token to the mailbox's
            refresh_token_file. A running daemon reads it by itself. Run it as root or as the file's owner.
            On a machine without a browser: --paste, and open the address anywhere.
            """)

    @Argument(help: "The mailbox's name in the configuration.")
    var mailbox: String
    @Option(help: "The daemon's configuration file.")
    var config = Locations.usualConfiguration
    @Flag(
        help:
            "Read the address to which the browser was redirected from standard input, instead of waiting for the browser."
    )
    var paste = false

    func run() async throws {
        try orExit {
            let oauth = try settings()
            let token = try OAuthConsent(pastes: paste).token(for: oauth)
            try oauth.refreshToken.write(token)
            Output.line(
                "The refresh token is written to \(oauth.refreshToken.configured.path). A running daemon reads it within seconds."
            )
        }
    }

    /// Checks everything on this side before the person is asked.
    private func settings() throws -> OAuthSettings {
        let settings = try Settings(path: config)
        guard let found = settings.mailboxes.first(where: { $0.name == mailbox }) else {
            throw Refused(
                "\(config) has no mailbox named '\(mailbox)'; it has: \(settings.mailboxes.map(\.name).joined(separator: ", "))"
            )
        }
        guard case .oauth(var oauth) = found.login else {
            throw Refused("the mailbox '\(mailbox)' logs in with a password; see 'oauth' in spendwise.yaml(5)")
        }
        try oauth.refreshToken.configured.checkWritable()
        _ = try oauth.client()
        oauth.loginHint = found.user
        return oauth
    }
}
