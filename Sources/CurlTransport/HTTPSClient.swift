import CCurl
import Chronology
public import IMAP

/// Sends requests one after the other over persistent connections, as a push service requires. Used by one thread.
public final class HTTPSClient {
    private let handles: CurlHandles

    public init() throws(HTTPSError) {
        guard let handles = CurlHandles() else {
            throw HTTPSError("libcurl could not be set up", remedy: "check memory and the libcurl package")
        }
        self.handles = handles
    }

    /// Blocks until the answer, the timeout, or ``Wake/stop()``.
    public func send(_ request: HTTPSRequest, wake: Wake) throws(HTTPSError) -> HTTPSRequest.Answer {
        // Resets the options and keeps the connections (curl_easy_reset(3)).
        curl_easy_reset(handles.easy)
        handles.clearMessage()
        let received = AnswerBox(limit: request.maximumBytes)
        var list: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(list) }
        for header in request.headers {
            guard let longer = curl_slist_append(list, header) else {
                throw HTTPSError("no memory for a request to \(request.shown)", remedy: "check memory")
            }
            list = longer
        }
        try handles.configure(request, received)
        if let list { _ = spendwise_setopt_pointer(handles.easy, CURLOPT_HTTPHEADER, list) }
        let end = handles.perform(until: .after(request.timeout), wake: wake)
        handles.detach()
        // The handle uses both until here.
        defer { withExtendedLifetime((received, list)) {} }
        switch end {
        case .stopped: throw HTTPSError("the request to \(request.shown) was stopped", remedy: "", kind: .stopped)
        case .outOfMemory: throw HTTPSError("libcurl refused the request to \(request.shown)", remedy: "check memory")
        case .ended(CURLE_OK): return try answer(to: request, received)
        case .ended(let code): throw handles.httpsError(code, request, received)
        case .timedOut: throw handles.httpsError(CURLE_OPERATION_TIMEDOUT, request, received)
        }
    }

    private func answer(to request: HTTPSRequest, _ received: AnswerBox) throws(HTTPSError) -> HTTPSRequest.Answer {
        var (status, version) = (0, 0)
        _ = spendwise_getinfo_long(handles.easy, CURLINFO_RESPONSE_CODE, &status)
        _ = spendwise_getinfo_long(handles.easy, CURLINFO_HTTP_VERSION, &version)
        guard !request.requiresHTTP2 || version == Int(CURL_HTTP_VERSION_2_0) else {
            throw HTTPSError(
                "\(request.shown) does not speak HTTP/2",
                remedy: "check the address, and that libcurl was built with nghttp2")
        }
        return HTTPSRequest.Answer(status: status, headers: received.headers, body: received.bytes)
    }
}

/// Response collected by the callbacks. Used by the request's thread only.
final class AnswerBox {
    var bytes: [UInt8] = []
    var headers: [(name: String, value: String)] = []
    var isTooLong = false
    private var headerBytes = 0
    let limit: Int

    /// Limit for the bytes of all headers.
    static let headerLimit = 64 << 10

    init(limit: Int) { self.limit = limit }

    func receive(header line: UnsafeRawBufferPointer) -> Bool {
        headerBytes += line.count
        guard headerBytes <= Self.headerLimit else {
            isTooLong = true
            return false
        }
        let text = String(decoding: line, as: UTF8.self)
        // A new status line: earlier headers belong to an interim response (RFC 9110 section 15.2).
        if text.hasPrefix("HTTP/") { headers = [] }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return true }
        let value = text[text.utf8.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        headers.append((text[..<colon].lowercased(), String(value.prefix { !$0.isNewline })))
        return true
    }
}

/// CURLOPT_WRITEFUNCTION: returning another count than the one received ends the transfer.
func receiveBody(bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?) -> Int {
    guard let bytes, let context else { return 0 }
    let box = Unmanaged<AnswerBox>.fromOpaque(context).takeUnretainedValue()
    guard box.bytes.count + size * count <= box.limit else {
        box.isTooLong = true
        return 0
    }
    box.bytes.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: size * count))
    return size * count
}

/// CURLOPT_HEADERFUNCTION: receives one header line.
func receiveHeader(bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?) -> Int
{
    guard let bytes, let context else { return 0 }
    let box = Unmanaged<AnswerBox>.fromOpaque(context).takeUnretainedValue()
    return box.receive(header: UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
}

/// A URL of this machine, resolved without a name server.
enum LoopbackURL {
    static func isOne(_ url: String) -> Bool {
        guard url.hasPrefix("http://"), url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
        else { return false }
        let authority = url.dropFirst(7).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if authority.contains("@") { return false }
        if authority == "[::1]" || authority.hasPrefix("[::1]:") { return true }
        let host = authority.prefix { $0 != ":" }
        // libcurl resolves this name itself (RFC 6761 section 6.3).
        if host == "localhost" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
