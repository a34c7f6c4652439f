/// An address at a bank's own domain that a person trusts although the bank's profile does not list it.
public struct TrustedSender: Hashable, Sendable {
    /// In lower case.
    public var address: String
    /// The bank's key.
    public var bank: String

    public init(address: String, bank: String) {
        self.address = address
        self.bank = bank
    }
}
