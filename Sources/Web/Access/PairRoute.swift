import Access
import Codecs
import HTTPTypes
import Hummingbird
import NIOCore
import Store

/// Exchanges the pairing code that `parserctl pair` shows for a token of the device.
enum PairRoute {
    /// Limit of the body in bytes: no credential protects this route.
    private static let maximumBytes = 1024

    private struct Answer: ResponseEncodable {
        /// Shown once; the ledger keeps its digest only.
        var token: String
        var name: String
        var scopes: [String]
    }

    static func add(to router: Router<WebContext>, _ services: WebServices) {
        router.post("/pair") { request, context -> EditedResponse<Answer> in
            let body = try? await request.body.collect(upTo: maximumBytes)
            guard let body, case .string(let text)? = try? JSON(parsing: Array(buffer: body))["code"],
                let code = PairingCode(text)
            else {
                throw Refusal(
                    status: .unprocessableContent, title: "No pairing code",
                    detail:
                        #"The body is JSON: {"code": "12345678"}, with the eight digits that 'parserctl pair' shows."#)
            }
            let access = services.access
            let (token, now) = (Credential.random(.token), access.clock.wall())
            let made = try await services.ledger { try $0.access.redeemPairing(code, token, at: now) }
            access.audit.add(
                AuditEvent(
                    at: now, event: made == nil ? "pairing refused" : "paired",
                    who: made.map { "device \($0.name)" } ?? ""
                ) {
                    $0.requestID = context.id
                })
            await access.audit.flush()
            guard let made else {
                throw Refusal(
                    status: .forbidden, title: "Pairing refused",
                    detail:
                        "The code is wrong, used or expired. A code is valid for five minutes, five tries and one device: 'parserctl pair' makes a new one."
                )
            }
            return EditedResponse(
                status: .created,
                response: Answer(
                    token: token.text, name: made.name, scopes: made.scopes.split(separator: ",").map(String.init)))
        }
    }
}
