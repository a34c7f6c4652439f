import ArgumentParser
import Settings

/// The answers of `parserctl setup` as options. A value without one is asked for at the terminal.
struct SetupOptions: ParsableArguments {
    @Option(help: "The e-mail address; its domain finds the provider.")
    var address: String?
    @Option(help: "The IMAP server. Default: that of the provider.")
    var host: String?
    @Option(help: "The port. Default: that of the provider, or 993, or 143 with starttls.")
    var port: Int?
    @Option(help: "implicit (TLS from the first byte) or starttls.")
    var tls: String?
    @Option(help: "PEM file of a private certification authority.")
    var caFile: String?
    @Option(help: "The user name of the login. Default: the address.")
    var user: String?
    @Option(help: "A file of mode 0600 whose first line is the password; - is standard input.")
    var passwordFile: String?
    @Option(help: "Log in with OAuth: the identifier of the client that you registered.")
    var oauthClientID: String?
    @Option(help: "A file of mode 0600 whose first line is the secret of the OAuth client, if it has one.")
    var oauthClientSecretFile: String?
    @Option(help: "OAuth of another provider: the address of its consent page.")
    var oauthAuthorizationEndpoint: String?
    @Option(help: "OAuth of another provider: the address that gives out tokens.")
    var oauthTokenEndpoint: String?
    @Option(help: "OAuth of another provider: the scope that covers IMAP.")
    var oauthScope: String?
    @Flag(help: "OAuth: read the address to which the browser was redirected from standard input.")
    var paste = false
    @Option(help: "The folder to watch. Default: INBOX.")
    var folder: String?
    @Option(help: "The name in the provider's Authentication-Results. Default: the one that confirms most mails.")
    var authservID: String?
    @Flag(help: "Instead of an authserv-id: the server refuses forged mail before delivery.")
    var trustDelivery = false
    @Flag(help: "Verify DKIM signatures on this machine, alone or beside an authserv-id.")
    var verify = false
    @Option(help: "The name of the mailbox in the configuration.")
    var name: String?
    @Option(help: "How far back the first pass reads.")
    var since = "90d"
    @Option(help: "The configuration file that is written or extended.")
    var config = Locations.usualConfiguration
    @Option(help: "For a new configuration: the ledger.")
    var database: String?
    @Option(help: "For a new configuration: a folder of bank profiles; may be given several times.")
    var parsers: [String] = []
    @Flag(help: "Answer every question for a consent with yes, and use the defaults.")
    var yes = false
    @Flag(help: "Read the mails of the first pass afterwards, in this terminal.")
    var firstPass = false
    @Flag(help: "The result as one JSON object; nothing is asked.")
    var json = false

    /// Checks what needs no other value.
    func validate() throws {
        if trustDelivery, authservID != nil {
            throw ValidationError("--trust-delivery and --authserv-id exclude each other")
        }
        if trustDelivery, verify { throw ValidationError("--trust-delivery and --verify exclude each other") }
        if (oauthAuthorizationEndpoint == nil) != (oauthTokenEndpoint == nil) {
            throw ValidationError("--oauth-authorization-endpoint and --oauth-token-endpoint belong together")
        }
        if passwordFile != nil, oauthClientID != nil {
            throw ValidationError("--password-file and --oauth-client-id exclude each other")
        }
        if let tls, MailboxSettings.TLS(rawValue: tls) == nil {
            throw ValidationError("--tls is implicit or starttls; mail is never read without TLS")
        }
        if let port, !(1...65535).contains(port) { throw ValidationError("--port is a number from 1 to 65535") }
        if let name, !MailboxDraft.isName(name) {
            throw ValidationError("--name has letters, digits, '.', '_' and '-', and begins with a letter or digit")
        }
    }
}
