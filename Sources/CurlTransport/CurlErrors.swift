import CCurl
import IMAP

extension CurlHandles {
    /// Why a connection was not made, in words, with what to do. libcurl's own words are added where they say more; they hold names and
    /// numbers, never a secret.
    func error(_ code: CURLcode, _ endpoint: Endpoint, _ credential: Credential) -> IMAPError {
        let said = message.isEmpty ? "" : " (\(ServerText.clean(message)))"
        let peer = endpoint.description
        let login = transcript.transcript
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            return IMAPError(
                .unresolvedHost, retry: .later, what: "the host name \(endpoint.host) was not found",
                remedy: "check the spelling of host, and the network and its name server")
        case CURLE_COULDNT_RESOLVE_PROXY:
            return IMAPError(
                .unresolvedHost, retry: .later, what: "the host name of the proxy to \(peer) was not found",
                remedy: "check the proxy settings in the environment")
        case CURLE_COULDNT_CONNECT:
            return IMAPError(
                .unreachable, retry: .later, what: "no connection to \(peer)\(said)",
                remedy: "check host and port, the network, and that the server runs")
        case CURLE_OPERATION_TIMEDOUT:
            return IMAPError(
                .timedOut, retry: .later, what: "\(peer) did not answer within \(endpoint.connectTimeout)",
                remedy: endpoint.tls == .implicit
                    ? "check host and port, a firewall in between, and that this port speaks TLS from the start"
                    : "check host and port, a firewall in between, and that this port does not expect TLS from the start"
            )
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR: return certificateError(endpoint)
        case CURLE_SSL_CACERT_BADFILE:
            return IMAPError(
                .certificate, retry: .afterReconfiguration,
                what: "the ca_file \(endpoint.caFile ?? "of the system") for \(peer) cannot be used",
                remedy: "it must exist, be readable and hold certificates in PEM form")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER:
            return IMAPError(
                .tls, retry: .later, what: "no TLS with \(peer)\(said)",
                remedy:
                    "check that the port fits tls: implicit (993) or starttls (143); the server must have TLS 1.2 or newer"
            )
        case CURLE_USE_SSL_FAILED:
            return IMAPError(
                .startTLSMissing, retry: .afterReconfiguration, what: "\(peer) does not offer STARTTLS",
                remedy:
                    "nothing is sent without TLS: use tls: implicit, usually with port 993, or switch STARTTLS on at the server"
            )
        case CURLE_LOGIN_DENIED, CURLE_AUTH_ERROR: return login.loginError(peer: peer, user: credential.user)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
            return login.farewellError(peer: peer)
                ?? IMAPError(
                    code == CURLE_WEIRD_SERVER_REPLY ? .malformed : .closed, retry: .later,
                    what: code == CURLE_WEIRD_SERVER_REPLY
                        ? "\(peer) does not speak IMAP as expected\(said)"
                        : "\(peer) broke off the connection before the login was done\(said)",
                    remedy: "check host, port and tls; the server's log may say more")
        default:
            return IMAPError(
                .transport, retry: .later,
                what: "no connection to \(peer): \(String(cString: curl_easy_strerror(code)))\(said)",
                remedy: "check host, port and tls")
        }
    }

    /// By the verifier's result (OpenSSL's X509_V_ERR numbers). libcurl compares names itself and gives no number then.
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
                ?? "for a private authority give its certificate as ca_file; otherwise somebody may be listening in"
        case 23:
            what = "was revoked"
            remedy = "the server's owner must replace it"
        default:
            what = "does not hold (check \(result))"
            remedy = "the server's owner must replace it"
        }
        return IMAPError(
            .certificate, retry: .later, what: "the certificate of \(endpoint) \(what)",
            remedy: remedy + "; nothing was sent")
    }
}
