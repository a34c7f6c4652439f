import Glibc

/// A failure to write a file, with the system's error number.
public struct FileWriteError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Step: Hashable, Sendable {
        /// The temporary file could not be created: the folder is missing or not writable. Nothing was written.
        case create
        case write
        case rename
    }

    public let step: Step
    /// Error number, see errno(3).
    public let code: Int32

    /// Reads the error number of the call that has just failed.
    init(_ step: Step) {
        self.step = step
        code = errno
    }

    /// The system's message, such as `No space left on device`.
    public var description: String { String(cString: strerror(code)) }
}
