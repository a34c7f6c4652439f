/// The host names of a fleet: a household is one label before the domain (RFC 1035, section 2.3.1; RFC 1123, section
/// 2.1).
public enum HostedName {
    /// The name of the household that a host name means; `nil` if the host is not one label below the domain.
    ///
    /// - Parameter host: in lower case, without the port.
    public static func household(of host: String, domain: String) -> String? {
        guard host.hasSuffix("." + domain) else { return nil }
        let label = host.dropLast(domain.utf8.count + 1)
        return isLabel(label) ? String(label) : nil
    }

    /// The host name of a household; `nil` if its name is no label.
    public static func host(of household: String, domain: String) -> String? {
        isLabel(household[...]) ? "\(household).\(domain)" : nil
    }

    static func isDomain(_ name: String) -> Bool {
        name.utf8.count <= 189 && name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isLabel)
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }
}
