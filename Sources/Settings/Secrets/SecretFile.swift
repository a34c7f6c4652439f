public import DurableFiles
import Glibc
import Processes

/// A file whose first line is a secret. It is read each time, so that a change needs no restart.
///
/// A bare name is searched in `$CREDENTIALS_DIRECTORY` (systemd.exec(5), LoadCredential), in the configuration's folder
/// and in its folder `credentials`, from which systemd loads the credentials.
public struct SecretFile: Sendable, Equatable {
    public enum Kind: String, Sendable {
        case password
        case refreshToken = "refresh token"
        case clientSecret = "client secret"
        case pushKey = "push key"
        case accessToken = "access token"
        case signingSecret = "signing secret"
        case backupPassphrase = "backup passphrase"
        case statementPassword = "statement password"
        case statementFacts = "statement facts"
        case mailboxKey = "key for mailboxes of the page"
        case fleetKey = "private key"
    }

    public let kind: Kind
    public let name: String
    let folder: String

    /// Longest accepted first line; reading stops there. Refresh tokens of 2 kB occur.
    static let maximumBytes = 16384

    /// Prefix of the credentials that the shipped unit loads from the folder `/etc/spendwise/credentials`:
    /// `LoadCredential=spendwise:FOLDER` gives `personal` there the name `spendwise_personal`. An empty folder is no
    /// error, unlike a missing file.
    static let credentialPrefix = "spendwise_"

    /// - Parameter folder: the configuration's folder.
    public init(_ kind: Kind, name: String, folder: String) {
        self.kind = kind
        self.name = name
        self.folder = folder
    }

    /// Name of the file in messages.
    public var description: String { "the \(kind.rawValue) file \(path)" }

    /// Path of the file, or the path at which it would be created.
    public var path: String { place.path }

    /// True for a credential from systemd, which is read-only.
    public var isCredential: Bool { place.isCredential }

    private var place: (path: String, isCredential: Bool) {
        if name.hasPrefix("/") { return (name, false) }
        if let directory = getenv("CREDENTIALS_DIRECTORY") {
            for file in [name, Self.credentialPrefix + name] {
                let path = String(cString: directory) + "/" + file
                if access(path, F_OK) == 0 { return (path, true) }
            }
        }
        let own = folder + "/" + name
        if access(own, F_OK) == 0 || access(folder + "/credentials", F_OK) != 0 { return (own, false) }
        return (folder + "/credentials/" + name, false)
    }

    /// The state of the file, to detect a change; `nil` if there is no file.
    public var stamp: FileStamp? { FileStamp(of: path) }

    /// Reads the first line without its line ending. Errors name the file, never the secret.
    public func read() throws(SecretError) -> [UInt8] {
        let bytes = try lines().first ?? []
        try check(bytes)
        return bytes
    }

    /// Reads the whole file, for a key of many lines. Errors name the file, never the secret.
    public func readAll() throws(SecretError) -> [UInt8] {
        let bytes = Array(try lines().joined(separator: [0x0A]))
        try check(bytes)
        return bytes
    }

    func check(_ line: [UInt8]) throws(SecretError) {
        guard !line.isEmpty else {
            throw SecretError(
                "\(description) is empty",
                remedy: kind == .refreshToken
                    ? Self.login : "Write the \(kind.rawValue), and nothing else, as its first line.")
        }
        guard !line.contains(0) else {
            throw SecretError("\(description) holds a NUL byte", remedy: "Write the \(kind.rawValue) as plain text.")
        }
    }

    /// Addition to a remedy under systemd, which passes on the secrets that exist when it starts a service and sets
    /// INVOCATION_ID.
    private static var handover: String {
        getenv("INVOCATION_ID") == nil ? "" : ", and restart the service"
    }

    static let login = "Run 'parserctl login' for this mailbox: it writes the file."

    /// Every line that fits into ``maximumBytes``.
    func lines() throws(SecretError) -> [[UInt8]] {
        SecretMemory.protect()
        let (path, isCredential) = place
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw SecretError(
                "\(description) cannot be read: \(String(cString: strerror(errno)))",
                remedy: kind == .refreshToken
                    ? Self.login
                    : "Create it: install -m 600 /dev/null \(path), then write the \(kind.rawValue) into it\(Self.handover)."
            )
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw SecretError(
                "\(description) is not a regular file", remedy: "Name a file that holds the \(kind.rawValue).")
        }
        // systemd sets the mode of credentials and closes their folder to other users.
        guard isCredential || status.st_mode & 0o077 == 0 else {
            throw SecretError("\(description) may be read by other users", remedy: "chmod 600 \(path)")
        }
        var buffer = [UInt8](repeating: 0, count: Self.maximumBytes)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        guard count >= 0 else {
            throw SecretError("\(description) cannot be read: \(String(cString: strerror(errno)))", remedy: nil)
        }
        return buffer[..<count].split(omittingEmptySubsequences: false) { $0 == 0x0A || $0 == 0x0D }.map(Array.init)
    }
}
