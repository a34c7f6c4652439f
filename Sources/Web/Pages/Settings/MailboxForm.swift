import Access
import Hummingbird
import Ledger
import Settings
import Store

/// The form of a new mailbox, as it is filled in: from an address, from what was typed, or from a refused setup. It
/// never holds a password.
struct MailboxForm: Sendable {
    /// What the provider expects, in words.
    struct Hint: Sendable {
        var sentence: String
        /// English, as in the file of the providers.
        var note: String?
        /// Where the password is made.
        var page: String?
    }

    var address: String
    var name: String
    var host: String
    var port: String
    var tls: String
    var user: String
    var folder: String
    var days: String
    var authority: String
    var asksPassphrase: Bool

    /// For the template.
    private(set) var tlsChoices: [SelectChoice] = []
    private(set) var dayChoices: [SelectChoice] = []
    private(set) var hint: Hint?
    /// False for a provider that accepts OAuth only.
    private(set) var acceptsPasswords = true
    private(set) var hasAuthority = false

    /// How far back the first pass can read, in days.
    private static let days: [Int] = [30, 90, 365, 1095]
    private static let maximumAuthority = 64 << 10
    private static let maximumText = 255

    /// Proposes the server of an address.
    init(address: String, names: [String], call: PageCall, among providers: ProviderFile?) {
        let host = providers?.provider(ofAddress: address)?.host ?? ""
        let server = providers.map { ServerProposal(address: address, host: host, among: $0) }
        let free = ["personal", MailboxDraft.name(ofAddress: address)].compactMap(\.self).first { !names.contains($0) }
        self.address = address
        name = free ?? ""
        self.host = host
        (port, tls) = ("\(server?.port ?? 993)", (server?.tls ?? .implicit).rawValue)
        (user, folder) = (server?.user ?? address, "INBOX")
        (days, authority) = ("90", "")
        asksPassphrase = call.context.isLoggedIn
        complete(providers)
    }

    /// What was typed.
    init(_ call: PageCall, among providers: ProviderFile?) {
        func text(_ name: String) -> String { call.form.text(name) ?? "" }
        (address, name, host, port) = (text("address"), text("name"), text("host"), text("port"))
        (tls, user, folder, days) = (text("tls"), text("user"), text("folder"), text("days"))
        authority = text("authority").replacing("\r\n", with: "\n")
        asksPassphrase = call.context.isLoggedIn
        complete(providers)
    }

    /// A setup that was refused.
    init(_ setup: MailboxSetup, call: PageCall, among providers: ProviderFile?) {
        let server = setup.server
        (address, name, host, port) = (setup.address, server.name, server.host, "\(server.port)")
        (tls, user, folder, days) = (server.tls.rawValue, server.user, setup.folder, "\(setup.sinceDays)")
        authority = server.authority ?? ""
        asksPassphrase = call.context.isLoggedIn
        complete(providers)
    }

    private mutating func complete(_ providers: ProviderFile?) {
        tlsChoices = MailboxSettings.TLS.allCases.map {
            SelectChoice($0.rawValue, PageText.of("new-mailbox.tls-\($0.rawValue)"), chosen: tls)
        }
        dayChoices = Self.days.map { SelectChoice("\($0)", PageText.count($0, "day"), chosen: days) }
        hasAuthority = !authority.isEmpty
        let provider =
            providers?.provider(ofHost: host) ?? (host.isEmpty ? providers?.provider(ofAddress: address) : nil)
        guard let provider else { return }
        acceptsPasswords = provider.acceptsPasswords
        hint = Hint(
            sentence: PageText.of(
                "new-mailbox.password-\(provider.passwordKind.replacing("_", with: "-"))", ["name": provider.name]),
            note: provider.note, page: provider.passwordPage)
    }

    /// The server that the fields name; `nil` with problems.
    func server(_ problems: inout [String], names: [String]) -> MailboxSetup.Server? {
        let before = problems.count
        func check(_ isRight: Bool, _ key: String) { if !isRight { problems.append(PageText.of(key)) } }
        check(MailboxDraft.isName(name), "new-mailbox.bad-name")
        if names.contains(name) { problems.append(PageText.of("new-mailbox.name-in-use", ["name": name])) }
        check(
            MailboxSettings.isHost(host) && host.utf8.count <= Self.maximumText && Self.isLine(host),
            "new-mailbox.bad-host")
        let port = Int(port).flatMap { (1...65535).contains($0) ? $0 : nil }
        check(port != nil, "new-mailbox.bad-port")
        let tls = MailboxSetup.TLS(rawValue: tls)
        check(tls != nil, "new-mailbox.bad-tls")
        check(Self.isLine(user), "new-mailbox.bad-user")
        check(Self.isLine(folder), "new-mailbox.bad-folder")
        check(
            authority.isEmpty
                || authority.utf8.count <= Self.maximumAuthority && authority.contains("-----BEGIN CERTIFICATE-----"),
            "new-mailbox.bad-authority")
        guard problems.count == before, let port, let tls else { return nil }
        return MailboxSetup.Server(
            name: name, host: host, port: port, tls: tls, user: user,
            authority: authority.isEmpty ? nil : authority + "\n")
    }

    /// Days that the first pass reads back.
    var sinceDays: Int { Self.days.first { "\($0)" == days } ?? 90 }

    private static func isLine(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= maximumText && !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }
}

extension MailboxSetup.Server {
    /// The password, sealed for this server; `nil` with a problem.
    func seal(_ password: String, with key: SealingKey, _ problems: inout [String]) -> SealedSecret? {
        let bytes = Array(password.utf8)
        guard !bytes.isEmpty, !bytes.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }),
            let sealed = key.seal(bytes, for: context)
        else {
            problems.append(
                PageText.of(bytes.isEmpty ? "new-mailbox.no-password" : "new-mailbox.bad-password"))
            return nil
        }
        return sealed
    }
}
