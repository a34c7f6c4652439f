import HTTPTypes
import Hummingbird
import Mustache
import NIOCore

/// The one page that is shown to anybody.
struct LoginPage {
    var next: String
    var isPassphraseSet = true
    var isWrong = false
    /// Seconds until the next try.
    var wait: Int?

    private static let template = try? MustacheTemplate(
        string: """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="robots" content="noindex">
            <title>Log in · SpendWise</title>
            <link rel="stylesheet" href="/static/style.css">
            </head>
            <body class="login">
            <main>
            <h1>SpendWise</h1>
            {{#message}}
            <p class="notice" role="alert">{{message}}</p>
            {{/message}}
            {{#isPassphraseSet}}
            <form method="post" action="/login">
            <input type="hidden" name="next" value="{{next}}">
            <label for="passphrase">Passphrase or PIN</label>
            <input id="passphrase" name="passphrase" type="password" autocomplete="current-password" required autofocus>
            <button type="submit">Log in</button>
            </form>
            {{/isPassphraseSet}}
            {{^isPassphraseSet}}
            <p>No passphrase is set yet. On the machine that SpendWise runs on, as the user that owns the ledger:</p>
            <pre><code>parserctl passphrase set</code></pre>
            <p>Then load this page again.</p>
            {{/isPassphraseSet}}
            </main>
            </body>
            </html>

            """)

    private var message: String? {
        if let wait { return "Wait \(wait) second\(wait == 1 ? "" : "s") before the next try." }
        return isWrong ? "That was not it." : nil
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
