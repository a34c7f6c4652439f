public import Codecs

/// The servers between clients and this one that name the client of each request.
public struct TrustedProxies: Sendable {
    private let networks: [IPNetwork]

    /// Trusted proxies that one request passes. Also bounds the work for a field that names many.
    private static let mostHops = 16

    public init(_ networks: [IPNetwork] = []) { self.networks = networks }

    public var isEmpty: Bool { networks.isEmpty }

    public func contains(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address) } }

    /// The client of a request: the rightmost address that is not a trusted proxy. Addresses to the left of it do not
    /// count, because the client can write them. If an address is missing, hidden or malformed, the proxy that did not
    /// name it is the client.
    ///
    /// A proxy writes one of the fields and may pass on the other one from its client: if they differ, the peer is the
    /// client.
    ///
    /// - Parameters:
    ///   - peer: the other end of the connection.
    ///   - forwardedFor: the values of `X-Forwarded-For`, in their order.
    ///   - forwarded: the values of `Forwarded` (RFC 7239), in their order.
    public func client(of peer: IPAddress, forwardedFor: [String], forwarded: [String]) -> IPAddress {
        guard contains(peer) else { return peer }
        var clients: Set<IPAddress> = []
        if !forwardedFor.isEmpty { clients.insert(client(of: peer, forwardedFor, ForwardedNodes.list)) }
        if !forwarded.isEmpty { clients.insert(client(of: peer, forwarded, ForwardedNodes.elements)) }
        return clients.count == 1 ? clients.first ?? peer : peer
    }

    private func client(
        of peer: IPAddress, _ values: [String], _ nodes: (String) -> [IPAddress?]
    ) -> IPAddress {
        var (hop, hops) = (peer, 1)
        for value in values.reversed() {
            for node in nodes(value).reversed() {
                guard let address = node, hops <= Self.mostHops else { return hop }
                guard contains(address) else { return address }
                (hop, hops) = (address, hops + 1)
            }
        }
        return hop
    }
}
