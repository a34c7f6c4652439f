public import Chronology
public import InternetMessage
public import Ledger
import PCRE2
package import YAMLSource

/// A sender of alerts: `parsers/<key>/_bank.yaml`.
public struct Bank: Sendable {
    /// The folder's name, such as `hdfc`.
    public let key: String
    /// Display name, such as `HDFC Bank`.
    public let name: String
    /// Exact domains of its From addresses, lower case.
    public let domains: [String]
    /// Known alert senders, lower case; if empty, every address of the domains is known.
    public internal(set) var addresses: Set<String>
    /// Headers of the senders of its SMS, upper case, without prefix and suffix: `HDFCBK`.
    public internal(set) var smsHeaders: [String] = []
    /// Time zone of printed dates and times.
    public let timeZone: IANATimeZone
    /// The currency of amounts printed without one.
    public let currency: Currency
    /// Properties of its country. Empty for a bank whose mails are read with the wording of `_generic.yaml` alone.
    public internal(set) var region = BankRegion()
    /// True for a bank that the configuration names: its mails with an amount always wait for a person.
    public internal(set) var waitsAlways = false
    /// Overrides the general `auto_confirm_at`.
    public internal(set) var autoConfirmAt: Double?
    /// Keys of its mail signatures that need no lookup.
    public internal(set) var signingKeys: [PinnedKey] = []
    /// The file that describes it: its `_bank.yaml`, or the folder of shared templates.
    package let path: String
    /// A digest of the bank's files and of the shared ones that it uses, in hexadecimal.
    public internal(set) var version = ""
    /// The templates, possibly not loaded yet.
    var groups = Deferred(Groups())
    /// The number of templates in the bank's own folder.
    public internal(set) var templateCount = 0

    /// The templates that may claim a mail of the bank.
    struct Groups: Sendable {
        /// The templates of the bank's own folder. If one of them claims a mail, the shared ones are not tried.
        var own = TemplateGroup(folder: "")
        /// One for each folder of shared templates that the bank uses, loaded with the first mail that needs it: no
        /// template of the bank's own claims it.
        var shared: [Deferred<Groups>] = []

        /// Loads the shared templates if they are not loaded yet.
        func loadedShared() throws(SourceErrors) -> [TemplateGroup] {
            var loaded: [TemplateGroup] = []
            for folder in shared { loaded.append(try folder.get().own) }
            return loaded
        }
    }

    /// Loads the bank's own templates if they are not loaded yet, and the shared ones unless they passed every check
    /// before. Then it throws only for lack of a resource.
    package func load() throws(SourceErrors) { _ = try groups.get() }

    package var own: TemplateGroup { (try? groups.get())?.own ?? TemplateGroup(folder: key) }
    package var shared: [TemplateGroup] { (try? groups.get().loadedShared()) ?? [] }
    /// The templates of accounts, tried in addition to all others.
    package private(set) var accounts = TemplateGroup(folder: AccountProfile.folder)
    /// True if only accounts name the bank: then mail from other addresses is unclaimed.
    var isOfAccounts = false
    /// Mails of this bank that prove the shared templates: `parsers/<key>/_samples.yaml`.
    public internal(set) var samples: [BankSample] = []

    /// The bank's own templates.
    public var templates: [Template] { own.templates }
    /// Every template that may claim a mail of the bank: its own, then the shared ones.
    public var allTemplates: [Template] { templates + shared.flatMap(\.templates) }

    mutating func set(accounts: [Template]) {
        self.accounts = TemplateGroup(folder: AccountProfile.folder, accounts)
    }
}

/// A mail of a bank, with the template that must claim it, or must not.
public struct BankSample: Sendable {
    /// Name such as `_india/account-debit`.
    public let template: String
    public let sample: Sample
    /// The file that contains it.
    public let path: String
}
