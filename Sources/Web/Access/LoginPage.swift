import HTTPTypes
import Hummingbird
import Mustache
import NIOCore

/// The page to log in, the only one that needs no login.
struct LoginPage {
    var next: String
    var isPassphraseSet = true
    var isWrong = false
    /// Seconds until the next try.
    var wait: Int?

    private static let template = try? MustacheTemplate(string: EmbeddedText.text(PackageResources.login_mustache))

    private var message: String? {
        if let wait { return "Wait \(wait) second\(wait == 1 ? "" : "s") before the next try." }
        return isWrong ? "Wrong passphrase." : nil
    }

    func response(_ status: HTTPResponse.Status) -> Response {
        let values: [String: Any] = ["next": next, "isPassphraseSet": isPassphraseSet, "message": message as Any]
        let text =
            Self.template?.render(message == nil ? values.filter { $0.key != "message" } : values)
            ?? "the page cannot be made"
        var headers: HTTPFields = [.contentType: "text/html; charset=utf-8"]
        if let wait { headers[.retryAfter] = "\(wait)" }
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}
