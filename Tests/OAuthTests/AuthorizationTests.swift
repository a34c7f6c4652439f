import Codecs
import Testing

@testable import OAuth

@Suite struct AuthorizationTests {
    static let server = AuthorizationServer(
        authorizationEndpoint: "https://auth.example.com/authorize", tokenEndpoint: "https://auth.example.com/token",
        scope: "mail read",
        parameters: ["access_type": "offline"])

    static func request(secret: Token? = nil) throws -> AuthorizationRequest {
        AuthorizationRequest(
            server: server, client: Client(id: "a&b", secret: secret), redirectURI: "http://127.0.0.1:4000",
            loginHint: "me@example.com",
            state: try #require(Token("STATE")),
            proof: ProofKey(verifier: try #require(Token("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))))
    }

    @Test func exampleOfRFC7636AppendixB() throws {
        #expect(try Self.request().proof.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test func everyRequestHasAnotherStateAndVerifier() {
        let all = (0..<50).map { _ in
            AuthorizationRequest(
                server: Self.server, client: Client(id: "x", secret: nil), redirectURI: "http://127.0.0.1:1",
                loginHint: nil)
        }
        #expect(Set(all.map(\.state)).count == 50 && Set(all.map(\.proof.verifier)).count == 50)
        #expect(
            all.allSatisfy { $0.proof.verifier.value.utf8.count == 43 && !$0.url.contains($0.proof.verifier.value) })
    }

    @Test func theURLNamesEverything() throws {
        #expect(
            try Self.request().url
                == "https://auth.example.com/authorize?response_type=code&client_id=a%26b&redirect_uri=http%3A%2F%2F127.0.0.1%3A4000&state=STATE"
                + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256&scope=mail%20read"
                + "&login_hint=me%40example.com&access_type=offline")
    }

    @Test(arguments: [
        "http://127.0.0.1:4000/?state=STATE&code=4%2F0A", "/?code=4%2F0A&state=STATE&scope=x", "code=4/0A&state=STATE",
        "  http://localhost:4000?code=4/0A&state=STATE#fragment\n",
    ]) func theCodeIsFound(redirect: String) throws {
        #expect(try Self.request().code(in: redirect).value == "4/0A")
    }

    @Test(arguments: [
        ("", OAuthError.Kind.malformedRedirect), ("http://127.0.0.1:4000/", .malformedRedirect),
        ("/?code=1", .malformedRedirect),
        ("/?state=STATE", .malformedRedirect), ("/?state=STATE&code=", .malformedRedirect),
        ("/?state=STATE&code=a%0Ab", .malformedRedirect),
        ("/?state=STATE&code=1&code=2", .malformedRedirect), ("/?state=STATE&state=STATE&code=1", .malformedRedirect),
        ("%%%&=&&?=%", .malformedRedirect),
        ("/?state=OTHER&code=1", .wrongState), ("/?state=OTHER&error=access_denied", .wrongState),
        ("/?state=&code=1", .wrongState),
        ("/?state=STATE&error=access_denied", .denied),
        ("/?state=STATE&error=invalid_scope&code=1", .authorizationRefused),
    ]) func malformedAnswersAreRefused(redirect: String, kind: OAuthError.Kind) throws {
        let error = try #require(throws: OAuthError.self) { try Self.request().code(in: redirect) }
        #expect(error.kind == kind && !error.isTransient)
    }

    /// The answer comes with another request of the page, which has the state and the verifier again.
    @Test func aRequestIsMadeAgain() throws {
        let first = AuthorizationRequest(
            server: Self.server, client: Client(id: "a&b", secret: nil), redirectURI: Self.server.redirectURI(),
            loginHint: "me@example.com")
        let again = try #require(
            AuthorizationRequest(
                server: Self.server, client: first.client, redirectURI: first.redirectURI, loginHint: "me@example.com",
                state: first.state, verifier: first.verifier))
        #expect(again.url == first.url && first.redirectURI == "http://127.0.0.1:47113")
        #expect(AuthorizationServer.outlook.redirectURI() == "http://localhost:47113")
        for text in ["short", String(repeating: "a", count: 129), String(repeating: "+", count: 43)] {
            let verifier = try #require(Token(text))
            #expect(
                AuthorizationRequest(
                    server: Self.server, client: first.client, redirectURI: "x", loginHint: nil, state: first.state,
                    verifier: verifier) == nil, "\(text)")
        }
    }

    @Test func registrationsAreReadAgain() throws {
        for server in [AuthorizationServer.gmail, .outlook, Self.own, Self.withoutScope] {
            let registration = ClientRegistration(server: server, clientID: "a b")
            let text = registration.json.text
            #expect(ClientRegistration(try JSON(parsing: Array(text.utf8))) == registration)
        }
        #expect(ClientRegistration(server: .gmail, clientID: "a").provider == "gmail")
        #expect(ClientRegistration(server: Self.own, clientID: "a").provider == nil)
        for text in [
            "{}", "[]", #"{"client_id":"a"}"#, #"{"client_id":"a","provider":"nobody"}"#,
            #"{"client_id":"a","authorization_endpoint":"https://a.example"}"#, #"{"provider":"gmail"}"#,
        ] {
            #expect(ClientRegistration(try JSON(parsing: Array(text.utf8))) == nil, "\(text)")
        }
    }

    private static let own = AuthorizationServer(
        authorizationEndpoint: "https://auth.example.com/authorize", tokenEndpoint: "https://auth.example.com/token",
        scope: "mail")
    private static let withoutScope = AuthorizationServer(
        authorizationEndpoint: "https://auth.example.com/authorize", tokenEndpoint: "https://auth.example.com/token")

    /// What is sealed for one client opens for no other.
    @Test func everyPartOfARegistrationIsInItsContext() {
        let registration = ClientRegistration(server: Self.own, clientID: "a")
        var others = [
            ClientRegistration(server: Self.own, clientID: "b"), .init(server: Self.withoutScope, clientID: "a"),
        ]
        for path in [\AuthorizationServer.authorizationEndpoint, \.tokenEndpoint] {
            var server = Self.own
            server[keyPath: path] += "x"
            others.append(ClientRegistration(server: server, clientID: "a"))
        }
        #expect(Set((others + [registration]).map(\.context)).count == 5)
        #expect(others.filter { $0.secretContext != registration.secretContext }.count == 2)
    }

    @Test func grantsAreReadAgain() throws {
        let (code, verifier) = (try #require(Token("4/0A\"\\")), try #require(Token("v")))
        for grant in [
            AuthorizationGrant.code(code, verifier: verifier, redirectURI: "http://127.0.0.1:1"), .refreshToken(code),
        ] {
            #expect(AuthorizationGrant(grant.bytes) == grant)
            #expect(!"\(grant)".contains("4/0A"))
        }
        for text in ["", "{}", #"{"code":"a"}"#, #"{"code":"a","verifier":"b"}"#, #"{"refresh_token":""}"#] {
            #expect(AuthorizationGrant(Array(text.utf8)) == nil, "\(text)")
        }
    }

    @Test func aRefusedCodeIsNoExpiredConsent() throws {
        let request = try Self.request(secret: Token("s3cret")).redemption(of: try #require(Token("4/0A")))
        let body = Array(#"{"error":"invalid_grant","error_description":"4/0A of s3cret"}"#.utf8)
        let error = try #require(throws: OAuthError.self) { try TokenAnswer(status: 400, body: body, to: request) }
        #expect(error.kind == .codeRefused && !error.isTransient)
        #expect(!error.description.contains("4/0A") && !error.description.contains("s3cret"))
    }

    @Test func theCodeIsRedeemedWithItsProof() throws {
        let request = try Self.request(secret: Token("s3cret"))
        let body = FormEncoding.decode(
            String(decoding: request.redemption(of: try #require(Token("4/0A"))).body, as: UTF8.self))
        #expect(
            Dictionary(uniqueKeysWithValues: body.map { ($0.name, $0.value) }) == [
                "grant_type": "authorization_code", "code": "4/0A", "redirect_uri": "http://127.0.0.1:4000",
                "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "client_id": "a&b",
                "client_secret": "s3cret",
            ])
    }
}
