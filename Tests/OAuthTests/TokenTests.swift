import Testing

@testable import OAuth

@Suite struct TokenTests {
    static let refresh = "1//0g-refresh-me"

    static func answer(_ status: Int, _ body: String) throws -> TokenAnswer {
        let request = TokenRequest(
            refreshing: try #require(Token(refresh)), server: AuthorizationTests.server,
            client: Client(id: "id", secret: Token("s3cret")))
        return try TokenAnswer(status: status, body: Array(body.utf8), to: request)
    }

    @Test(arguments: [
        (#"{"access_token":"ya29.a","expires_in":3599,"token_type":"Bearer"}"#, 3599, nil),
        (#"{"access_token":"ya29.a","expires_in":"3599","token_type":"bearer","refresh_token":"next"}"#, 3599, "next"),
        (#"{"access_token":"ya29.a"}"#, 600, nil), (#"{"access_token":"ya29.a","expires_in":-5}"#, 0, nil),
        (#"{"access_token":"ya29.a","expires_in":1e300,"refresh_token":""}"#, 600, nil),
        (#"{"access_token":"ya29.a","expires_in":null}"#, 600, nil),
        (#"{"access_token":"ya29.a","expires_in":99999999999,"extra":[{}]}"#, 86_400 * 365, nil),
    ]) func answersAreRead(body: String, lifetime: Int, next: String?) throws {
        let answer = try Self.answer(200, body)
        #expect(
            answer.accessToken.value == "ya29.a" && answer.lifetime == lifetime && answer.refreshToken?.value == next)
    }

    @Test(arguments: [
        (200, "", OAuthError.Kind.malformedAnswer), (200, "<html>", .malformedAnswer), (200, "{}", .malformedAnswer),
        (200, "[1]", .malformedAnswer),
        (200, #"{"access_token":5}"#, .malformedAnswer), (200, #"{"access_token":"a b"}"#, .malformedAnswer),
        (200, #"{"access_token":"a\u0001auth=x"}"#, .malformedAnswer),
        (200, #"{"access_token":"a","token_type":"mac"}"#, .malformedAnswer),
        (200, #"{"access_token":"a","token_type":5}"#, .malformedAnswer),
        (200, #"{"access_token":"a","access_token":"b"}"#, .malformedAnswer),
        (200, String(repeating: "[", count: 100_000), .malformedAnswer),
        (200, #"{"error":"invalid_grant"}"#, .consentNeeded),
        (400, #"{"error":"invalid_grant"}"#, .consentNeeded),
        (400, #"{"error":"interaction_required"}"#, .consentNeeded),
        (401, #"{"error":"invalid_client"}"#, .clientRefused),
        (400, #"{"error":"redirect_uri_mismatch"}"#, .redirectRefused),
        (400, #"{"error":"invalid_scope"}"#, .scopeRefused), (400, #"{"error":"what"}"#, .refused),
        (404, "not found", .malformedAnswer),
        (429, #"{"error":"invalid_grant"}"#, .unavailable), (500, "", .unavailable),
        (503, #"{"error":"x"}"#, .unavailable), (302, "", .malformedAnswer),
    ]) func refusalsHaveTheirClass(status: Int, body: String, kind: OAuthError.Kind) throws {
        let error = try #require(throws: OAuthError.self) { try Self.answer(status, body) }
        #expect(error.kind == kind, "\(error)")
        #expect(error.isTransient == [.malformedAnswer, .unavailable].contains(kind))
    }

    @Test func serverTextIsSanitizedAndHidesSecrets() throws {
        let long = String(repeating: "x", count: 60)
        let error = try #require(throws: OAuthError.self) {
            try Self.answer(
                400,
                #"{"error":"invalid_grant","error_description":"Token \#(Self.refresh) or (s3cret) \#(long) was\r\n\u001b[31m revoked ☕."}"#
            )
        }
        #expect(error.description.contains("invalid_grant: Token ... or ... ... was [31m revoked ."), "\(error)")
        #expect(error.description.hasPrefix("re-consent needed: auth.example.com no longer accepts the refresh token"))
        #expect(error.description.contains("parserctl login"))
    }

    @Test func secretsDoNotShow() throws {
        let token = try #require(Token("hunter2"))
        let request = TokenRequest(
            refreshing: token, server: AuthorizationTests.server, client: Client(id: "id", secret: token))
        var dumped = ""
        dump(token, to: &dumped)
        dump(request, to: &dumped)
        dump(Client(id: "id", secret: token), to: &dumped)
        #expect(!"\(token)\(String(reflecting: token))\(request)\(dumped)".contains("hunter2"))
    }

    @Test(arguments: ["", "a b", "a\n", "é", String(repeating: "a", count: 20_000)]) func noTokens(text: String) {
        #expect(Token(text) == nil)
    }

    @Test func digestDistinguishesTokens() {
        #expect(Token("abc")?.digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }
}
