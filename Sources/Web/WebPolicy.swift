public import Access
public import Settings

extension WebSettings {
    /// The settings that the web guards use.
    public var policy: AccessPolicy {
        var policy = AccessPolicy(
            asksForLogin: asksForLogin, names: Set(names + [host.lowercased()]), isTLS: tls != .none,
            // Requests of a proxy come from other machines.
            isLoopback: isLoopback && trustedProxies.isEmpty,
            sessions: SessionRules(idle: Int64(idleSeconds), longest: Int64(longestSeconds)),
            requestsPerMinute: requestsPerMinute)
        policy.auditDays = auditDays
        policy.proxies = TrustedProxies(trustedProxies)
        return policy
    }

    /// `nil` without TLS.
    public func certificate() throws(CertificateError) -> ServerCertificate? {
        switch tls {
        case .none: nil
        case .files(let certificate, let key):
            try ServerCertificate(.files(certificate: certificate, key: key), clientCA: clientCA)
        case .selfSigned(let certificate, let key):
            try ServerCertificate(
                .selfSigned(certificate: certificate, key: key, names: certificateNames), clientCA: clientCA)
        }
    }

    /// The configured names and those of the loopback interface, which clients on this machine use.
    private var certificateNames: [String] {
        var result: [String] = []
        for name in names + [host.lowercased(), "localhost", "127.0.0.1", "::1"]
        where !["0.0.0.0", "::"].contains(name) && !result.contains(name) { result.append(name) }
        return result
    }

    /// The URL with the first configured name, or else with the listening address.
    public var url: String {
        let name = names.first ?? host
        return "\(tls == .none ? "http" : "https")://\(name.contains(":") ? "[\(name)]" : name):\(port)"
    }
}
