import ArgumentParser
import Codecs
import Console
import Settings

/// Makes a configuration that works from an e-mail address.
struct Setup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Ask for a mailbox, test the login, and write the configuration and the password's file.",
        discussion: """
            Knows server, port and authserv-id of the usual providers (--providers lists them) and which password they accept. \
            Logs in, opens the folder read-only, lists the banks that wrote, and proposes the authserv-id that confirms their mails. \
            An existing configuration gets one more mailbox; nothing is replaced without a question.

            Scripts give every answer as an option: without a terminal a missing one is an error that names it. The password is \
            read from a file or from standard input, never from an option.
            """)

    @OptionGroup var options: SetupOptions
    @Flag(help: "List the known providers and exit.")
    var providers = false

    func run() async throws {
        try orExit {
            let known = try ProviderFile.shipped()
            if providers { return list(known) }
            let isAttended = Terminal.isInteractive && !options.json
            let prompt: any SetupPrompt =
                isAttended
                ? TerminalPrompt(takesUsual: options.yes)
                : UnattendedPrompt(saysYes: options.yes, isQuiet: options.json)
            let result = try SetupDialogue(
                options: options, providers: known, place: SetupPlace(options), prompt: prompt
            ).run()
            Output.line(options.json ? result.json.text : result.text)
            let asks = isAttended && !options.yes && result.canPassHere
            guard try options.firstPass || asks && prompt.agrees("Read the mails of \(options.since) now?") else {
                return
            }
            let status = try FirstPass.run(configuration: result.place.configuration)
            guard status == 0 else { throw ExitCode(status) }
            if !options.json { Output.line("The ledger: parserctl list --config \(result.place.configuration)") }
        }
    }

    private func list(_ file: ProviderFile) {
        if options.json {
            for provider in file.providers { Output.line(json(provider).text) }
            return
        }
        var table = Table([("Provider", .left), ("Server", .left), ("Login", .left), ("authserv-id", .left)])
        for provider in file.providers {
            table.add([
                provider.name, "\(provider.host):\(provider.port)",
                [provider.acceptsPasswords ? "password" : nil, provider.oauth.map { _ in "oauth" }].compactMap(\.self)
                    .joined(separator: ", "), provider.authservID ?? "from the mails",
            ])
        }
        table.print()
    }

    private func json(_ provider: EmailProvider) -> JSON {
        .object([
            ("key", .string(provider.key)), ("name", .string(provider.name)),
            ("domains", .array(provider.domains.map(JSON.string))), ("host", .string(provider.host)),
            ("port", .integer(Int64(provider.port))), ("tls", .string(provider.tls.rawValue)),
            ("authserv_id", JSON(provider.authservID)), ("password", .bool(provider.acceptsPasswords)),
            ("password_page", JSON(provider.passwordPage)), ("oauth", JSON(provider.oauth)),
            ("note", JSON(provider.note)),
        ])
    }
}
