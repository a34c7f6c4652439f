/// What health says of one mailbox. Made by the process that knows, so that the page needs no knowledge of mail.
public struct MailboxHealth: Codable, Sendable {
    public var name: String
    public var state: String
    public var reason: String?

    public init(name: String, state: String, reason: String?) {
        self.name = name
        self.state = state
        self.reason = reason
    }
}
