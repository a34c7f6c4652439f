public import DurableFiles
import Glibc
import Processes

/// Source of a password. It is read for each login, so that a changed password needs no restart.
public enum SecretSource: Sendable, Equatable {
    case file(SecretFile)
    /// A shell command whose first line of output is the password.
    case command(String)
    /// A secret that the program has from elsewhere.
    case provided(ProvidedSecret)

    /// Name of the source in messages.
    public var description: String {
        switch self {
        case .file(let file): file.description
        case .command: "password_command"
        case .provided(let secret): secret.description
        }
    }

    /// Bytes of the password, without the line ending. Errors name the source, never the secret.
    public func read() throws(SecretError) -> [UInt8] {
        switch self {
        case .file(let file): return try file.read()
        case .provided(let secret): return try secret.read()
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

    /// The state of the file, to detect a change; `nil` for other sources, or if there is no file.
    public var stamp: FileStamp? {
        switch self {
        case .file(let file): file.stamp
        case .command, .provided: nil
        }
    }
}

/// A secret that neither a file nor a command of the configuration holds. It is read for each use.
public struct ProvidedSecret: Sendable, Equatable {
    /// Its name in messages. Secrets with the same one are equal.
    public let description: String
    let read: @Sendable () throws(SecretError) -> [UInt8]

    public init(_ description: String, read: @escaping @Sendable () throws(SecretError) -> [UInt8]) {
        (self.description, self.read) = (description, read)
    }

    public static func == (one: Self, other: Self) -> Bool { one.description == other.description }
}

/// A secret that could not be read or written.
public struct SecretError: Error, Sendable, CustomStringConvertible {
    public let message: String
    public let remedy: String?

    public init(_ message: String, remedy: String?) {
        self.message = message
        self.remedy = remedy
    }

    public var description: String { remedy.map { "\(message)\n\($0)" } ?? message }
}
