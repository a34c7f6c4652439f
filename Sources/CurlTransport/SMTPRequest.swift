import CCurl
import Chronology
import Glibc
public import IMAP

/// One mail sent by SMTP (RFC 5321), with TLS or in plain text. Descriptions hide its text and the login.
public struct SMTPRequest: Sendable, CustomReflectable {
    public var endpoint: Endpoint
    /// `nil` if the server requires no login.
    public var credential: Credential?
    /// Addresses without angle brackets.
    public var from: String
    public var recipients: [String]
    /// Whole mail with lines ended by CR LF. libcurl escapes leading dots.
    public var message: [UInt8]
    /// Limit from the lookup of the name to the final reply.
    public var timeout: Duration = .seconds(60)

    public init(endpoint: Endpoint, credential: Credential?, from: String, recipients: [String], message: [UInt8]) {
        self.endpoint = endpoint
        self.credential = credential
        self.from = from
        self.recipients = recipients
        self.message = message
    }

    public var customMirror: Mirror { Mirror(self, children: ["endpoint": endpoint.description]) }

    /// Blocks until the server has accepted the mail, the timeout, or ``Wake/stop()``.
    public func send(wake: Wake) throws(SMTPError) {
        try checkAddresses()
        let deadline = Deadline.after(timeout)
        var attempts: [LoginAttempt?] = [nil]
        if let credential { attempts = LoginAttempt.all(for: credential) }
        var last = SMTPError(.refused, "no login was tried at \(endpoint)", remedy: "")
        for attempt in attempts {
            do throws(SMTPError) {
                return try send(attempt, deadline, wake)
            } catch {
                guard error.hasNoMechanism else { throw error }
                last = error
            }
        }
        throw last
    }

    private func checkAddresses() throws(SMTPError) {
        for address in [from] + recipients {
            guard !address.isEmpty,
                address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
                )
            else {
                throw SMTPError(
                    .refused, "\"\(ServerText.clean(address))\" is not a mail address",
                    remedy: "correct it in the configuration")
            }
        }
    }

    /// - Parameter attempt: `nil` without a login.
    private func send(_ attempt: LoginAttempt?, _ deadline: Deadline, _ wake: Wake) throws(SMTPError) {
        guard let handles = CurlHandles() else {
            throw SMTPError(.later, "libcurl could not be set up", remedy: "check memory and the libcurl package")
        }
        let source = MessageSource(message)
        var list: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(list) }
        for address in recipients {
            guard let longer = curl_slist_append(list, "<\(address)>") else {
                throw SMTPError(.later, "no memory for a mail", remedy: "check memory")
            }
            list = longer
        }
        guard let list else {
            throw SMTPError(.refused, "a mail without recipients", remedy: "name one in the configuration")
        }
        try handles.configure(self, attempt, source, list)
        let end = handles.perform(until: deadline, wake: wake)
        handles.detach()
        // The handle uses both until here.
        defer { withExtendedLifetime((source, list)) {} }
        switch end {
        case .stopped: throw SMTPError(.stopped, "the mail to \(endpoint) was stopped", remedy: "")
        case .outOfMemory: throw SMTPError(.later, "libcurl refused the mail to \(endpoint)", remedy: "check memory")
        case .ended(CURLE_OK): return
        case .ended(let code): throw handles.smtpError(code, self)
        case .timedOut: throw handles.smtpError(CURLE_OPERATION_TIMEDOUT, self)
        }
    }
}

/// A mail that the server did not accept. Holds no secret.
public struct SMTPError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// A network failure or a 4xx reply (RFC 5321 section 4.2.1); a later attempt can succeed.
        case later
        /// A 5xx reply, a refused login or missing TLS: an attempt can succeed only after a change.
        case refused
        /// Interrupted by ``Wake/stop()``.
        case stopped
    }

    public let kind: Kind
    public let what: String
    public let remedy: String
    /// The server offers no mechanism of the attempt.
    var hasNoMechanism = false

    init(_ kind: Kind, _ what: String, remedy: String) {
        self.kind = kind
        self.what = what
        self.remedy = remedy
    }

    public var description: String { remedy.isEmpty ? what : "\(what); \(remedy)" }
}

/// Rest of the message for the read callback. Used by the request's thread only.
fileprivate final class MessageSource {
    private let bytes: [UInt8]
    private var sent = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, bytes.count - sent)
        bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[sent..<(sent + count)])) }
        sent += count
        return count
    }
}

/// CURLOPT_READFUNCTION: 0 ends the mail.
fileprivate func provideMessage(
    bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    guard let bytes, let context else { return 0 }
    return Unmanaged<MessageSource>.fromOpaque(context).takeUnretainedValue().fill(
        UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
}

extension CurlHandles {
    fileprivate func configure(
        _ request: SMTPRequest, _ attempt: LoginAttempt?, _ source: MessageSource,
        _ recipients: UnsafeMutablePointer<curl_slist>
    ) throws(SMTPError) {
        func check(_ code: CURLcode) throws(SMTPError) {
            guard code == CURLE_OK else {
                throw SMTPError(
                    .refused, "this libcurl does not know an option that is needed",
                    remedy: "install libcurl 7.85 or newer, built with TLS and SMTP")
            }
        }
        guard let url = request.endpoint.url(scheme: "smtp") else {
            throw SMTPError(
                .refused, "\"\(ServerText.clean(request.endpoint.host))\" is not a host name",
                remedy: "write the bare name or address of the server")
        }
        try check(spendwise_setopt_string(easy, CURLOPT_URL, url))
        try check(spendwise_setopt_string(easy, CURLOPT_PROTOCOLS_STR, "smtp,smtps"))
        try check(spendwise_setopt_long(easy, CURLOPT_NOSIGNAL, 1))
        try check(spendwise_setopt_long(easy, CURLOPT_QUICK_EXIT, 1))
        try check(trust(request.endpoint.caFile))
        if request.endpoint.tls == .startTLS {
            try check(spendwise_setopt_long(easy, CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue)))
        }
        if let credential = request.credential {
            guard !credential.user.utf8.contains(0) else {
                throw SMTPError(.refused, "the user's name holds a NUL byte", remedy: "correct it in the configuration")
            }
            try check(spendwise_setopt_string(easy, CURLOPT_USERNAME, credential.user))
            if let attempt { try check(spendwise_setopt_string(easy, CURLOPT_LOGIN_OPTIONS, attempt.rawValue)) }
            switch credential.secret {
            case .password(let bytes):
                let text = bytes.map { CChar(bitPattern: $0) } + [0]
                try check(spendwise_setopt_string(easy, CURLOPT_PASSWORD, text))
            case .bearer(let token): try check(spendwise_setopt_string(easy, CURLOPT_XOAUTH2_BEARER, token))
            }
        }
        try check(spendwise_setopt_string(easy, CURLOPT_MAIL_FROM, "<\(request.from)>"))
        try check(spendwise_setopt_pointer(easy, CURLOPT_MAIL_RCPT, recipients))
        try check(spendwise_setopt_long(easy, CURLOPT_UPLOAD, 1))
        try check(spendwise_setopt_pointer(easy, CURLOPT_ERRORBUFFER, errorBuffer))
        try check(spendwise_setopt_pointer(easy, CURLOPT_READDATA, Unmanaged.passUnretained(source).toOpaque()))
        try check(spendwise_setopt_data_callback(easy, CURLOPT_READFUNCTION, provideMessage))
        // Responses after the message are ignored.
        try check(spendwise_setopt_data_callback(easy, CURLOPT_WRITEFUNCTION, dropData))
        try check(spendwise_setopt_data_callback(easy, CURLOPT_HEADERFUNCTION, dropData))
    }

    fileprivate func smtpError(_ code: CURLcode, _ request: SMTPRequest) -> SMTPError {
        let cause = message.isEmpty ? String(cString: curl_easy_strerror(code)) : ServerText.clean(message)
        let peer = request.endpoint.description
        var reply = 0
        _ = spendwise_getinfo_long(easy, CURLINFO_RESPONSE_CODE, &reply)
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            return SMTPError(
                .later, "the host name \(request.endpoint.host) was not found",
                remedy: "check the spelling of host, and the network and its name server")
        case CURLE_OPERATION_TIMEDOUT:
            return SMTPError(
                .later, "\(peer) did not answer within \(request.timeout)",
                remedy: "check host, port and tls, and a firewall in between")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CACERT_BADFILE:
            return SMTPError(
                .later, "the certificate of \(peer) is not valid (\(cause))",
                remedy: "check host and this machine's clock; a private authority is given as ca_file; nothing was sent"
            )
        case CURLE_USE_SSL_FAILED:
            return SMTPError(
                .refused, "\(peer) does not offer STARTTLS",
                remedy: "nothing is sent without TLS: use tls: implicit, usually with port 465")
        case CURLE_LOGIN_DENIED where reply / 100 == 2:
            // The last reply is that to EHLO.
            var error = SMTPError(
                .refused, "\(peer) offers no mechanism for the login", remedy: "check mechanism, host and port")
            error.hasNoMechanism = true
            return error
        case CURLE_LOGIN_DENIED, CURLE_AUTH_ERROR:
            // 454 is a temporary failure of the login (RFC 4954 section 4.7).
            return SMTPError(
                reply / 100 == 4 ? .later : .refused, "\(peer) refuses the login (\(cause))",
                remedy: "check user and the password's file")
        case _ where reply / 100 == 5:
            return SMTPError(
                .refused, "\(peer) refuses the mail with \(reply) (\(cause))",
                remedy: "check from and to, and what the server allows")
        case _ where reply / 100 == 4:
            return SMTPError(
                .later, "\(peer) does not accept the mail now: \(reply) (\(cause))",
                remedy: "it is retried automatically")
        default:
            return SMTPError(
                .later, "no mail through \(peer) (\(cause))", remedy: "check host, port, tls and the network")
        }
    }
}

fileprivate func dropData(
    bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int { size * count }
