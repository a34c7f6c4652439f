import HTTPTypes
import Hummingbird

/// The page to log in, the only one that needs no login.
struct LoginPage {
    var next: String
    /// A form that is sent again after the login.
    var kept: KeptForm?
    var isPassphraseSet = true
    var isWrong = false
    /// Seconds until the next try.
    var wait: Int?

    private static let template = StandalonePage.template(PackageResources.login_mustache)

    private var message: String? {
        if let wait { return PageText.of("login.wait", count: wait) }
        return isWrong ? PageText.of("login.wrong") : nil
    }

    func response(_ status: HTTPResponse.Status) -> Response {
        var values: [String: Any] = [
            "next": next, "isPassphraseSet": isPassphraseSet, "style": Assets.shared.stylePath,
        ]
        values["message"] = message
        values["kept"] = kept
        return StandalonePage.response(
            Self.template, values, status: status, headers: wait.map { [.retryAfter: "\($0)"] } ?? [:])
    }
}
