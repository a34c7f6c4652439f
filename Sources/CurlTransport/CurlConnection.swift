import CCurl
import Glibc
public import IMAP

/// A connection that libcurl made: DNS, proxy, TLS, greeting and login are its work, and from then on it is a stream of bytes.
///
/// One thread uses it. Certificates are always checked. Dropping it closes the connection at once, without a word.
public struct CurlConnection: ~Copyable {
    let handles: CurlHandles
    let socket: Int32
    let wake: Wake
    public let peer: String
    public let capabilities: Capabilities?
    /// ``Suspension/total``, and how long one `poll` may last. Others in tests.
    var suspended: @Sendable () -> Duration = { Suspension.total }
    var pollSlice = Deadline.pollSlice
    /// libcurl names its TLS session once the connection has been used.
    var readsAhead = false

    /// Connects and logs in; blocks until done, the endpoint's timeout, or ``Wake/stop()``.
    public init(to endpoint: Endpoint, credential: Credential, wake: Wake) throws(IMAPError) {
        let peer = endpoint.description
        guard let handles = CurlHandles() else {
            throw IMAPError(
                .transport, retry: .later, what: "libcurl could not be set up",
                remedy: "check memory and the libcurl package")
        }
        try handles.configure(endpoint, credential)
        try handles.connect(endpoint, credential, wake)
        let socket = handles.socket
        guard socket >= 0 else {
            throw IMAPError(
                .transport, retry: .later, what: "libcurl has no socket to \(peer)", remedy: "check the libcurl package"
            )
        }
        SocketLife.bound(socket)
        capabilities = handles.transcript.transcript.capabilities
        self.handles = handles
        self.socket = socket
        self.wake = wake
        self.peer = peer
    }
}

extension CurlHandles {
    /// Runs the transfer, which for CONNECT_ONLY is the making of the connection.
    func connect(_ endpoint: Endpoint, _ credential: Credential, _ wake: Wake) throws(IMAPError) {
        switch perform(until: .after(endpoint.connectTimeout), wake: wake) {
        case .ended(CURLE_OK): return
        case .ended(let code): throw error(code, endpoint, credential)
        case .stopped: throw .stopped(endpoint.description)
        case .timedOut: throw error(CURLE_OPERATION_TIMEDOUT, endpoint, credential)
        case .outOfMemory:
            throw IMAPError(
                .transport, retry: .later, what: "libcurl gave up connecting to \(endpoint)",
                remedy: "check memory and the libcurl package")
        }
    }
}

extension IMAPError {
    static func stopped(_ peer: String) -> IMAPError {
        IMAPError(.stopped, retry: .stopped, what: "the conversation with \(peer) was stopped")
    }
}
