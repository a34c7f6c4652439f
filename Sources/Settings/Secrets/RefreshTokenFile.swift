import Codecs
public import DurableFiles
public import OAuth

/// Storage of a mailbox's refresh token in the configured file. If the daemon may not write that file, a token that
/// replaces it is stored in a spare file in the daemon's own folder (systemd's StateDirectory, otherwise the ledger's
/// folder).
///
/// The spare is valid only while the configured file holds the token that it replaced: a new login invalidates it.
public struct RefreshTokenFile: Sendable {
    public let configured: SecretFile
    /// Line 1: the token. Line 2: the digest of the replaced token in the configured file.
    let spare: SecretFile

    init(configured: SecretFile, spare path: String) {
        self.configured = configured
        spare = SecretFile(.refreshToken, name: path, folder: "/")
    }

    /// The name of the spare file.
    static func spare(of mailbox: String) -> String { "refresh-token-" + PercentEncoding.encode(mailbox) }

    /// The states of both files, to detect a change.
    public var stamp: [FileStamp?] { [configured.stamp, spare.stamp] }

    public func read() throws(SecretError) -> Token {
        let token = try token(in: configured.read(), of: configured)
        guard spare.stamp != nil else { return token }
        let lines = try spare.lines()
        guard lines.count > 1, lines[1] == Array(token.digest.utf8) else { return token }
        return try self.token(in: lines[0], of: spare)
    }

    /// Stores the token that replaced the one from ``read()``.
    public func renew(_ token: Token) throws(SecretError) {
        if !configured.isCredential, try configured.replace([Array(token.value.utf8)]) { return }
        let old = try self.token(in: configured.read(), of: configured)
        try spare.write([Array(token.value.utf8), Array(old.digest.utf8)])
    }

    /// Stores the token of a new consent.
    public func write(_ token: Token) throws(SecretError) { try configured.write([Array(token.value.utf8)]) }

    private func token(in line: [UInt8], of file: SecretFile) throws(SecretError) -> Token {
        try file.check(line)
        guard let token = Token(String(decoding: line, as: UTF8.self)) else {
            throw SecretError("\(file.description) holds no refresh token", remedy: SecretFile.login)
        }
        return token
    }
}
