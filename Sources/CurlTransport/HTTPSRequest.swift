import CCurl
public import IMAP

/// One request over HTTPS: small, answered within seconds, never redirected. Its body and headers may hold secrets and show nowhere.
public struct HTTPSRequest: Sendable, CustomReflectable {
    /// An `https` URL without a secret: errors name it.
    public var url: String
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

    public init(url: String, body: [UInt8]? = nil, headers: [String] = [], caFile: String? = nil) {
        self.url = url
        self.body = body
        self.headers = headers
        self.caFile = caFile
    }

    public var customMirror: Mirror { Mirror(self, children: ["url": url]) }

    public struct Answer: Sendable {
        public let status: Int
        public let body: [UInt8]
    }

    /// Blocks until the answer is there, the timeout, or ``Wake/stop()``.
    public func send(wake: Wake) throws(HTTPSError) -> Answer {
        guard let handles = CurlHandles() else { throw HTTPSError("libcurl could not be set up", remedy: "check memory and the libcurl package") }
        let received = BodyBox(limit: maximumBytes)
        var list: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(list) }
        for header in headers {
            guard let longer = curl_slist_append(list, header) else { throw HTTPSError("no memory for a request to \(url)", remedy: "check memory") }
            list = longer
        }
        try handles.configure(self, received)
        if let list { _ = spendwise_setopt_pointer(handles.easy, CURLOPT_HTTPHEADER, list) }
        let end = handles.perform(until: .after(timeout), wake: wake)
        // The handle refers to both until here.
        defer { withExtendedLifetime((received, list)) {} }
        switch end {
        case .stopped: throw HTTPSError("the request to \(url) was stopped", remedy: "")
        case .outOfMemory: throw HTTPSError("libcurl refused the request to \(url)", remedy: "check memory")
        case .ended(CURLE_OK):
            var status = 0
            _ = spendwise_getinfo_long(handles.easy, CURLINFO_RESPONSE_CODE, &status)
            return Answer(status: status, body: received.bytes)
        case .ended(let code): throw handles.httpsError(code, self, received)
        case .timedOut: throw handles.httpsError(CURLE_OPERATION_TIMEDOUT, self, received)
        }
    }
}

/// No answer to a request: what happened, where, and what to do. Holds no secret.
public struct HTTPSError: Error, Hashable, Sendable, CustomStringConvertible {
    public let what: String
    public let remedy: String

    init(_ what: String, remedy: String) {
        self.what = what
        self.remedy = remedy
    }

    public var description: String { remedy.isEmpty ? what : "\(what); \(remedy)" }
}

/// Where the write callback puts the body. Used by the request's thread only.
final class BodyBox {
    var bytes: [UInt8] = []
    var isTooLong = false
    let limit: Int

    init(limit: Int) { self.limit = limit }
}

/// CURLOPT_WRITEFUNCTION: a count other than that given ends the transfer.
private func takeBody(bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?) -> Int {
    guard let bytes, let context else { return 0 }
    let box = Unmanaged<BodyBox>.fromOpaque(context).takeUnretainedValue()
    guard box.bytes.count + size * count <= box.limit else {
        box.isTooLong = true
        return 0
    }
    box.bytes.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: size * count))
    return size * count
}

extension CurlHandles {
    fileprivate func configure(_ request: HTTPSRequest, _ received: BodyBox) throws(HTTPSError) {
        func check(_ code: CURLcode) throws(HTTPSError) {
            guard code == CURLE_OK else {
                throw HTTPSError("this libcurl does not know an option that is needed", remedy: "install libcurl 7.85 or newer, built with TLS")
            }
        }
        guard !request.url.utf8.contains(0), request.url.hasPrefix("https://") else {
            throw HTTPSError("\"\(ServerText.clean(request.url))\" is no https URL", remedy: "correct it in the configuration")
        }
        try check(spendwise_setopt_string(easy, CURLOPT_URL, request.url))
        try check(spendwise_setopt_string(easy, CURLOPT_PROTOCOLS_STR, "https"))
        try check(spendwise_setopt_string(easy, CURLOPT_USERAGENT, "SpendWise"))
        try check(spendwise_setopt_long(easy, CURLOPT_NOSIGNAL, 1))
        try check(spendwise_setopt_long(easy, CURLOPT_QUICK_EXIT, 1))
        try check(trust(request.caFile))
        if let body = request.body {
            try check(spendwise_setopt_long(easy, CURLOPT_POSTFIELDSIZE, body.count))
            // Copied by libcurl, after its size is known.
            try check(body.withUnsafeBytes { spendwise_setopt_pointer(easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: $0.baseAddress)) })
        }
        try check(spendwise_setopt_pointer(easy, CURLOPT_ERRORBUFFER, errorBuffer))
        try check(spendwise_setopt_pointer(easy, CURLOPT_WRITEDATA, Unmanaged.passUnretained(received).toOpaque()))
        try check(spendwise_setopt_data_callback(easy, CURLOPT_WRITEFUNCTION, takeBody))
    }

    fileprivate func httpsError(_ code: CURLcode, _ request: HTTPSRequest, _ received: BodyBox) -> HTTPSError {
        let said = message.isEmpty ? String(cString: curl_easy_strerror(code)) : ServerText.clean(message)
        switch code {
        case CURLE_WRITE_ERROR where received.isTooLong:
            return HTTPSError("the answer of \(request.url) has more than \(request.maximumBytes) bytes", remedy: "check the address")
        case CURLE_OPERATION_TIMEDOUT:
            return HTTPSError("\(request.url) did not answer within \(request.timeout)", remedy: "check the address, the network and a firewall in between")
        case CURLE_COULDNT_RESOLVE_HOST:
            return HTTPSError("the host of \(request.url) was not found", remedy: "check its spelling, and the network and its name server")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CACERT_BADFILE:
            return HTTPSError(
                "the certificate of \(request.url) does not hold (\(said))",
                remedy: "check the address and this machine's clock; a private authority is given as ca_file; nothing was sent")
        default: return HTTPSError("no answer from \(request.url) (\(said))", remedy: "check the address and the network")
        }
    }
}
