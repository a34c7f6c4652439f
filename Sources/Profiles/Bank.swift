public import Ledger

/// A sender of alerts: `parsers/<key>/_bank.yaml`.
public struct Bank: Sendable {
    /// The folder's name, such as `hdfc`.
    public let key: String
    /// For people, such as `HDFC Bank`.
    public let name: String
    /// Exact domains of its From addresses, lower case.
    public let domains: [String]
    /// Known alert senders, lower case; empty: every address of the domains is one.
    public let addresses: Set<String>
    /// The zone of printed dates and times.
    public let timeZone: BankTimeZone
    /// What `Rs`-less amounts are in.
    public let currency: Currency
    /// In place of the general `auto_confirm_at`.
    public let autoConfirmAt: Double?
    /// A digest of the bank's files, in hexadecimal.
    public internal(set) var version = ""
    public internal(set) var templates: [Template] = []
}
