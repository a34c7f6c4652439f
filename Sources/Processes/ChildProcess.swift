import CProcess
import Glibc

/// A program that is started with an input, in its own process group, with limits on its time and output.
///
/// It gets its standard descriptors only. Its error output goes to that of this process, or is discarded.
public struct ChildProcess: Sendable {
    public enum Failure: Error, Hashable, Sendable {
        /// The value of `errno`.
        case notStarted(Int32)
        /// The process group was killed at the limit.
        case timedOut(seconds: Int)
    }

    /// The end of a process.
    public enum End: Hashable, Sendable {
        case exit(Int32)
        case signal(Int32)
    }

    public struct Outcome: Sendable {
        public var end: End
        /// At most `outputBytes`.
        public var output: [UInt8]
        /// True if output beyond the limit was dropped.
        public var isCut: Bool
    }

    /// The running program itself, also after a newer version has replaced its file.
    public static let ownProgram = "/proc/self/exe"

    /// Time to wait for the end of a process while its output is open, in milliseconds.
    private static let pollInterval: Int32 = 20
    /// The same after it has closed its output, which is the last thing that most programs do.
    private static let endInterval: Int32 = 1

    public var program: String
    /// With the name of the program first.
    public var arguments: [String]
    /// True for a program of the user; false gives an empty environment and discards the error output.
    public var inheritsEnvironment: Bool
    /// Time limit in seconds.
    public var seconds: Int
    public var outputBytes: Int

    public init(
        _ program: String, arguments: [String], inheritsEnvironment: Bool = false, seconds: Int, outputBytes: Int
    ) {
        self.program = program
        self.arguments = arguments
        self.inheritsEnvironment = inheritsEnvironment
        self.seconds = seconds
        self.outputBytes = outputBytes
    }

    /// Starts the program and waits for its end, but not for that of processes that it has left behind, which may
    /// hold its output open.
    ///
    /// - Parameter input: standard input; `nil` for `/dev/null`.
    public func run(input: [UInt8]? = nil) throws(Failure) -> Outcome {
        var pipes = Pipes()
        defer { pipes.closeAll() }
        guard pipes.open(withInput: input != nil) else { throw .notStarted(errno) }
        let process = try start(&pipes)
        var rest = (input ?? [])[...]
        var outcome = Outcome(end: .exit(0), output: [], isCut: false)
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < deadline {
            var status: Int32 = 0
            let hasEnded = waitpid(process, &status, WNOHANG) == process
            let isOpen = drain(pipes.output, &outcome)
            if hasEnded {
                let signal = status & 0x7F
                outcome.end = signal == 0 ? .exit((status >> 8) & 0xFF) : .signal(signal)
                return outcome
            }
            if pipes.input >= 0, !Self.feed(pipes.input, &rest) { pipes.closeInput() }
            // A closed pipe is always ready, so it is not polled.
            var waiting = [
                pollfd(fd: isOpen ? pipes.output : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: pipes.input, events: Int16(POLLOUT), revents: 0),
            ]
            poll(&waiting, 2, isOpen ? Self.pollInterval : Self.endInterval)
        }
        kill(-process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        throw .timedOut(seconds: seconds)
    }

    private func start(_ pipes: inout Pipes) throws(Failure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        if pipes.childInput >= 0 {
            posix_spawn_file_actions_adddup2(&actions, pipes.childInput, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, pipes.childOutput, 1)
        if !inheritsEnvironment { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
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
        var words = arguments.map { strdup($0) } + [nil]
        var empty: [UnsafeMutablePointer<CChar>?] = [nil]
        defer {
            for word in words { free(word) }
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
            pipes.closeChildEnds()
        }
        var process: pid_t = 0
        let result =
            inheritsEnvironment
            ? posix_spawn(&process, program, &actions, &attributes, &words, environ)
            : posix_spawn(&process, program, &actions, &attributes, &words, &empty)
        guard result == 0 else { throw .notStarted(result) }
        return process
    }

    /// Reads the available output.
    /// - Returns: true if more may come.
    private func drain(_ file: Int32, _ outcome: inout Outcome) -> Bool {
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 && errno == EAGAIN }
            let room = outputBytes - outcome.output.count
            outcome.output += piece[..<min(count, room)]
            if count > room { outcome.isCut = true }
        }
    }

    /// Sends as much of the input as the process accepts now.
    /// - Returns: false if everything was sent, or the process accepts no more.
    private static func feed(_ socket: Int32, _ rest: inout ArraySlice<UInt8>) -> Bool {
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 && errno == EAGAIN }
            rest = rest.dropFirst(count)
        }
        return false
    }
}

/// Both ends of the streams between this process and its child.
fileprivate struct Pipes {
    /// A socket: a write to a closed one can be made to raise no signal.
    private(set) var input: Int32 = -1
    private(set) var childInput: Int32 = -1
    private(set) var output: Int32 = -1
    private(set) var childOutput: Int32 = -1

    mutating func open(withInput: Bool) -> Bool {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { return false }
        (output, childOutput) = (ends[0], ends[1])
        guard fcntl(output, F_SETFL, O_NONBLOCK) == 0 else { return false }
        guard withInput else { return true }
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return false }
        (input, childInput) = (ends[0], ends[1])
        return fcntl(input, F_SETFL, O_NONBLOCK) == 0
    }

    mutating func closeInput() { Self.end(&input) }

    mutating func closeChildEnds() {
        Self.end(&childInput)
        Self.end(&childOutput)
    }

    mutating func closeAll() {
        closeChildEnds()
        closeInput()
        Self.end(&output)
    }

    private static func end(_ file: inout Int32) {
        if file >= 0 { close(file) }
        file = -1
    }
}
