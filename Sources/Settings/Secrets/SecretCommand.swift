import Glibc
import Processes

/// A shell command that prints a secret, run in its own process group with a time limit, because a mailbox's thread
/// waits for it.
struct SecretCommand {
    let command: String
    /// Time limit in seconds. The command has no terminal for a prompt.
    var timeout = 30

    /// Returns the output up to the longest secret. Does not wait for background children, which may hold the output
    /// open.
    func run() throws(SecretError) -> [UInt8] {
        let shell = ChildProcess(
            "/bin/sh", arguments: ["sh", "-c", command], inheritsEnvironment: true, seconds: timeout,
            outputBytes: SecretFile.maximumBytes)
        let outcome: ChildProcess.Outcome
        do throws(ChildProcess.Failure) { outcome = try shell.run() } catch {
            switch error {
            case .notStarted(let code):
                throw SecretError(
                    "password_command cannot be started: \(String(cString: strerror(code)))", remedy: nil)
            case .timedOut(let seconds):
                throw SecretError(
                    "password_command did not end within \(seconds) seconds",
                    remedy:
                        "Run it by hand as the daemon's user, with '< /dev/null': it must print the password without asking for anything."
                )
            }
        }
        guard outcome.end == .exit(0) else {
            let reason = if case .exit(let status) = outcome.end { "status \(status)" } else { "a signal" }
            throw SecretError(
                "password_command failed with \(reason)",
                remedy: "Run it by hand as the daemon's user; it must print the password and exit with 0.")
        }
        return outcome.output
    }
}
