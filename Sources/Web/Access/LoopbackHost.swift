/// Returns true if a Host header names this machine's loopback interface.
///
/// - Parameter authority: a name or address, with or without a port.
func isLoopback(authority: String) -> Bool {
    let host = hostName(authority: authority)
    if host == "localhost" || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
}
