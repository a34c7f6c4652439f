import Glibc

/// Where a password is found. It is read anew for each login, so that a changed one needs no restart.
public enum SecretSource: Sendable, Equatable {
    /// A file in `$CREDENTIALS_DIRECTORY` (systemd.exec(5), LoadCredential), otherwise relative to the configuration's folder or absolute.
    case file(name: String, folder: String)
    /// A shell command; the first line that it prints is the password.
    case command(String)

    /// A longer first line is no password, and reading stops there.
    static let maximumBytes = 4096

    /// The password's bytes, without the line's end. Errors name the source, never the secret.
    public func read() throws(SecretError) -> [UInt8] {
        let bytes: [UInt8]
        switch self {
        case .file(let name, let folder): bytes = try Self.readFile(name, folder)
        case .command(let command): bytes = try Self.run(command)
        }
        let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        guard !line.isEmpty else { throw SecretError("\(description) is empty", remedy: "Write the password, and nothing else, as its first line.") }
        guard !line.contains(0) else { throw SecretError("\(description) holds a NUL byte", remedy: "Write the password as plain text.") }
        return Array(line)
    }

    /// Names the source for messages.
    public var description: String {
        switch self {
        case .file(let name, let folder): "the password file \(Self.path(name, folder).path)"
        case .command: "password_command"
        }
    }

    /// Changes when the file does: device, inode, size and time of its last change in nanoseconds. Empty for a command.
    public var stamp: [Int64] {
        guard case .file(let name, let folder) = self else { return [] }
        var status = stat()
        guard stat(Self.path(name, folder).path, &status) == 0 else { return [-1] }
        return [
            Int64(bitPattern: UInt64(status.st_dev)), Int64(bitPattern: UInt64(status.st_ino)), Int64(status.st_size),
            Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec),
        ]
    }

    private static func path(_ name: String, _ folder: String) -> (path: String, isCredential: Bool) {
        if name.hasPrefix("/") { return (name, false) }
        if let directory = getenv("CREDENTIALS_DIRECTORY") {
            let path = String(cString: directory) + "/" + name
            if access(path, F_OK) == 0 { return (path, true) }
        }
        return (folder + "/" + name, false)
    }

    private static func readFile(_ name: String, _ folder: String) throws(SecretError) -> [UInt8] {
        let (path, isCredential) = path(name, folder)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SecretError("the password file \(path) cannot be read: \(String(cString: strerror(errno)))", remedy: "Create it: install -m 600 /dev/null \(path), then write the password into it.")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw SecretError("the password file \(path) is not a regular file", remedy: "Name a file that holds the password.")
        }
        // systemd gives credentials a mode of its own and lets nobody else into their folder.
        guard isCredential || status.st_mode & 0o077 == 0 else {
            throw SecretError("the password file \(path) may be read by other users", remedy: "chmod 600 \(path)")
        }
        var buffer = [UInt8](repeating: 0, count: maximumBytes)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        guard count >= 0 else { throw SecretError("the password file \(path) cannot be read: \(String(cString: strerror(errno)))", remedy: nil) }
        return Array(buffer[..<count])
    }

    private static func run(_ command: String) throws(SecretError) -> [UInt8] {
        guard let pipe = popen(command, "re") else {
            throw SecretError("password_command cannot be started: \(String(cString: strerror(errno)))", remedy: nil)
        }
        var buffer = [UInt8](repeating: 0, count: maximumBytes)
        let count = fread(&buffer, 1, buffer.count, pipe)
        let status = pclose(pipe)
        guard status == 0 else {
            throw SecretError("password_command failed with status \((status >> 8) & 0xFF)", remedy: "Run it by hand as the daemon's user; it must print the password and exit with 0.")
        }
        return Array(buffer[..<count])
    }
}

/// A password that could not be had.
public struct SecretError: Error, Sendable, CustomStringConvertible {
    public let message: String
    public let remedy: String?

    init(_ message: String, remedy: String?) {
        self.message = message
        self.remedy = remedy
    }

    public var description: String { remedy.map { "\(message)\n\($0)" } ?? message }
}
