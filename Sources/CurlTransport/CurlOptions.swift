import CCurl
import Glibc
import IMAP

extension CurlHandles {
    /// Sets every option before connecting. Does not set CURLOPT_TIMEOUT, because newer versions of libcurl then end a
    /// CONNECT_ONLY login at once; the caller checks the time.
    func configure(_ endpoint: Endpoint, _ credential: Credential, _ attempt: LoginAttempt) throws(IMAPError) {
        guard let url = endpoint.url else {
            throw IMAPError(
                .invalidRequest, retry: .afterReconfiguration,
                what: "\"\(ServerText.clean(endpoint.host))\" is not a host name",
                remedy: "write the bare name or address of the server")
        }
        try set(CURLOPT_URL, url)
        try set(CURLOPT_PROTOCOLS_STR, "imap,imaps")
        try set(CURLOPT_CONNECT_ONLY, 1)
        try set(CURLOPT_NOSIGNAL, 1)
        // A stop must not wait for a name server, so the resolver's thread ends later.
        try set(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_CONNECTTIMEOUT_MS, Int(endpoint.connectTimeout.components.seconds.clamped(to: 1...3600)) * 1000)
        try set(CURLOPT_TCP_KEEPALIVE, 1)
        try set(CURLOPT_TCP_KEEPIDLE, SocketLife.keepAliveIdle)
        try set(CURLOPT_TCP_KEEPINTVL, SocketLife.keepAliveInterval)
        _ = spendwise_setopt_pointer(easy, CURLOPT_ERRORBUFFER, errorBuffer)
        _ = spendwise_setopt_pointer(easy, CURLOPT_HEADERDATA, Unmanaged.passUnretained(transcript).toOpaque())
        _ = spendwise_setopt_data_callback(easy, CURLOPT_HEADERFUNCTION, receiveLoginLine)
        try protect(endpoint)
        try authenticate(credential, attempt)
    }

    private func protect(_ endpoint: Endpoint) throws(IMAPError) {
        guard trust(endpoint.caFile) == CURLE_OK else { throw unsupported() }
        if endpoint.tls == .startTLS { try set(CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue)) }
    }

    static let authorities = "/etc/ssl/certs"

    /// True if the system's folder of authorities has the hashed names that OpenSSL needs (openssl-rehash(1)), as on
    /// Debian.
    static let hasHashedAuthorities: Bool = {
        var found = glob_t()
        defer { globfree(&found) }
        return glob("\(authorities)/????????.0", 0, nil, &found) == 0 && found.gl_pathc > 0
    }()

    private func authenticate(_ credential: Credential, _ attempt: LoginAttempt) throws(IMAPError) {
        try set(CURLOPT_LOGIN_OPTIONS, attempt.rawValue)
        try set(CURLOPT_USERNAME, credential.user)
        switch credential.secret {
        case .password(let bytes):
            let text = bytes.map { CChar(bitPattern: $0) } + [0]
            guard !bytes.contains(0) else { throw unusable("the password holds a NUL byte") }
            guard spendwise_setopt_string(easy, CURLOPT_PASSWORD, text) == CURLE_OK else {
                throw unusable("the password is too long")
            }
        case .bearer(let token):
            try set(CURLOPT_XOAUTH2_BEARER, token)
        }
    }

    private func set(_ option: CURLoption, _ value: Int) throws(IMAPError) {
        guard spendwise_setopt_long(easy, option, value) == CURLE_OK else { throw unsupported() }
    }

    private func set(_ option: CURLoption, _ value: String) throws(IMAPError) {
        guard !value.utf8.contains(0) else { throw unusable("a connection setting holds a NUL byte") }
        guard spendwise_setopt_string(easy, option, value) == CURLE_OK else { throw unsupported() }
    }

    private func unusable(_ what: String) -> IMAPError {
        IMAPError(
            .invalidRequest, retry: .afterReconfiguration, what: what,
            remedy: "correct it in the configuration or the password file")
    }

    private func unsupported() -> IMAPError {
        IMAPError(
            .transport, retry: .afterReconfiguration, what: "this libcurl does not know an option that is needed",
            remedy: "install libcurl 7.87 or newer, built with IMAP and TLS")
    }
}

extension Int64 {
    fileprivate func clamped(to range: ClosedRange<Int64>) -> Int64 {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
