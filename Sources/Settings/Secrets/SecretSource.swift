import Glibc
import Processes

/// Source of a password. It is read for each login, so that a changed password needs no restart.
public enum SecretSource: Sendable, Equatable {
    case file(SecretFile)
    /// A shell command whose first line of output is the password.
    case command(String)

    /// Bytes of the password, without the line ending. Errors name the source, never the secret.
    public func read() throws(SecretError) -> [UInt8] {
        switch self {
        case .file(let file): return try file.read()
        case .command(let command):
            SecretMemory.protect()
            let line = Array(try SecretCommand(command: command).run().prefix { $0 != 0x0A && $0 != 0x0D })
            guard !line.isEmpty else {
                throw SecretError(
                    "password_command prints nothing", remedy: "It must print the password as its first line.")
            }
            guard !line.contains(0) else {
                throw SecretError(
                    "password_command prints a NUL byte", remedy: "It must print the password as plain text.")
            }
            return line
        }
    }

    /// Stamp of the file, to detect a change. Empty for a command.
    public var stamp: [Int64] {
        switch self {
        case .file(let file): file.stamp
        case .command: []
        }
    }
}

/// A secret that could not be read or written.
public struct SecretError: Error, Sendable, CustomStringConvertible {
    public let message: String
    public let remedy: String?

    init(_ message: String, remedy: String?) {
        self.message = message
        self.remedy = remedy
    }

    public var description: String { remedy.map { "\(message)\n\($0)" } ?? message }
}
