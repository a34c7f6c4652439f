import HTTPTypes
import Hummingbird
import NIOCore

/// A form that a browser sent without a valid login. The page that answers carries its fields on, so that the browser
/// sends it again after the login: the server keeps nothing. Passwords are left out.
struct KeptForm: Sendable {
    /// The path that the form was sent to, with its query.
    var path: String
    /// The fields as the browser encoded them.
    var body: String

    /// Limit of the encoded fields in bytes. The largest form of a page, a template, has less than 64 kB.
    static let maximumBytes = 256 << 10

    /// Reads the body of a request. `nil` if it is not the form of a page, or above the limit.
    ///
    /// - Parameter request: its body can be read again.
    init?(_ request: inout Request) async {
        guard request.method == .post, request.uri.path.hasPrefix("/app/"),
            request.headers[.contentType]?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false,
            let body = try? await request.collectBody(upTo: Self.maximumBytes)
        else { return nil }
        self.init(path: request.uri.string, body: String(buffer: body))
    }

    /// Reads the fields of the login page; `nil` if it carries no form.
    init?(login form: FormFields) {
        guard let path = form["to"], let body = form["kept"] else { return nil }
        self.init(path: path, body: body)
    }

    private init?(path: String, body: String) {
        guard LoginRoutes.localTarget(path) == path, path.hasPrefix("/app/"), body.utf8.count <= Self.maximumBytes
        else {
            return nil
        }
        self.path = path
        self.body = Self.withoutSecrets(path, body)
    }

    /// Fields that no page carries on: the person types them again.
    private static let secrets: Set<String> = [
        "passphrase", "password", "client_secret", "redirect_address", "verifier",
        // Of a receiver of notifications, whose address is often a secret, too.
        "secret", "url",
    ]
    /// The same, of the form that changes the passphrase.
    private static let passphrases: Set<String> = ["new", "again"]

    private static func withoutSecrets(_ path: String, _ body: String) -> String {
        let isPassphrase = path.hasPrefix("/app/settings/passphrase")
        let fields = FormFields(body).fields
        let kept = fields.filter { field in
            !secrets.contains(field.name) && !(isPassphrase && passphrases.contains(field.name))
        }
        return kept.count == fields.count ? body : FormFields.encoded(kept.map { ($0.name, $0.value) })
    }

    var fields: [(name: String, value: String)] { FormFields(body).fields }

    /// The token against cross-site requests that the form was made with.
    var formToken: String? { FormFields(body)["csrf"] }
}

extension Request {
    /// True for a form with a file, which no page can carry on.
    var sendsFile: Bool {
        method == .post && headers[.contentType]?.lowercased().hasPrefix("multipart/form-data") ?? false
    }

    /// The page that a form with a file was on, with the notice that the file was not taken.
    var pageOfLostFile: String? {
        guard let origin = CrossSiteGuard.origin(of: self), origin.hasPrefix("/app/") else { return nil }
        let (path, query) = FormFields.parts(ofAddress: origin)
        return path + "?" + query.with(PageNotice.parameters + [("done", "file-lost")])
    }
}

/// The page that sends a kept form again: automatically right after the login, otherwise after a click.
struct ResendPage {
    var form: KeptForm
    /// The token of the present login.
    var formToken: String
    /// True if the form certainly came from a page of this site in this browser.
    var isImmediate: Bool

    private struct Field {
        var name: String
        var value: String
    }

    /// Limits of the fields that are shown; all are sent.
    private static let shownFields = 20
    private static let shownCharacters = 200

    private static let template = StandalonePage.template(EmbeddedFile.bytes("resend.mustache"))

    func response(_ status: HTTPResponse.Status) -> Response {
        let fields = form.fields.filter { $0.name != "csrf" }
        let hidden = fields + [(name: "csrf", value: formToken)]
        let typed = fields.filter { !$0.value.isEmpty && !["back", "revision", "group"].contains($0.name) }
        let values: [String: Any] = [
            "path": form.path, "hidden": hidden.map { Field(name: $0.name, value: $0.value) },
            "shown": typed.prefix(Self.shownFields).map {
                Field(name: $0.name, value: String($0.value.prefix(Self.shownCharacters)))
            },
            "isImmediate": isImmediate, "script": Assets.shared.scriptPath,
        ]
        return StandalonePage.response(Self.template, values, status: status)
    }
}
