import HTTPTypes
import Hummingbird

/// The page to log in, the only one that needs no login.
struct LoginPage {
    var next: String
    /// A form that is sent again after the login.
    var kept: KeptForm?
    var isPassphraseSet = true
    /// True if there are several users, one of whom logs in.
    var asksName = false
    /// The name of the last try.
    var name = ""
    /// True if a passkey can log in at the address of the request.
    var offersPasskeys = false
    var fault: Fault?

    /// Why the last try failed.
    enum Fault {
        case wrong
        /// Seconds until the next try.
        case wait(Int)
        case passkeyRefused
    }

    private static let template = StandalonePage.template(EmbeddedFile.bytes("login.mustache"))

    private var message: String? {
        switch fault {
        case nil: nil
        case .wrong: PageText.of(asksName ? "login.wrong-name" : "login.wrong")
        case .wait(let seconds): PageText.of("login.wait", count: seconds)
        case .passkeyRefused: PageText.of("login.passkey-refused")
        }
    }

    func response(_ status: HTTPResponse.Status) -> Response {
        var values: [String: Any] = [
            "next": next, "isPassphraseSet": isPassphraseSet, "asksName": asksName, "name": name,
        ]
        values["message"] = message
        values["kept"] = kept
        values["passkeyScript"] = offersPasskeys ? Assets.shared.passkeyScriptPath : nil
        var headers: HTTPFields = [:]
        if case .wait(let seconds) = fault { headers[.retryAfter] = "\(seconds)" }
        return StandalonePage.response(
            Self.template, values, status: status, headers: headers)
    }
}
