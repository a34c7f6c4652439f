import COpenSSL
import Glibc

/// An IMAP server over TLS whose folder has mails from a bank, and that answers NO to every FETCH.
public final class RefusingMailServer: Sendable {
    private let listener: Listener

    /// - Parameters:
    ///   - certificate, key: paths of PEM files.
    ///   - count: mails in each folder.
    public init(certificate: String, key: String, count: Int) throws {
        signal(SIGPIPE, SIG_IGN)
        listener = try Listener()
        nonisolated(unsafe) let context = try Peer.context(certificate, key)  // constant from here, reference-counted
        listener.serve { client in
            guard let peer = Peer(client, context: context) else { return }
            Self.converse(peer, count)
        }
    }

    deinit { listener.stop() }

    public var port: UInt16 { listener.port }

    private static func converse(_ peer: Peer, _ count: Int) {
        var rest: [UInt8] = []
        peer.write("* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR] test\r\n")
        while let line = peer.line(&rest) {
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            guard words.count > 1 else { return }
            var answer = "OK done"
            switch (words[1].uppercased(), words.last?.prefix(6).uppercased() ?? "") {
            case ("CAPABILITY", _): peer.write("* CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR\r\n")
            case ("EXAMINE", _):
                peer.write("* \(count) EXISTS\r\n* OK [UIDVALIDITY 7] valid\r\n* OK [UIDNEXT \(count + 1)] next\r\n")
            case ("UID", "SEARCH"): peer.write("* SEARCH \((1...count).map(String.init).joined(separator: " "))\r\n")
            case ("UID", "FETCH "): answer = "NO [SERVERBUG] cannot read it"
            case ("LOGOUT", _): peer.write("* BYE\r\n")
            default: break
            }
            peer.write("\(words[0]) \(answer)\r\n")
        }
    }
}
