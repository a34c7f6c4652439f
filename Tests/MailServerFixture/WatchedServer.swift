import Glibc

/// The processes of a server with a folder of its own.
///
/// They end and the folder is removed by ``end(keepingFolder:)``, and when this process ends, however that happens: a
/// shell watches a pipe. Not thread-safe.
public final class WatchedServer {
    private let command: [String]
    private let directory: String
    private let isReady: () -> Bool
    private let environment: [String: String]
    private var watcher: (process: pid_t, pipe: Int32)?

    /// - Parameters:
    ///   - command: runs in the foreground; its output goes to `stdout.log` in the folder.
    ///   - environment: added to that of the tests.
    ///   - isReady: true if clients can connect.
    public init(
        _ command: [String], in directory: String, environment: [String: String] = [:],
        isReady: @escaping () -> Bool
    ) {
        (self.command, self.directory, self.environment, self.isReady) = (command, directory, environment, isReady)
    }

    /// Starts the server and waits until clients can connect. Does nothing if it runs.
    public func start() throws {
        if watcher != nil { return }
        var ends: (Int32, Int32) = (-1, -1)
        // A socket pair instead of a pipe: it can be created close-on-exec, and other tests start programs at the same
        // time.
        _ = withUnsafeMutableBytes(of: &ends) {
            socketpair(
                AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0,
                $0.bindMemory(to: Int32.self).baseAddress)
        }
        // A line means "stop and keep the folder", the end of the pipe "stop and remove it". Cyrus sends SIGTERM to the
        // process group when it ends.
        let script = """
            "$@" </dev/null >"$0/stdout.log" 2>&1 & child=$!
            trap : TERM
            if read -r order; then keep=1; fi
            kill $child 2>/dev/null
            while kill -0 $child 2>/dev/null; do wait $child; done
            [ -n "$keep" ] || rm -rf "$0" 2>/dev/null || rm -rf "$0"
            """
        let process = try spawn(
            ["/bin/sh", "-c", script, directory] + command, input: ends.0, environment: environment)
        close(ends.0)
        watcher = (process, ends.1)
        // Half a minute: on a busy machine the start takes more than five seconds.
        for _ in 0..<3_000 {
            if isReady() { return }
            usleep(10_000)
        }
        let output = String(decoding: (try? contents(of: directory + "/stdout.log")) ?? [], as: UTF8.self)
        throw FixtureError(description: "\(command[0]) does not start: \(output)")
    }

    /// Stops the server: SIGTERM.
    public func end(keepingFolder: Bool) {
        guard let (process, pipe) = watcher else { return }
        if keepingFolder { _ = Glibc.write(pipe, "\n", 1) }
        finish(process, pipe)
    }

    /// Kills the processes of the server that stay in its process group. The folder remains.
    public func kill() {
        guard let (process, pipe) = watcher else { return }
        Glibc.kill(-process, SIGKILL)
        finish(process, pipe)
    }

    private func finish(_ process: pid_t, _ pipe: Int32) {
        close(pipe)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        watcher = nil
    }
}
