import COpenSSL
import Glibc
import Synchronization

/// A mail server that accepts and records mail by SMTP (RFC 5321) with AUTH PLAIN, over implicit TLS or STARTTLS.
public final class SubmissionServer: Sendable {
    public struct Mail: Sendable {
        public let from: String
        public let recipients: [String]
        /// The encoded credentials of AUTH PLAIN; empty without a login.
        public let login: String
        public let isEncrypted: Bool
        public let text: String
    }

    /// Answers that replace the usual ones, by command.
    public struct Refusals: Sendable {
        public var login: String?
        public var from: String?
        public var data: String?
        public var offersStartTLS = true
        /// Only PLAIN succeeds, as on a server that keeps hashed passwords.
        public var mechanisms = "PLAIN"
        public init() {}
    }

    private let mails = Mutex<[Mail]>([])
    private let refusals = Mutex(Refusals())
    private let implicit: Listener
    private let explicit: Listener

    /// - Parameters: paths of PEM files.
    public init(certificate: String, key: String) throws {
        signal(SIGPIPE, SIG_IGN)
        implicit = try Listener()
        explicit = try Listener()
        nonisolated(unsafe) let shared = try Peer.context(certificate, key)  // constant from here, reference-counted
        implicit.serve { [weak self] client in
            guard let peer = Peer(client, context: shared) else { return }
            self?.converse(peer, upgrade: nil)
        }
        explicit.serve { [weak self] client in
            guard let plain = Peer(client, context: nil) else { return }
            self?.converse(plain) { Peer(dup(client), context: shared) }
            withExtendedLifetime(plain) {}
        }
    }

    deinit {
        implicit.stop()
        explicit.stop()
    }

    public var port: UInt16 { implicit.port }
    public var startTLSPort: UInt16 { explicit.port }
    public var received: [Mail] { mails.withLock { $0 } }
    public func refuse(_ change: (inout Refusals) -> Void) { refusals.withLock { change(&$0) } }

    private func converse(_ first: Peer, upgrade: (() -> Peer?)?) {
        var peer = first
        var isEncrypted = upgrade == nil
        var (from, recipients, login, rest) = ("", [String](), "", [UInt8]())
        let refusals = refusals.withLock { $0 }
        func line() -> String? { peer.line(&rest) }
        peer.write("220 test ESMTP\r\n")
        while let command = line() {
            let verb = command.prefix { $0 != " " && $0 != ":" }.uppercased()
            switch verb {
            case "EHLO":
                let offers =
                    (isEncrypted ? ["AUTH \(refusals.mechanisms)"] : refusals.offersStartTLS ? ["STARTTLS"] : []) + [
                        "8BITMIME"
                    ]
                peer.write(
                    "250-test\r\n"
                        + offers.enumerated().map { "250\($0 == offers.count - 1 ? " " : "-")\($1)\r\n" }.joined())
            case "STARTTLS":
                guard let upgrade, !isEncrypted else { return }
                peer.write("220 go on\r\n")
                guard let encrypted = upgrade() else { return }
                peer = encrypted
                (isEncrypted, rest) = (true, [])
            case "AUTH":
                let words = command.split(separator: " ")
                guard words.count > 1, words[1] == "PLAIN" else {
                    peer.write("535 not with a hashed password\r\n")
                    continue
                }
                if words.count > 2 {
                    login = String(words[2])
                } else {
                    peer.write("334 \r\n")
                    login = line() ?? ""
                }
                peer.write((refusals.login ?? "235 welcome") + "\r\n")
            case "MAIL":
                from = command
                peer.write((refusals.from ?? "250 ok") + "\r\n")
            case "RCPT":
                recipients.append(command)
                peer.write("250 ok\r\n")
            case "DATA":
                peer.write("354 go on\r\n")
                var text: [String] = []
                while let next = line(), next != "." {
                    text.append(next.hasPrefix(".") ? String(next.dropFirst()) : next)
                }
                if refusals.data == nil {
                    mails.withLock {
                        $0.append(
                            Mail(
                                from: from, recipients: recipients, login: login, isEncrypted: isEncrypted,
                                text: text.joined(separator: "\r\n")))
                    }
                }
                peer.write((refusals.data ?? "250 taken") + "\r\n")
            case "QUIT":
                peer.write("221 bye\r\n")
                return
            default: peer.write("250 ok\r\n")
            }
        }
    }
}

extension Peer {
    /// - Parameters: paths of PEM files.
    static func context(_ certificate: String, _ key: String) throws -> OpaquePointer {
        guard let context = SSL_CTX_new(TLS_server_method()),
            SSL_CTX_use_certificate_chain_file(context, certificate) == 1,
            SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1
        else { throw AuthorizationFixture.Failure(description: "no TLS with \(certificate)") }
        return context
    }

    /// The next line; `nil` at the end of the stream. Split by bytes: CR LF is one Character of a String.
    /// - Parameter rest: bytes after the last line.
    func line(_ rest: inout [UInt8]) -> String? {
        while true {
            if let end = rest.firstIndex(of: 0x0A) {
                let text = String(decoding: rest[..<end], as: UTF8.self)
                rest.removeFirst(end + 1)
                return text.last == "\r" ? String(text.dropLast()) : text
            }
            let more = read()
            if more.isEmpty { return nil }
            rest += more
        }
    }
}
