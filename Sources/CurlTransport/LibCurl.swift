import CCurl
import Glibc

/// Initialisation of libcurl, once and by one thread before its first use: a `static let`.
enum LibCurl {
    /// False after a failure for lack of memory or entropy.
    static let ready: Bool = curl_global_init(spendwise_global_default) == CURLE_OK
}

/// One easy handle in one multi handle, and the only owner of both. A CONNECT_ONLY connection lives in the multi handle
/// as long as the easy handle stays in it (CURLOPT_CONNECT_ONLY(3)).
struct CurlHandles: ~Copyable {
    let easy: UnsafeMutableRawPointer
    let multi: OpaquePointer
    /// Buffer for libcurl's error message (CURLOPT_ERRORBUFFER).
    let errorBuffer: UnsafeMutablePointer<CChar>
    /// Passed to the header callback unretained, so it must live as long as the handle.
    let transcript = TranscriptBox()

    init?() {
        guard LibCurl.ready, let easy = curl_easy_init() else { return nil }
        guard let multi = curl_multi_init() else {
            curl_easy_cleanup(easy)
            return nil
        }
        self.easy = easy
        self.multi = OpaquePointer(multi)
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    /// -1 if there is no connection.
    var socket: Int32 {
        var socket: curl_socket_t = -1
        return spendwise_getinfo_socket(easy, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK ? socket : -1
    }

    var message: String { String(cString: errorBuffer) }

    /// Clears the error message before another transfer.
    func clearMessage() { errorBuffer.pointee = 0 }

    /// Detaches the easy handle after a transfer; the multi handle keeps the connection.
    func detach() { curl_multi_remove_handle(UnsafeMutableRawPointer(multi), easy) }

    deinit {
        // Prevents the calls below from waiting for an unreachable server.
        let socket = socket
        if socket >= 0 { shutdown(socket, Int32(SHUT_RDWR)) }
        curl_multi_remove_handle(UnsafeMutableRawPointer(multi), easy)
        curl_easy_cleanup(easy)
        curl_multi_cleanup(UnsafeMutableRawPointer(multi))
        errorBuffer.deallocate()
    }
}
