/// The host that wrote a Received field: the `by` clause of RFC 5321 section 4.4.
struct ReceivedHop {
    /// In lower case, without a final dot; nil if there is no `by`.
    let by: String?

    /// - Parameter range: the raw value in the message, with its folds.
    init(parsing bytes: borrowing Octets, _ range: Range<Int>) {
        var cursor = range.lowerBound
        let end = range.upperBound
        var expectsHost = false
        while cursor < end, bytes[cursor] != ASCII.semicolon {
            if bytes[cursor].isSpace {
                cursor += 1
            } else if bytes[cursor] == ASCII.openParen {
                cursor = commentEnd(bytes, cursor..<end, depth: 16) ?? end
            } else {
                let start = cursor
                while cursor < end, !bytes[cursor].isSpace, bytes[cursor] != ASCII.semicolon,
                    bytes[cursor] != ASCII.openParen
                {
                    cursor += 1
                }
                if expectsHost {
                    by = Domain.normalized(String(decoding: Array(bytes, start..<cursor), as: UTF8.self))
                    return
                }
                expectsHost = cursor - start == 2 && bytes.matches("by", at: start)
            }
        }
        by = nil
    }

    /// True for an IP address in place of a name: `2002:a05::1`, `10.1.2.3`, `[10.1.2.3]`.
    var isAddress: Bool {
        guard let by else { return false }
        return by.utf8.first == ASCII.openBracket || by.utf8.contains(ASCII.colon)
            || by.utf8.allSatisfy { $0.isDigit || $0 == ASCII.dot }
    }

    /// True for a name that no public host has: a single label, or below a domain reserved for private use (RFC 6762
    /// appendix G, RFC 2606, RFC 6761).
    var isPrivateName: Bool {
        guard let by, !by.isEmpty, !isAddress else { return false }
        guard by.utf8.contains(ASCII.dot) else { return true }
        return [
            ".internal", ".local", ".localdomain", ".localhost", ".lan", ".home", ".home.arpa", ".corp", ".private",
            ".intranet",
        ]
        .contains { by.hasSuffix($0) }
    }
}

/// Hosts and conventions of the mail provider that uses a pinned authserv-id.
struct MailProvider {
    /// The provider's organizational domains; empty if the authserv-id is not a domain name.
    let domains: [String]
    /// The authserv-id as a host name, which is the provider's, too; empty if it is not a domain name. Most hops have
    /// this name, so that most messages need no lookup in the public suffix list (1.5 us).
    private var host = ""
    /// True if its internal hops may be written as an IP address or as a private name.
    let usesAddresses: Bool
    let usesPrivateNames: Bool
    /// True if it writes all results into one field, so a second one is the sender's.
    let writesOneField: Bool
    /// True if its fields have no authserv-id.
    let omitsAuthservID: Bool

    private init(
        _ domains: [String], usesAddresses: Bool = true, usesPrivateNames: Bool = true, writesOneField: Bool = false,
        omitsAuthservID: Bool = false
    ) {
        self.domains = domains
        self.usesAddresses = usesAddresses
        self.usesPrivateNames = usesPrivateNames
        self.writesOneField = writesOneField
        self.omitsAuthservID = omitsAuthservID
    }

    /// Providers whose hosts have other domains than their authserv-id.
    private static let known: [MailProvider] = [
        MailProvider(["google.com", "googlemail.com", "gmail.com"], usesPrivateNames: false, writesOneField: true),
        MailProvider(
            ["outlook.com", "office365.com", "hotmail.com", "live.com", "microsoft.com", "exchangelabs.com"],
            writesOneField: true, omitsAuthservID: true),
        MailProvider(["icloud.com", "me.com", "mac.com", "apple.com"]),
        MailProvider(["messagingengine.com", "fastmail.com", "fastmail.fm"]),
        MailProvider(["yahoo.com", "yahoodns.net", "aol.com", "ymail.com"], writesOneField: true),
        MailProvider(["zoho.com", "zoho.in", "zohomail.com", "zohomail.in"]),
        MailProvider(["proton.me", "protonmail.ch", "protonmail.com"]),
    ]

    /// The known provider of a pinned authserv-id, or else the user's own server.
    init(authservID: String) {
        let name = Domain.normalized(authservID.hasPrefix("*.") ? String(authservID.dropFirst(2)) : authservID)
        let organization = Domain.organization(of: name)
        if let organization, let known = Self.known.first(where: { $0.domains.contains(organization) }) {
            self = known
        } else {
            self.init(organization.map { [$0] } ?? [])
        }
        if organization != nil { host = name }
    }

    func owns(_ hop: ReceivedHop) -> Bool {
        guard let by = hop.by, !by.isEmpty else { return false }
        if by == host { return true }
        if hop.isAddress { return usesAddresses }
        if hop.isPrivateName { return usesPrivateNames }
        return Domain.organization(of: by).map(domains.contains) ?? false
    }
}
