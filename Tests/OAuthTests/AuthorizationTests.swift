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
