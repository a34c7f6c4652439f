import CCurl
public import IMAP

/// One request over HTTPS: small, answered within seconds, never redirected. Its body and headers may hold secrets and
/// show nowhere.
public struct HTTPSRequest: Sendable, CustomReflectable {
    /// An `https` URL. Errors name it, or ``name`` in its place.
    public var url: String
    /// For errors, where the URL itself is a secret: a topic, a device's token.
    public var name: String?
    /// Sent by POST; `nil` sends GET.
    public var body: [UInt8]?
    /// Whole lines, such as `Accept: application/json`.
    public var headers: [String]
    /// PEM file of the only authorities that are trusted here, in place of the system's.
    public var caFile: String?
    /// From the name's lookup to the last byte of the answer.
    public var timeout: Duration = .seconds(30)
    /// An answer's body of more bytes is refused: no token comes near.
    public var maximumBytes = 64 << 10
    /// An `http` URL is allowed where it leads to this machine and no further.
    public var allowsLoopback = false
    /// No answer counts but one over HTTP/2 (RFC 9113), which TLS then agrees on.
    public var requiresHTTP2 = false

    public init(url: String, body: [UInt8]? = nil, headers: [String] = [], caFile: String? = nil) {
        self.url = url
        self.body = body
        self.headers = headers
        self.caFile = caFile
    }

    public var customMirror: Mirror { Mirror(self, children: ["url": shown]) }

    public struct Answer: Sendable {
        public let status: Int
        /// Names in lower case, as they came.
        public let headers: [(name: String, value: String)]
        public let body: [UInt8]

        /// The first of this name, given in lower case.
        public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    }

    /// Blocks until the answer is there, the timeout, or ``Wake/stop()``. Opens a connection of its own.
    public func send(wake: Wake) throws(HTTPSError) -> Answer { try HTTPSClient().send(self, wake: wake) }

    var shown: String { name ?? url }
}

/// No answer to a request: what happened, where, and what to do. Holds no secret.
public struct HTTPSError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// The line, the server or its certificate: another try may go well.
        case unreachable
        /// The request cannot be sent before something is mended.
        case invalid
        /// By ``Wake/stop()``.
        case stopped
    }

    public let kind: Kind
    public let what: String
    public let remedy: String

    init(_ what: String, remedy: String, kind: Kind = .unreachable) {
        self.kind = kind
        self.what = what
        self.remedy = remedy
    }

    public var description: String { remedy.isEmpty ? what : "\(what); \(remedy)" }
}

extension CurlHandles {
    func configure(_ request: HTTPSRequest, _ received: AnswerBox) throws(HTTPSError) {
        func check(_ code: CURLcode) throws(HTTPSError) {
            guard code == CURLE_OK else {
                throw HTTPSError(
                    "this libcurl does not know an option that is needed",
                    remedy: "install libcurl 7.85 or newer, built with TLS and HTTP/2", kind: .invalid)
            }
        }
        let isLoopback = request.allowsLoopback && LoopbackURL.isOne(request.url)
        guard !request.url.utf8.contains(0), request.url.hasPrefix("https://") || isLoopback else {
            throw HTTPSError(
                "\"\(ServerText.clean(request.shown))\" is no https URL", remedy: "correct it in the configuration",
                kind: .invalid)
        }
        guard request.headers.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }) else {
            throw HTTPSError(
                "a header of the request to \(request.shown) holds a control character",
                remedy: "correct it in the configuration", kind: .invalid)
        }
        try check(spendwise_setopt_string(easy, CURLOPT_URL, request.url))
        try check(spendwise_setopt_string(easy, CURLOPT_PROTOCOLS_STR, isLoopback ? "http" : "https"))
        // What is for this machine is for no proxy.
        if isLoopback { try check(spendwise_setopt_string(easy, CURLOPT_NOPROXY, "*")) }
        if request.requiresHTTP2 {
            try check(spendwise_setopt_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS)))
        }
        try check(spendwise_setopt_string(easy, CURLOPT_USERAGENT, "SpendWise"))
        try check(spendwise_setopt_long(easy, CURLOPT_NOSIGNAL, 1))
        try check(spendwise_setopt_long(easy, CURLOPT_QUICK_EXIT, 1))
        try check(trust(request.caFile))
        if let body = request.body {
            try check(spendwise_setopt_long(easy, CURLOPT_POSTFIELDSIZE, body.count))
            // Copied by libcurl, after its size is known.
            try check(
                body.withUnsafeBytes {
                    spendwise_setopt_pointer(
                        easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: $0.baseAddress))
                })
        }
        try check(spendwise_setopt_pointer(easy, CURLOPT_ERRORBUFFER, errorBuffer))
        try check(spendwise_setopt_pointer(easy, CURLOPT_HEADERDATA, Unmanaged.passUnretained(received).toOpaque()))
        try check(spendwise_setopt_data_callback(easy, CURLOPT_HEADERFUNCTION, takeHeader))
        try check(spendwise_setopt_pointer(easy, CURLOPT_WRITEDATA, Unmanaged.passUnretained(received).toOpaque()))
        try check(spendwise_setopt_data_callback(easy, CURLOPT_WRITEFUNCTION, takeBody))
    }

    func httpsError(_ code: CURLcode, _ request: HTTPSRequest, _ received: AnswerBox) -> HTTPSError {
        let said = message.isEmpty ? String(cString: curl_easy_strerror(code)) : ServerText.clean(message)
        switch code {
        case CURLE_WRITE_ERROR where received.isTooLong:
            return HTTPSError(
                "the answer of \(request.shown) has more than \(request.maximumBytes) bytes",
                remedy: "check the address")
        case CURLE_OPERATION_TIMEDOUT:
            return HTTPSError(
                "\(request.shown) did not answer within \(request.timeout)",
                remedy: "check the address, the network and a firewall in between")
        case CURLE_COULDNT_RESOLVE_HOST:
            return HTTPSError(
                "the host of \(request.shown) was not found",
                remedy: "check its spelling, and the network and its name server")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CACERT_BADFILE:
            return HTTPSError(
                "the certificate of \(request.shown) does not hold (\(said))",
                remedy:
                    "check the address and this machine's clock; a private authority is given as ca_file; nothing was sent"
            )
        default:
            return HTTPSError("no answer from \(request.shown) (\(said))", remedy: "check the address and the network")
        }
    }
}
