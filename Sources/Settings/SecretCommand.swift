import Glibc

/// A shell command that prints a secret, run in its own process group with a time limit, because a mailbox's thread
/// waits for it.
struct SecretCommand {
    let command: String
    /// Time limit in seconds. The command has no terminal for a prompt.
    var timeout = 30

    /// Polling interval for the end of the process, in milliseconds.
    private static let pollInterval: Int32 = 20

    /// Returns the output up to the longest secret. Does not wait for background children, which may hold the output
    /// open.
    func run() throws(SecretError) -> [UInt8] {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Self.notStarted(errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        defer { close(ends[0]) }
        let process = try start(output: ends[1])
        var printed: [UInt8] = []
        let end = ContinuousClock.now + .seconds(timeout)
        while ContinuousClock.now < end {
            var status: Int32 = 0
            let hasEnded = waitpid(process, &status, WNOHANG) == process
            let isOpen = Self.drain(ends[0], &printed)
            guard hasEnded else {
                // A closed pipe is always ready, so it is not polled.
                var waiting = pollfd(fd: isOpen ? ends[0] : -1, events: Int16(POLLIN), revents: 0)
                poll(&waiting, 1, Self.pollInterval)
                continue
            }
            guard status == 0 else {
                throw SecretError(
                    "password_command failed with status \((status >> 8) & 0xFF)",
                    remedy: "Run it by hand as the daemon's user; it must print the password and exit with 0.")
            }
            return printed
        }
        kill(-process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        throw SecretError(
            "password_command did not end within \(timeout) seconds",
            remedy:
                "Run it by hand as the daemon's user, with '< /dev/null': it must print the password without asking for anything."
        )
    }

    private func start(output: Int32) throws(SecretError) -> pid_t {
        defer { close(output) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        // The daemon ignores SIGPIPE; other programs end by it.
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let words: [String] = ["sh", "-c", command]
        var arguments = words.map { word in strdup(word) }
        arguments.append(nil)
        defer {
            for argument in arguments { free(argument) }
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        var process: pid_t = 0
        let result = posix_spawn(&process, "/bin/sh", &actions, &attributes, &arguments, environ)
        guard result == 0 else { throw Self.notStarted(result) }
        return process
    }

    /// Reads the available output; bytes beyond the longest secret are dropped.
    /// - Returns: true if more may come.
    private static func drain(_ file: Int32, _ printed: inout [UInt8]) -> Bool {
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 && errno == EAGAIN }
            printed += piece[..<min(count, SecretFile.maximumBytes - min(printed.count, SecretFile.maximumBytes))]
        }
    }

    private static func notStarted(_ code: Int32) -> SecretError {
        SecretError("password_command cannot be started: \(String(cString: strerror(code)))", remedy: nil)
    }
}
