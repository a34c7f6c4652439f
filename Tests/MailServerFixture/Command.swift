public import Glibc

/// Error: a program or file that the tests need does not work.
public struct FixtureError: Error, CustomStringConvertible {
    public let description: String

    public init(description: String) { self.description = description }
}

/// Runs a program and waits for its end. The error contains its output.
///
/// - Parameter environment: added to that of the tests.
public func run(
    _ arguments: [String], in directory: String, environment: [String: String] = [:]
) throws {
    let log = directory + "/command.log"
    let process = try spawn(
        ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\" >command.log 2>&1 </dev/null", directory] + arguments,
        environment: environment)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    if status != 0 {
        throw FixtureError(
            description:
                "\(arguments.joined(separator: " ")): \(String(decoding: (try? contents(of: log)) ?? [], as: UTF8.self))"
        )
    }
}

/// Starts a program in a new process group.
///
/// - Parameters:
///   - input: its standard input, by default that of the tests.
///   - output: its standard output.
///   - environment: added to that of the tests.
public func spawn(
    _ arguments: [String], input: Int32? = nil, output: Int32? = nil, environment: [String: String] = [:]
) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
    if let output { posix_spawn_file_actions_adddup2(&actions, output, 1) }
    defer {
        posix_spawnattr_destroy(&attributes)
        posix_spawn_file_actions_destroy(&actions)
    }
    var argv = arguments.map { strdup($0) } + [nil]
    var envp = variables(adding: environment).map { strdup($0) } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var process: pid_t = 0
    let result = posix_spawn(&process, arguments[0], &actions, &attributes, &argv, &envp)
    if result != 0 { throw FixtureError(description: "\(arguments[0]): \(String(cString: strerror(result)))") }
    return process
}

/// Returns the environment of the tests with additions, as `NAME=VALUE`.
fileprivate func variables(adding more: [String: String]) -> [String] {
    var found: [String] = []
    var next = environ
    while let line = next.pointee.map({ String(cString: $0) }) {
        next += 1
        if let name = line.split(separator: "=", omittingEmptySubsequences: false).first, more[String(name)] == nil {
            found.append(line)
        }
    }
    return found + more.map { "\($0.key)=\($0.value)" }
}
