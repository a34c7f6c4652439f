import Access
import HTTPTypes
import Hummingbird
import NIOCore

/// A refused request: problem details (RFC 9457).
struct Refusal: HTTPResponseError {
    var status: HTTPResponse.Status
    var title: String
    /// The event and the remedy. Never holds a secret.
    var detail: String
    var headers: HTTPFields = [:]

    func response(from request: Request, context: some RequestContext) throws -> Response {
        let escaped = { (text: String) in text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") }
        let body =
            #"{"type":"about:blank","title":"\#(escaped(title))","status":\#(status.code),"detail":"\#(escaped(detail))","request_id":"\#(escaped(context.id))"}"#
        var headers = headers
        headers[.contentType] = "application/problem+json"
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: body)))
    }

    static func unauthorized(_ why: String, error: String? = nil) -> Refusal {
        Refusal(
            status: .unauthorized, title: "Unauthorized",
            detail:
                "\(why) Make a token with 'parserctl token add NAME' and send it as 'Authorization: Bearer spw_...', or log in at /login.",
            headers: [.wwwAuthenticate: #"Bearer realm="SpendWise""# + (error.map { #", error="\#($0)""# } ?? "")])
    }

    static func forbidden(_ scope: String, who: String) -> Refusal {
        Refusal(
            status: .forbidden, title: "Forbidden",
            detail:
                "The scope '\(scope)' is required, which \(who) lacks: 'parserctl token add NAME --scope \(scope)' makes a token with it.",
            headers: [.wwwAuthenticate: #"Bearer realm="SpendWise", error="insufficient_scope", scope="\#(scope)""#])
    }

    /// The user's role lacks the scope, whatever the token has.
    static func forbidden(_ scope: Scope, _ role: Role) -> Refusal {
        Refusal(
            status: .forbidden, title: PageText.of("roles.refused"),
            detail: PageText.of(
                "roles.refused-\(scope == .admin ? "owner" : "editor")", ["role": PageText.of("roles.\(role.rawValue)")]
            ),
            headers: [
                .wwwAuthenticate:
                    #"Bearer realm="SpendWise", error="insufficient_scope", scope="\#(scope.rawValue)""#
            ])
    }

    static func crossSite(_ detail: String) -> Refusal {
        Refusal(status: .forbidden, title: "Cross-site request refused", detail: detail)
    }

    static func tooMany(_ seconds: Int) -> Refusal {
        let wait = seconds == 1 ? "a second" : "\(seconds) seconds"
        return Refusal(
            status: .tooManyRequests, title: "Too many requests",
            detail: "Try again in \(wait); 'web: requests_per_minute' in spendwise.yaml sets how many are allowed.",
            headers: [.retryAfter: "\(seconds)"])
    }

    static let noPath = Refusal(
        status: .badRequest, title: "Bad request",
        detail: "The request target must be a path that begins with '/'; this is not a proxy.")
    static let brokenOff = Refusal(
        status: .badRequest, title: "Bad request", detail: "The request's body is incomplete.")
    static let misdirected = Refusal(
        status: .misdirectedRequest, title: "Misdirected request",
        detail: "This host name is not served; 'web: names' in spendwise.yaml lists the served names.")
    static let unavailable = Refusal(
        status: .serviceUnavailable, title: "Service unavailable",
        detail: "The ledger cannot be read; the log of spendwised gives the reason.")
    static let failed = Refusal(
        status: .internalServerError, title: "Internal server error",
        detail: "The log of spendwised gives the reason, under this request's ID.")
}
