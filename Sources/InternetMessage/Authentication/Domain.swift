import CPSL

/// Comparison of domain names by the public suffix list (https://publicsuffix.org), which libpsl reads.
package enum Domain {
    /// The newer of libpsl's built-in list and the file of the `publicsuffix` package.
    ///
    /// `nonisolated(unsafe)`: libpsl only reads a loaded list, so threads may share it. It is never freed.
    private nonisolated(unsafe) static let publicSuffixes = psl_latest(nil) ?? psl_builtin()

    /// Public suffixes that the list of Debian 12 (February 2023) lacks. `bank.in` and `fin.in` are the Reserve Bank of
    /// India's registries for banks and finance companies; without them all banks below `bank.in` would be one
    /// organization.
    private static let newerSuffixes: Set<String> = ["bank.in", "fin.in"]

    /// Returns true if the domains are equal or have the same organizational domain: relaxed alignment, RFC 7489
    /// section 3.1.
    ///
    /// A public suffix is aligned with itself only, and so are two customers of one hosting suffix such as `github.io`.
    /// An IP address is aligned with nothing. A-labels and U-labels of the same name are not compared: a From domain in
    /// Unicode needs a result in Unicode.
    package static func areAligned(_ one: String, _ other: String) -> Bool {
        let one = normalized(one)
        let other = normalized(other)
        guard isName(one), isName(other) else { return false }
        if one == other { return true }
        guard let organization = organization(of: one) else { return false }
        return organization == self.organization(of: other)
    }

    /// The organizational domain of RFC 7489 section 3.2: the public suffix and one label more; nil for a public
    /// suffix, an IP address and anything else that is not a domain name.
    static func organization(of name: String) -> String? {
        let name = normalized(name)
        guard isName(name), let registrable = registrable(name) else { return nil }
        guard newerSuffixes.contains(registrable) else { return registrable }
        let subdomain = name.utf8.dropLast(registrable.utf8.count + 1)
        guard !subdomain.isEmpty else { return nil }
        let label = subdomain.lastIndex(of: ASCII.dot).map { subdomain[subdomain.index(after: $0)...] } ?? subdomain
        return String(Substring(label)) + "." + registrable
    }

    /// - Parameter name: in lower case, without a final dot.
    private static func registrable(_ name: String) -> String? {
        // The result points into the argument.
        name.withCString { psl_registrable_domain(publicSuffixes, $0).map { String(cString: $0) } }
    }

    /// Returns false for an empty name or label, for characters that are in no host name, and for an IP address: no
    /// top-level domain is numeric.
    private static func isName(_ name: String) -> Bool {
        var previous = ASCII.dot
        var isLabelNumeric = true
        for byte in name.utf8 {
            if byte == ASCII.dot {
                guard previous != ASCII.dot else { return false }
                isLabelNumeric = true
            } else {
                guard byte.isPlain || byte >= 0x80 else { return false }
                if !byte.isDigit { isLabelNumeric = false }
            }
            previous = byte
        }
        return previous != ASCII.dot && !isLabelNumeric
    }

    /// Returns the name in lower case and without a final dot.
    package static func normalized(_ name: String) -> String {
        var name = name
        if name.utf8.contains(where: { $0 != $0.lowercased || $0 >= 0x80 }) { name = name.lowercasedLetters }
        if name.utf8.last == ASCII.dot { name.removeLast() }
        return name
    }
}
