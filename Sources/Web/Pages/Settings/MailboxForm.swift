import Access
import Hummingbird
import Ledger
import OAuth
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
    /// `password`, a server of ``AuthorizationServer/known``, or `other`.
    var login: String
    /// `nil` for a password.
    var consent: ConsentForm?

    /// For the template.
    private(set) var loginChoices: [DashboardView.Choice] = []
    private(set) var isPassword = true
    private(set) var tlsChoices: [SelectChoice] = []
    private(set) var dayChoices: [SelectChoice] = []
    private(set) var hint: Hint?
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
        login = call.query["login"] ?? ""
        complete(providers)
        if !isPassword { consent = ConsentForm(nil, login: login) }
    }

    /// What was typed.
    init(_ call: PageCall, among providers: ProviderFile?) {
        func text(_ name: String) -> String { call.form.text(name) ?? "" }
        (address, name, host, port) = (text("address"), text("name"), text("host"), text("port"))
        (tls, user, folder, days) = (text("tls"), text("user"), text("folder"), text("days"))
        authority = text("authority").replacing("\r\n", with: "\n")
        asksPassphrase = call.context.isLoggedIn
        login = text("login")
        complete(providers)
        if !isPassword { consent = ConsentForm(call.form, login: login) }
    }

    /// A setup that was refused. If only the consent failed, a new one is asked for.
    init(_ setup: MailboxSetup, call: PageCall, among providers: ProviderFile?) {
        let server = setup.server
        (address, name, host, port) = (setup.address, server.name, server.host, "\(server.port)")
        (tls, user, folder, days) = (server.tls.rawValue, server.user, setup.folder, "\(setup.sinceDays)")
        authority = server.authority ?? ""
        asksPassphrase = call.context.isLoggedIn
        login = server.registration.map { $0.provider ?? Self.other } ?? Self.password
        complete(providers)
        guard let registration = server.registration else { return }
        consent = ConsentForm(registration)
        guard setup.fault?.isOfConsent ?? false else { return }
        consent?.request = ConsentRequest(registration, user: server.user, nil)
        consent?.keepSecret(setup.clientSecret)
    }

    private static let password = "password"
    private static let other = "other"

    private mutating func complete(_ providers: ProviderFile?) {
        tlsChoices = MailboxSettings.TLS.allCases.map {
            SelectChoice($0.rawValue, PageText.of("new-mailbox.tls-\($0.rawValue)"), chosen: tls)
        }
        dayChoices = Self.days.map { SelectChoice("\($0)", PageText.count($0, "day"), chosen: days) }
        hasAuthority = !authority.isEmpty
        let provider =
            providers?.provider(ofHost: host) ?? (host.isEmpty ? providers?.provider(ofAddress: address) : nil)
        let acceptsPasswords = provider?.acceptsPasswords ?? true
        let logins = (acceptsPasswords ? [Self.password] : []) + AuthorizationServer.known.keys.sorted() + [Self.other]
        if !logins.contains(login) { login = acceptsPasswords ? Self.password : provider?.oauth ?? Self.other }
        isPassword = login == Self.password
        loginChoices = logins.map { name in
            DashboardView.Choice(
                title: PageText.of("consent.login-\(name)"),
                path: "/app/settings/mailboxes/new?" + FormFields.encoded([("address", address), ("login", name)]),
                isCurrent: name == login)
        }
        // Of a password, or that there is none.
        guard let provider, isPassword || !acceptsPasswords else { return }
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
        let registration = consent?.registration(login, &problems)
        guard problems.count == before, let port, let tls else { return nil }
        return MailboxSetup.Server(
            name: name, host: host, port: port, tls: tls, user: user,
            authority: authority.isEmpty ? nil : authority + "\n", registration: registration)
    }

    /// Goes on from the client to the consent.
    ///
    /// - Parameter form: `nil` for a new request.
    mutating func askConsent(for server: MailboxSetup.Server, _ form: FormFields?) {
        guard let registration = server.registration else { return }
        consent?.request = ConsentRequest(registration, user: server.user, form)
    }

    /// Reads and seals the answer and the client's secret.
    mutating func readConsent(
        for server: MailboxSetup.Server, _ form: FormFields, _ key: SealingKey, _ problems: inout [String]
    ) {
        guard let registration = server.registration else { return }
        consent?.request?.readAnswer(form, for: server.context, key, &problems)
        consent?.readSecret(form, of: registration, key, &problems)
    }

    /// Days that the first pass reads back.
    var sinceDays: Int { Self.days.first { "\($0)" == days } ?? 90 }

    private static func isLine(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= maximumText && !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }
}

extension MailboxSetup.Fault {
    /// True if another consent helps; otherwise a value has to be corrected first.
    var isOfConsent: Bool {
        switch self {
        case .sealed, .consent, .refreshToken, .tokenServer: true
        case .login, .certificate, .server, .folder, .name, .client, .scope, .redirect, .gone, .other: false
        }
    }

    /// The sentence about it.
    ///
    /// - Parameter isOAuth: true if no password is involved.
    func text(isOAuth: Bool) -> String {
        switch self {
        case .login where isOAuth: PageText.of("consent.fault-login")
        case .certificate where isOAuth: PageText.of("consent.fault-certificate")
        case .sealed where isOAuth: PageText.of("consent.fault-sealed")
        default: PageText.of("new-mailbox.fault-\(rawValue)")
        }
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
