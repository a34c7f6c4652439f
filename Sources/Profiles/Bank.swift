public import Chronology
public import Ledger
import PCRE2
package import YAMLSource

/// A sender of alerts: `parsers/<key>/_bank.yaml`.
public struct Bank: Sendable {
    /// The folder's name, such as `hdfc`.
    public let key: String
    /// For people, such as `HDFC Bank`.
    public let name: String
    /// Exact domains of its From addresses, lower case.
    public let domains: [String]
    /// Known alert senders, lower case; empty: every address of the domains is one.
    public internal(set) var addresses: Set<String>
    /// The zone of printed dates and times.
    public let timeZone: IANATimeZone
    /// What `Rs`-less amounts are in.
    public let currency: Currency
    /// In place of the general `auto_confirm_at`.
    public internal(set) var autoConfirmAt: Double?
    /// Where it is described: its `_bank.yaml`, or the folder of shared templates.
    package let path: String
    /// A digest of the bank's files and of the shared ones that it uses, in hexadecimal.
    public internal(set) var version = ""
    /// Its templates, which may be read only when a mail asks for them.
    var groups = Deferred(Groups())
    /// How many templates stand in the bank's own folder.
    public internal(set) var templateCount = 0

    /// The templates that may claim a mail of the bank.
    struct Groups: Sendable {
        /// Those in the bank's own folder. A mail that one of them claims is no shared one's any more.
        var own = TemplateGroup(folder: "")
        /// One for each folder of shared templates that the bank uses.
        package var shared: [TemplateGroup] = []
    }

    /// Reads the templates, where that has not happened. Throws only where the system lacks something: they stood every
    /// check before.
    package func load() throws(SourceErrors) { _ = try groups.get() }

    package var own: TemplateGroup { (try? groups.get())?.own ?? TemplateGroup(folder: key) }
    package var shared: [TemplateGroup] { (try? groups.get())?.shared ?? [] }
    /// The templates of people's accounts: asked beside all others.
    package private(set) var accounts = TemplateGroup(folder: AccountProfile.folder)
    /// Only accounts know it: mail from an address that none of them names is not the bank's.
    var isOfAccounts = false
    /// Mails of this bank that prove the shared templates: `parsers/<key>/_samples.yaml`.
    public internal(set) var samples: [BankSample] = []

    /// The bank's own templates.
    public var templates: [Template] { own.templates }
    /// Every template that may claim a mail of the bank: its own, then the shared ones.
    public var allTemplates: [Template] { templates + shared.flatMap(\.templates) }

    mutating func take(accounts: [Template]) {
        self.accounts = TemplateGroup(folder: AccountProfile.folder, accounts)
    }
}

/// A mail of a bank, with the template that must claim it, or must not.
public struct BankSample: Sendable {
    /// Such as `_india/account-debit`.
    public let template: String
    public let sample: Sample
    /// The file that it stands in.
    public let path: String
}
