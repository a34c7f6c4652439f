import HTTPTypes
import Hummingbird
import NIOCore

/// Why a request is not answered: problem details (RFC 9457) for programs, one sentence for people.
struct Refusal: HTTPResponseError {
    var status: HTTPResponse.Status
    var title: String
    /// What happened and how to mend it. Never holds a secret.
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
                "This needs the scope '\(scope)', which \(who) has not: 'parserctl token add NAME --scope \(scope)' makes one that has.",
            headers: [.wwwAuthenticate: #"Bearer realm="SpendWise", error="insufficient_scope", scope="\#(scope)""#])
    }

    static func crossSite(_ detail: String) -> Refusal {
        Refusal(status: .forbidden, title: "Cross-site request refused", detail: detail)
    }

    static func tooMany(_ seconds: Int) -> Refusal {
        Refusal(
            status: .tooManyRequests, title: "Too many requests",
            detail:
                "Try again in \(seconds) seconds; 'web: requests_per_minute' in spendwise.yaml sets how many are allowed.",
            headers: [.retryAfter: "\(seconds)"])
    }

    static let noPath = Refusal(
        status: .badRequest, title: "Bad request",
        detail: "The request's target is a path that begins with '/'; this is no proxy.")
    static let brokenOff = Refusal(
        status: .badRequest, title: "Bad request", detail: "The request's body did not come whole.")
    static let misdirected = Refusal(
        status: .misdirectedRequest, title: "Misdirected request",
        detail: "This name is not served here; 'web: names' in spendwise.yaml lists those that are.")
    static let unavailable = Refusal(
        status: .serviceUnavailable, title: "Service unavailable",
        detail: "The ledger cannot be read; the log of spendwised says why.")
    static let failed = Refusal(
        status: .internalServerError, title: "Internal server error",
        detail: "The log of spendwised says why, under this request's id.")
}
