import CurlTransport
public import IMAP
public import OAuth
public import Settings

extension OAuthSettings {
    /// Sends a request to the token endpoint. Blocks until the response, for half a minute at most, or until
    /// ``Wake/stop()``.
    public func answer(to request: TokenRequest, wake: Wake) throws(OAuthError) -> TokenAnswer {
        let https = HTTPSRequest(
            url: server.tokenEndpoint, body: request.body,
            headers: ["Accept: application/json", "Content-Type: application/x-www-form-urlencoded"], caFile: caFile)
        let answer: HTTPSRequest.Answer
        do {
            answer = try https.send(wake: wake)
        } catch {
            throw OAuthError(.unreachable, server: server.name, detail: error.description)
        }
        return try TokenAnswer(status: answer.status, body: answer.body, to: request)
    }
}
