import CCurl
import IMAP

extension CurlHandles {
    /// The error of a failed connection, with a remedy. libcurl's message is added if it has more detail; it holds
    /// names and numbers, never a secret.
    func error(_ code: CURLcode, _ endpoint: Endpoint, _ credential: Credential) -> IMAPError {
        let peer = endpoint.description
        let detail = message.isEmpty ? "" : " (\(ServerText.clean(message)))"
        let login = transcript.transcript
        switch code {
        case CURLE_LOGIN_DENIED, CURLE_AUTH_ERROR: return login.loginError(peer: peer, user: credential.user)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
            return login.farewellError(peer: peer)
                ?? IMAPError(
                    code == CURLE_WEIRD_SERVER_REPLY ? .malformed : .closed, retry: .later,
                    what: code == CURLE_WEIRD_SERVER_REPLY
                        ? "\(peer) does not speak IMAP as expected\(detail)"
                        : "\(peer) closed the connection before the login was complete\(detail)",
                    remedy: "check host, port and tls; the server's log may have details")
        default:
            return networkError(code, endpoint, detail) ?? tlsError(code, endpoint, detail)
                ?? IMAPError(
                    .transport, retry: .later,
                    what: "no connection to \(peer): \(String(cString: curl_easy_strerror(code)))\(detail)",
                    remedy: "check host, port and tls")
        }
    }

    private func networkError(_ code: CURLcode, _ endpoint: Endpoint, _ detail: String) -> IMAPError? {
        let peer = endpoint.description
        return switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            IMAPError(
                .unresolvedHost, retry: .later, what: "the host name \(endpoint.host) was not found",
                remedy: "check the spelling of host, and the network and its name server")
        case CURLE_COULDNT_RESOLVE_PROXY:
            IMAPError(
                .unresolvedHost, retry: .later, what: "the host name of the proxy to \(peer) was not found",
                remedy: "check the proxy settings in the environment")
        case CURLE_COULDNT_CONNECT:
            IMAPError(
                .unreachable, retry: .later, what: "no connection to \(peer)\(detail)",
                remedy: "check host and port, the network, and that the server runs")
        case CURLE_OPERATION_TIMEDOUT:
            IMAPError(
                .timedOut, retry: .later, what: "\(peer) did not answer within \(endpoint.connectTimeout)",
                remedy: endpoint.tls == .implicit
                    ? "check host and port, a firewall in between, and that this port speaks TLS from the start"
                    : "check host and port, a firewall in between, and that this port does not expect TLS from the start"
            )
        default: nil
        }
    }

    private func tlsError(_ code: CURLcode, _ endpoint: Endpoint, _ detail: String) -> IMAPError? {
        let peer = endpoint.description
        return switch code {
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR: certificateError(endpoint)
        case CURLE_SSL_CACERT_BADFILE:
            IMAPError(
                .certificate, retry: .afterReconfiguration,
                what: "the ca_file \(endpoint.caFile ?? "of the system") for \(peer) cannot be used",
                remedy: "it must exist, be readable and hold certificates in PEM form")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER:
            IMAPError(
                .tls, retry: .later, what: "no TLS with \(peer)\(detail)",
                remedy:
                    "check that the port fits tls: implicit (993) or starttls (143); the server must have TLS 1.2 or newer"
            )
        case CURLE_USE_SSL_FAILED:
            IMAPError(
                .startTLSMissing, retry: .afterReconfiguration, what: "\(peer) does not offer STARTTLS",
                remedy:
                    "nothing is sent without TLS: use tls: implicit, usually with port 993, or enable STARTTLS at the server"
            )
        default: nil
        }
    }

    /// The error for a result of the certificate check (OpenSSL's X509_V_ERR numbers). libcurl compares names itself
    /// and reports no number then.
    private func certificateError(_ endpoint: Endpoint) -> IMAPError {
        var result = 0
        _ = spendwise_getinfo_long(easy, CURLINFO_SSL_VERIFYRESULT, &result)
        let what: String
        let remedy: String
        switch result {
        case 62, 64,
            _ where message.contains("subject name"):
            what = "is for another name"
            remedy = "write the host as the certificate names it"
        case 10:
            what = "has expired"
            remedy = "the server's owner must renew it; check this machine's clock, too"
        case 9:
            what = "is not valid yet"
            remedy = "check this machine's clock"
        case 2, 18, 19, 20, 21, 27:
            what = "comes from an authority that is not trusted here"
            remedy =
                endpoint.caFile.map { "check that \($0) is the authority of this server" }
                ?? "for a private authority give its certificate as ca_file; otherwise the connection may be intercepted"
        case 23:
            what = "was revoked"
            remedy = "the server's owner must replace it"
        default:
            what = "is not valid (OpenSSL error \(result))"
            remedy = "the server's owner must replace it"
        }
        return IMAPError(
            .certificate, retry: .later, what: "the certificate of \(endpoint) \(what)",
            remedy: remedy + "; nothing was sent")
    }
}
