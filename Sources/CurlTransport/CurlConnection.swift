import CCurl
import Chronology
import Glibc
public import IMAP

/// A connection opened by libcurl, which does DNS, proxy, TLS, greeting and login; after that it is a stream of bytes.
///
/// Used by one thread. Certificates are always checked. Deinitialisation closes the connection at once, without LOGOUT.
public struct CurlConnection: ~Copyable {
    let handles: CurlHandles
    let socket: Int32
    let wake: Wake
    public let peer: String
    public let capabilities: Capabilities?
    /// ``Suspension/total``, and the longest duration of one `poll`; tests replace both.
    var suspended: @Sendable () -> Duration = { Suspension.total }
    var pollSlice = Deadline.pollSlice
    /// Set after the first use, because libcurl names its TLS session only then.
    var readsAhead = false

    /// Connects and logs in; blocks until done, the endpoint's timeout, or ``Wake/stop()``.
    public init(to endpoint: Endpoint, credential: Credential, wake: Wake) throws(IMAPError) {
        let peer = endpoint.description
        let handles = try CurlHandles.loggedIn(to: endpoint, credential, wake)
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
    /// Connects and logs in, with a new connection for each attempt, all within the endpoint's timeout.
    static func loggedIn(
        to endpoint: Endpoint, _ credential: Credential, _ wake: Wake
    ) throws(IMAPError) -> CurlHandles {
        let deadline = Deadline.after(endpoint.connectTimeout)
        var refusal: IMAPError?
        var last: IMAPError?
        for attempt in LoginAttempt.all(for: credential) {
            guard let handles = CurlHandles() else { break }
            do throws(IMAPError) {
                try handles.configure(endpoint, credential, attempt)
                try handles.connect(endpoint, credential, wake, deadline)
                return handles
            } catch {
                guard attempt.goesOn(after: error) else { throw error }
                if error.kind == .loginDenied { refusal = error }
                last = error
            }
        }
        throw refusal ?? last
            ?? IMAPError(
                .transport, retry: .later, what: "libcurl could not be set up",
                remedy: "check memory and the libcurl package")
    }

    /// Runs the transfer, which for CONNECT_ONLY ends with the login.
    private func connect(
        _ endpoint: Endpoint, _ credential: Credential, _ wake: Wake, _ deadline: Deadline
    ) throws(IMAPError) {
        switch perform(until: deadline, wake: wake) {
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
