import ArgumentParser
import Codecs
import Glibc
import Logging
import Settings

struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract:
            "Check configuration, profiles, ledger, disk, clock, credentials, logins and folders. Changes nothing.",
        discussion: """
            Run it as the user of the service or as root. The exit status is 0 if all is well, 1 if a person should look,
            and 2 if mail is not read.
            """)
    @OptionGroup var file: ConfigurationOption
    @Flag(help: "Connect to no server.") var offline = false
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        LoggingSystem.bootstrap { _ in
            var log = StandardErrorLog()
            log.logLevel = .warning
            return log
        }
        signal(SIGPIPE, SIG_IGN)
        let findings = await SetupCheck(isOffline: offline).findings(config: file.config)
        let worst = findings.map(\.level).max() ?? .ok
        if json {
            print(JSON.object([("level", .string("\(worst)")), ("findings", .array(findings.map(\.json)))]).text)
        } else {
            print(findings.map(\.line).joined(), terminator: "")
        }
        if worst != .ok { throw ExitCode(worst.rawValue) }
    }
}
