import Codecs
import Crypto
import HTTPTypes
import Hummingbird

/// The style sheet, the scripts, the icons and the manifests. The path of each holds a digest of its content: browsers
/// cache it forever and never use an outdated one.
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
    private let manifests: [PageLanguage: Asset]
    let stylePath: String
    let scriptPath: String
    /// The script of the pages that use a passkey.
    let passkeyScriptPath: String
    /// The icon for devices that show the page as an app and read no SVG.
    let picturePath: String
    /// The manifest in the language of this task.
    var manifestPath: String { manifests[.current]?.path ?? "" }

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
        let icon = Asset(name: "icon", extension: "svg", type: "image/svg+xml", text: EmbeddedText.icon)
        let picture = Asset(name: "icon", extension: "png", type: "image/png", bytes: EmbeddedFile.bytes("icon.png"))
        let manifests = PageLanguage.allCases.map { language in
            let text = WebManifest.text(language, icon: icon.path, picture: picture.path)
            return (
                language,
                Asset(name: "app", extension: "webmanifest", type: "application/manifest+json", text: text)
            )
        }
        picturePath = picture.path
        self.icon = icon
        self.manifests = Dictionary(uniqueKeysWithValues: manifests)
        let all = [style, script, passkey, icon, picture] + manifests.map(\.1)
        byPath = Dictionary(all.map { ($0.path, $0) }) { first, _ in first }
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
    init(name: String, extension: String, type: String, bytes: [UInt8]) {
        let digest = Hexadecimal.text(SHA256.hash(data: bytes).prefix(8))
        self.init(
            path: "/static/\(name).\(digest).\(`extension`)", type: type, bytes: ByteBuffer(bytes: bytes),
            tag: "\"\(digest)\"")
    }

    init(name: String, extension: String, type: String, text: String) {
        self.init(name: name, extension: `extension`, type: type, bytes: Array(text.utf8))
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
