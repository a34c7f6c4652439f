import Access
import OAuth
import Settings
import Store

/// The fields of a login by OAuth: the client first, then the consent. A secret is in it sealed only.
struct ConsentForm: Sendable {
    var clientID: String
    /// Empty for a server that is known by its name, as the two after it.
    var authorizationEndpoint: String
    var tokenEndpoint: String
    var scope: String
    /// `nil` while the client is asked for.
    var request: ConsentRequest?
    /// The client's secret, sealed in an earlier try; empty without one.
    private(set) var sealedSecret = ""

    /// For the template.
    private(set) var explanation = ""
    /// Where a client is registered.
    private(set) var page: String?
    private(set) var asksEndpoints = false
    private(set) var hasSecret = false

    private static let maximumText = 2000
    private static let maximumClientID = 255

    /// What was typed; empty fields without a form.
    ///
    /// - Parameter login: a server that is known by its name, or another word for one of a person's own.
    init(_ form: FormFields?, login: String) {
        func text(_ name: String) -> String { form?.text(name) ?? "" }
        (clientID, scope) = (text("client_id"), text("scope"))
        (authorizationEndpoint, tokenEndpoint) = (text("authorization_endpoint"), text("token_endpoint"))
        complete(login)
    }

    init(_ registration: ClientRegistration) {
        let server = registration.server
        clientID = registration.clientID
        (authorizationEndpoint, tokenEndpoint, scope) =
            registration.provider == nil
            ? (server.authorizationEndpoint, server.tokenEndpoint, server.scope ?? "") : ("", "", "")
        complete(registration.provider ?? "")
    }

    private mutating func complete(_ login: String) {
        switch login {
        case "gmail":
            (explanation, page) = (PageText.of("consent.client-gmail"), "https://console.cloud.google.com/auth/clients")
        case "outlook":
            let address = "http://" + AuthorizationServer.outlook.redirectHost
            explanation = PageText.of("consent.client-outlook", ["address": address])
            page = "https://entra.microsoft.com"
        default:
            let server = AuthorizationServer(authorizationEndpoint: "", tokenEndpoint: "")
            explanation = PageText.of("consent.client-other", ["address": server.redirectURI()])
            asksEndpoints = true
        }
    }

    /// The client that the fields name; `nil` with problems.
    func registration(_ login: String, _ problems: inout [String]) -> ClientRegistration? {
        let before = problems.count
        func check(_ isRight: Bool, _ key: String) { if !isRight { problems.append(PageText.of(key)) } }
        check(
            OAuthSettings.isClientID(clientID) && clientID.utf8.count <= Self.maximumClientID, "consent.bad-client-id")
        let server: AuthorizationServer
        if let known = AuthorizationServer.known[login] {
            server = known
        } else {
            check(Self.isEndpoint(authorizationEndpoint), "consent.bad-authorization-endpoint")
            check(Self.isEndpoint(tokenEndpoint), "consent.bad-token-endpoint")
            // RFC 6749 section 3.3, with blanks between the scopes.
            check(
                scope.utf8.count <= Self.maximumText && scope.utf8.allSatisfy { (0x20...0x7E).contains($0) },
                "consent.bad-scope")
            server = AuthorizationServer(
                authorizationEndpoint: authorizationEndpoint, tokenEndpoint: tokenEndpoint,
                scope: scope.isEmpty ? nil : scope)
        }
        return problems.count == before ? ClientRegistration(server: server, clientID: clientID) : nil
    }

    private static func isEndpoint(_ text: String) -> Bool {
        OAuthSettings.isEndpoint(text) && text.utf8.count <= maximumText
    }

    /// Keeps the sealed secret of an earlier try.
    mutating func keepSecret(_ sealed: String?) {
        sealedSecret = sealed.flatMap { SealedSecret($0) }?.text ?? ""
        hasSecret = !sealedSecret.isEmpty
    }

    /// Seals the client's secret that was typed, or keeps that of an earlier try. It stays empty for a public client.
    mutating func readSecret(
        _ form: FormFields, of registration: ClientRegistration, _ key: SealingKey, _ problems: inout [String]
    ) {
        keepSecret(form["sealed_client_secret"])
        guard let typed = form.text("client_secret") else { return }
        guard let secret = Token(typed),
            let sealed = key.seal(Array(secret.value.utf8), for: registration.secretContext)
        else { return problems.append(PageText.of("consent.bad-client-secret")) }
        keepSecret(sealed.text)
    }
}

/// A request for consent on its way through a form: the address to open, and the answer that a person pastes.
struct ConsentRequest: Sendable {
    private let request: AuthorizationRequest
    let url: String
    /// The name of the authorization server.
    let server: String
    /// Where the browser is redirected to; nothing listens there.
    let redirectAddress: String
    /// Fields of the form. The verifier redeems nothing without the code, and a form that is kept loses it.
    let state: String
    let verifier: String
    /// An answer of an earlier try, sealed; empty without one.
    private(set) var sealedAnswer = ""
    private(set) var asksAnswer = true
    /// Why the answer cannot be used.
    private(set) var problem: String?

    /// - Parameters:
    ///   - user: offered on the page of the server.
    ///   - form: fields that carry an earlier request; a new one is made without them.
    init(_ registration: ClientRegistration, user: String, _ form: FormFields?) {
        let (client, server) = (Client(id: registration.clientID, secret: nil), registration.server)
        let kept = form.flatMap { form -> AuthorizationRequest? in
            guard let state = form["state"].flatMap({ Token($0) }),
                let verifier = form["verifier"].flatMap({ Token($0) })
            else { return nil }
            return AuthorizationRequest(
                server: server, client: client, redirectURI: server.redirectURI(), loginHint: user, state: state,
                verifier: verifier)
        }
        request =
            kept
            ?? AuthorizationRequest(
                server: server, client: client, redirectURI: server.redirectURI(), loginHint: user)
        (url, self.server, redirectAddress) = (request.url, Self.host(server), request.redirectURI)
        (state, verifier) = (request.state.value, request.verifier.value)
    }

    private static func host(_ server: AuthorizationServer) -> String {
        let parts = server.authorizationEndpoint.split(separator: "/")
        return parts.count > 1 ? String(parts[1]) : server.name
    }

    /// Reads the address that was pasted, and seals the code in it with what redeems it.
    ///
    /// - Parameter context: the server and the login that the code is for.
    mutating func readAnswer(
        _ form: FormFields, for context: [String], _ key: SealingKey, _ problems: inout [String]
    ) {
        if let typed = form.text("redirect_address") {
            do throws(OAuthError) {
                guard
                    let sealed = key.seal(
                        try request.grant(of: request.code(in: typed)).bytes, for: context, in: .grant)
                else { throw OAuthError(.malformedRedirect, server: server) }
                keep(sealed)
            } catch {
                problem = Self.text(of: error, server)
            }
        } else if let sealed = form["sealed_answer"].flatMap({ SealedSecret($0) }) {
            keep(sealed)
        } else {
            problem = PageText.of("consent.no-answer")
        }
        if let problem { problems.append(problem) }
    }

    private mutating func keep(_ sealed: SealedSecret) { (sealedAnswer, asksAnswer) = (sealed.text, false) }

    private static func text(of error: OAuthError, _ server: String) -> String {
        switch error.kind {
        case .denied: PageText.of("consent.denied")
        case .authorizationRefused: PageText.of("consent.refused", ["server": server, "code": error.code ?? ""])
        case .wrongState: PageText.of("consent.wrong-state")
        default: PageText.of("consent.no-code")
        }
    }
}
