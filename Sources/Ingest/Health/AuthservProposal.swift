public import InternetMessage

/// An authserv-id (RFC 8601) with the number of mails whose sender it would confirm.
public struct AuthservProposal: Sendable, Hashable {
    public let authservID: String
    public let confirmed: Int
    /// Number of mails that were tried.
    public let of: Int

    /// Judges authserv-ids by the verdict that the daemon would reach with each of them, the best first.
    ///
    /// A sender can write the field as well, but not above the Received field of the provider, which the verdict
    /// requires. An equal number is decided in the order: `candidates`, names as they are in the mails, and `*.` with
    /// the domain of several such names.
    ///
    /// - Parameter candidates: names that the mails need not have.
    public static func all(for mails: [Message], candidates: [String]) -> [AuthservProposal] {
        var names: [String] = []
        var parents: [String: Set<String>] = [:]
        for mail in mails {
            guard let name = mail.authservID else { continue }
            names.append(name)
            let labels = name.split(separator: ".")
            guard labels.count > 2 else { continue }
            for count in 2..<labels.count {
                parents["*." + labels.suffix(count).joined(separator: "."), default: []].insert(name)
            }
        }
        // The narrowest one first: the domain of the hosts, not one above it.
        let shared = parents.filter { $1.count > 1 }.keys.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
        var tried = candidates
        for name in mostFrequent(names).prefix(maximumTried) + shared.prefix(maximumTried) where !tried.contains(name) {
            tried.append(name)
        }
        return tried.map { name in
            let policy = AuthenticationPolicy.pinned(authservID: name)
            return AuthservProposal(
                authservID: name, confirmed: mails.count { $0.authentication(policy).isProven }, of: mails.count)
        }
        .filter { $0.confirmed > 0 }.enumerated()
        .sorted { ($1.element.confirmed, $0.offset) < ($0.element.confirmed, $1.offset) }.map(\.element)
    }

    /// Largest number of names of each form that are tried: hostile mails may have a name each.
    private static let maximumTried = 10

    private static func mostFrequent(_ names: [String]) -> [String] {
        var counts: [String: Int] = [:]
        for name in names { counts[name, default: 0] += 1 }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }
}
