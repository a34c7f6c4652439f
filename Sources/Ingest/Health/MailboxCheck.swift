public import CurlTransport
import Deflate
public import IMAP
public import Logging
public import Settings

/// Opens the folders of a mailbox as a pass does, and reads and records no mail.
public struct MailboxCheck: Sendable {
    /// A folder that was opened, or the reason why it cannot be.
    public struct Folder: Sendable {
        public let name: String
        public let messages: Result<Int, any Error>
    }

    let settings: MailboxSettings
    let login: any LoginSource
    let wake: Wake

    /// Without a log.
    ///
    /// - Parameter wake: its stop ends every wait.
    public init(_ settings: MailboxSettings, wake: Wake = Wake()) {
        self.init(settings, logger: Logger(label: "check", factory: { _ in SwiftLogNoOpLogHandler() }), wake: wake)
    }

    public init(_ settings: MailboxSettings, logger: Logger, wake: Wake = Wake()) {
        self.settings = settings
        self.wake = wake
        login = settings.loginSource(logger: logger)
    }

    /// Reads the secrets of the login without connecting to a server.
    public func readSecrets() throws {
        switch settings.login {
        case .password(let secret): _ = try secret.read()
        case .oauth(let oauth):
            _ = try oauth.refreshToken.read()
            _ = try oauth.client()
        }
    }

    /// Reads the password, or fetches a token.
    public func credential() throws -> Credential { try login.credential(wake: wake) }

    /// Logs in and examines every folder. Blocks.
    ///
    /// - Throws: the fault of the connection, of the login, or of a special use that no folder has.
    public func folders(_ credential: Credential) throws -> [Folder] {
        var session = try open(
            DeflateStream(try CurlConnection(to: settings.endpoint, credential: credential, wake: wake)))
        let folders = try examine(&session)
        session.logout()
        return folders
    }

    func open<Stream: ByteStream & ~Copyable>(
        _ connection: consuming Stream
    ) throws(IMAPError) -> Session<Stream> {
        try Session(over: connection, timing: settings.timing) {}
    }

    private func examine<Stream: ByteStream & ~Copyable>(_ session: inout Session<Stream>) throws -> [Folder] {
        var folders: [Folder] = []
        for name in try session.folders(named: settings.folders) { folders.append(try folder(name, &session)) }
        return folders
    }

    /// A folder that is gone does not hide the others.
    private func folder<Stream: ByteStream & ~Copyable>(
        _ name: String, _ session: inout Session<Stream>
    ) throws(IMAPError) -> Folder {
        let fault: IMAPError
        do throws(IMAPError) {
            return Folder(name: name, messages: .success(try session.examine(FolderName(name)).exists))
        } catch {
            fault = error
        }
        guard fault.scope == .folder, !session.isOver else { throw fault }
        return Folder(name: name, messages: .failure(fault))
    }
}

/// Lists the folders of a Maildir, and reads no mail.
public enum MaildirCheck {
    public static func folders(of settings: MaildirSettings) -> [MailboxCheck.Folder] {
        settings.folders.map { name in
            MailboxCheck.Folder(
                name: name, messages: Result { try MaildirFolder(name, of: settings).files().count })
        }
    }
}
