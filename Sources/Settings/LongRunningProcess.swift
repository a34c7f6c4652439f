import Glibc
import Logging
import Processes

/// A process that runs until it is stopped: the daemon, or a role of a fleet.
public enum LongRunningProcess {
    /// Limits the memory that malloc retains, protects secrets, and logs to standard error. Call before any thread
    /// starts.
    public static func prepare() {
        ProcessMemory.prepare()
        SecretMemory.protect()
        LoggingSystem.bootstrap { _ in StandardErrorLog() }
        // A client or a server that disconnects must not end the process.
        signal(SIGPIPE, SIG_IGN)
        OpenFiles.raise()
    }
}
