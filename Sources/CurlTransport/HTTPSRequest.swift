import CCurl
public import IMAP

/// One HTTPS request with a small answer; redirects are not followed. Descriptions hide its body and headers, which may
/// hold secrets.
public struct HTTPSRequest: Sendable, CustomReflectable {
    /// An `https` URL. Errors show ``name``, if set, instead of it.
    public var url: String
    /// Name for errors if the URL is secret, such as a topic or a device token.
    public var name: String?
    /// Body of a POST; `nil` sends GET.
    public var body: [UInt8]?
    /// Complete header lines, such as `Accept: application/json`.
    public var headers: [String]
    /// PEM file of the only trusted authorities, used instead of the system's.
    public var caFile: String?
    /// Limit from the lookup of the name to the last byte of the answer.
    public var timeout: Duration = .seconds(30)
    /// Limit for the body of an answer.
    public var maximumBytes = 64 << 10
    /// Allows an `http` URL to this machine.
    public var allowsLoopback = false
    /// Rejects every answer that is not HTTP/2 (RFC 9113), which TLS negotiates.
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
        /// Headers in the order received, with names in lower case.
        public let headers: [(name: String, value: String)]
        public let body: [UInt8]

        /// The first header of this lower-case name.
        public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    }

    /// Blocks until the answer, the timeout, or ``Wake/stop()``. Uses a new connection.
    public func send(wake: Wake) throws(HTTPSError) -> Answer { try HTTPSClient().send(self, wake: wake) }

    var shown: String { name ?? url }
}

/// A request without an answer: what happened, where, and what to do. Holds no secret.
public struct HTTPSError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// Network, server or certificate failure; a later attempt can succeed.
        case unreachable
        /// The request is invalid; it cannot succeed without a change.
        case invalid
        /// Interrupted by ``Wake/stop()``.
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
                "\"\(ServerText.clean(request.shown))\" is not an https URL", remedy: "correct it in the configuration",
                kind: .invalid)
        }
        guard request.headers.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }) else {
            throw HTTPSError(
                "a header of the request to \(request.shown) holds a control character",
                remedy: "correct it in the configuration", kind: .invalid)
        }
        try check(spendwise_setopt_string(easy, CURLOPT_URL, request.url))
        try check(spendwise_setopt_string(easy, CURLOPT_PROTOCOLS_STR, isLoopback ? "http" : "https"))
        // Requests to this machine use no proxy.
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
            // The size must be set first, because libcurl then copies the body.
            try check(
                body.withUnsafeBytes {
                    spendwise_setopt_pointer(
                        easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: $0.baseAddress))
                })
        }
        try check(spendwise_setopt_pointer(easy, CURLOPT_ERRORBUFFER, errorBuffer))
        try check(spendwise_setopt_pointer(easy, CURLOPT_HEADERDATA, Unmanaged.passUnretained(received).toOpaque()))
        try check(spendwise_setopt_data_callback(easy, CURLOPT_HEADERFUNCTION, receiveHeader))
        try check(spendwise_setopt_pointer(easy, CURLOPT_WRITEDATA, Unmanaged.passUnretained(received).toOpaque()))
        try check(spendwise_setopt_data_callback(easy, CURLOPT_WRITEFUNCTION, receiveBody))
    }

    func httpsError(_ code: CURLcode, _ request: HTTPSRequest, _ received: AnswerBox) -> HTTPSError {
        let cause = message.isEmpty ? String(cString: curl_easy_strerror(code)) : ServerText.clean(message)
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
                "the certificate of \(request.shown) is not valid (\(cause))",
                remedy:
                    "check the address and this machine's clock; a private authority is given as ca_file; nothing was sent"
            )
        default:
            return HTTPSError("no answer from \(request.shown) (\(cause))", remedy: "check the address and the network")
        }
    }
}
