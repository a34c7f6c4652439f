import Access
import ArgumentParser
import Glibc
import Settings
import Store

/// What a person logs in with at the web page.
struct PassphraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passphrase", abstract: "Set or remove the passphrase or PIN of the web page.",
        subcommands: [Set.self, Remove.self])

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ask for a passphrase twice, without showing it, and keep its hash. Every login ends.",
            discussion: "Where standard input is no terminal, its first line is the passphrase.")
        @OptionGroup var locations: Locations

        func run() async throws {
            try orExit {
                let store = try locations.store(readOnly: false)
                let passphrase = try ask()
                if let weakness = PassphraseRules.weakness(of: passphrase) {
                    throw Refused(
                        description:
                            "this passphrase is not taken: \(weakness)\nThree or four words that do not belong together are easy to keep in mind."
                    )
                }
                guard let hash = PassphraseHash(of: passphrase) else {
                    throw Refused(description: "the passphrase cannot be hashed: is there no memory left?")
                }
                let now = Int64(time(nil))
                try store.setLoginSecret(hash.text, at: now)
                try store.append(Store.AuditEvent(at: now, event: "passphrase set", who: AccessNames.operatorName))
                print("The passphrase is set, and good at once. Every login has ended.")
            }
        }

        private func ask() throws -> String {
            guard isatty(STDIN_FILENO) == 1 else {
                guard let line = readLine() else {
                    throw Refused(description: "no passphrase came from standard input")
                }
                return line
            }
            let first = try Self.hidden("New passphrase or PIN: ")
            guard try Self.hidden("Once more: ") == first else {
                throw Refused(description: "the two are not the same; nothing was changed")
            }
            return first
        }

        /// Reads a line without showing it. Ctrl-C gives the terminal its echo back.
        private static func hidden(_ prompt: String) throws -> String {
            StandardError.write(prompt)
            var shown = termios()
            guard tcgetattr(STDIN_FILENO, &shown) == 0 else {
                throw Refused(description: "the terminal cannot be told to show nothing")
            }
            var quiet = shown
            // Signals as characters: Ctrl-C then ends the line and not the program, which could not tidy up.
            quiet.c_lflag &= ~tcflag_t(ECHO | ISIG)
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet)
            defer {
                tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
                StandardError.write("\n")
            }
            guard let line = readLine(), !line.unicodeScalars.contains(where: { $0.value == 3 || $0.value == 0x1C })
            else { throw Refused(description: "nothing was changed") }
            return line
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove it: nobody can log in to the page any more. Tokens stay good.")
        @OptionGroup var locations: Locations

        func run() async throws {
            try orExit {
                let store = try locations.store(readOnly: false)
                let now = Int64(time(nil))
                let isSet = try store.loginSecret() != nil
                try store.setLoginSecret(nil, at: now)
                if isSet {
                    try store.append(
                        Store.AuditEvent(at: now, event: "passphrase removed", who: AccessNames.operatorName))
                }
                print(isSet ? "The passphrase is removed, and every login has ended." : "No passphrase was set.")
            }
        }
    }

    struct Refused: Error, CustomStringConvertible { let description: String }
}
