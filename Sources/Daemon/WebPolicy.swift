import Access
import Settings

extension WebSettings {
    /// What the web side's guards need of it.
    var policy: AccessPolicy {
        AccessPolicy(
            asksForLogin: asksForLogin, names: Set(names + [host.lowercased()]), isTLS: tls != .none, isLoopback: isLoopback,
            sessions: SessionRules(idle: Int64(idleSeconds), longest: Int64(longestSeconds)), requestsPerMinute: requestsPerMinute, auditDays: auditDays)
    }
}
