import Access
import ArgumentParser
import Chronology
import Glibc
import Settings
import Store

/// The passphrase of the web page.
struct PassphraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passphrase", abstract: "Set or remove the passphrase or PIN of the web page.",
        subcommands: [Set.self, Remove.self])

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract:
                "Ask for a passphrase twice, without showing it, and store its hash. Every login and passkey ends.",
            discussion: "If standard input is not a terminal, its first line is the passphrase.")
        @OptionGroup var locations: Locations

        func run() async throws {
            try orExit {
                let store = try locations.store(readOnly: false)
                let passphrase = try ask()
                if let weakness = PassphraseRules.weakness(of: passphrase) {
                    throw Refused(
                        "this passphrase is not accepted: \(weakness)\nThree or four unrelated words are easy to remember."
                    )
                }
                guard let hash = PassphraseHash(of: passphrase) else {
                    throw Refused("the passphrase cannot be hashed: not enough memory")
                }
                let now = UnixTime.now
                try store.access.setLoginSecret(hash.text, at: now)
                try store.audit.append(AuditEvent(at: now, event: "passphrase set", who: AccessNames.operatorName))
                Output.line(
                    "The passphrase is set and valid at once. Every login has ended, and every passkey is removed.")
            }
        }

        private func ask() throws -> String {
            guard isatty(STDIN_FILENO) == 1 else {
                guard let line = readLine() else {
                    throw Refused("standard input has no passphrase")
                }
                return line
            }
            let first = try HiddenInput.line("New passphrase or PIN: ")
            guard try HiddenInput.line("Once more: ") == first else {
                throw Refused("the two passphrases differ; nothing was changed")
            }
            return first
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove the passphrase: no login to the page is possible. Tokens stay valid.")
        @OptionGroup var locations: Locations

        func run() async throws {
            try orExit {
                let store = try locations.store(readOnly: false)
                let now = UnixTime.now
                let isSet = try store.access.loginSecret() != nil
                try store.access.setLoginSecret(nil, at: now)
                if isSet {
                    try store.audit.append(
                        AuditEvent(at: now, event: "passphrase removed", who: AccessNames.operatorName))
                }
                Output.line(
                    isSet
                        ? "The passphrase is removed with every passkey, and every login has ended."
                        : "No passphrase was set.")
            }
        }
    }
}
