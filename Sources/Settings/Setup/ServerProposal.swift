/// Server, port, TLS and user of a mailbox, of which some are known: the others follow from the provider.
public struct ServerProposal: Sendable {
    public let provider: EmailProvider?
    public let host: String
    public let port: Int
    public let tls: MailboxSettings.TLS
    public let user: String

    /// - Parameter host: given by a person, or that of the address's provider.
    public init(
        address: String, host: String, port: Int? = nil, tls: MailboxSettings.TLS? = nil, user: String? = nil,
        among providers: ProviderFile
    ) {
        // An address of a domain of one's own may be at a known server.
        let ofAddress = providers.provider(ofAddress: address)
        provider = ofAddress?.host == host.lowercased() ? ofAddress : providers.provider(ofHost: host)
        self.host = host
        self.tls = tls ?? provider?.tls ?? (port == 143 ? .starttls : .implicit)
        self.port = port ?? provider?.port ?? (self.tls == .starttls ? 143 : 993)
        self.user = user ?? provider?.user(ofAddress: address) ?? address
    }
}
