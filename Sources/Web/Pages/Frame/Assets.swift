import Codecs
import Crypto
import HTTPTypes
import Hummingbird

/// The style sheet and the script. The path of each holds a digest of its content: browsers cache it forever and never
/// use an outdated one.
struct Assets: Sendable {
    struct Asset: Sendable {
        var path: String
        var type: String
        var bytes: ByteBuffer
        /// The entity tag (RFC 9110, section 8.8.3).
        var tag: String
    }

    private let byPath: [String: Asset]
    private let icon: Asset
    let stylePath: String
    let scriptPath: String
    /// The script of the pages that use a passkey.
    let passkeyScriptPath: String

    static let shared = Assets()

    private init() {
        let style = Asset(
            name: "style", extension: "css", type: "text/css; charset=utf-8", text: EmbeddedText.styleSheet)
        let script = Asset(
            name: "page", extension: "js", type: "text/javascript; charset=utf-8", text: EmbeddedText.script)
        let passkey = Asset(
            name: "passkey", extension: "js", type: "text/javascript; charset=utf-8", text: EmbeddedText.passkeyScript)
        stylePath = style.path
        passkeyScriptPath = passkey.path
        scriptPath = script.path
        icon = Asset(name: "icon", extension: "svg", type: "image/svg+xml", text: EmbeddedText.icon)
        byPath = [style.path: style, script.path: script, passkey.path: passkey]
    }

    func add(to router: Router<WebContext>) {
        router.get("/static/{file}") { [byPath] request, _ -> Response in
            guard let asset = byPath[request.uri.path] else { throw HTTPError(.notFound) }
            return asset.response(to: request, cacheControl: "public, max-age=31536000, immutable")
        }
        // For pages that do not know the digest. Browsers revalidate it at each use.
        router.get("/static/style.css") { [byPath, stylePath] request, _ -> Response in
            guard let asset = byPath[stylePath] else { throw HTTPError(.notFound) }
            return asset.response(to: request, cacheControl: "no-cache")
        }
        // Browsers request it unasked.
        router.get("/favicon.ico") { [icon] request, _ -> Response in
            icon.response(to: request, cacheControl: "public, max-age=86400")
        }
    }
}

extension Assets.Asset {
    init(name: String, extension: String, type: String, text: String) {
        let digest = Hexadecimal.text(SHA256.hash(data: Array(text.utf8)).prefix(8))
        self.init(
            path: "/static/\(name).\(digest).\(`extension`)", type: type, bytes: ByteBuffer(string: text),
            tag: "\"\(digest)\"")
    }

    func response(to request: Request, cacheControl: String) -> Response {
        let headers: HTTPFields = [
            .contentType: type, .cacheControl: cacheControl, .eTag: tag, .xContentTypeOptions: "nosniff",
        ]
        if ETag(quoted: tag).isListed(in: request.headers[values: .ifNoneMatch], weakly: true) {
            return Response(status: .notModified, headers: headers)
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: bytes))
    }
}
