import Crypto
import HTTPTypes
import Hummingbird

/// The style sheet, the script and the icon, each under a name that holds a digest of its content: a browser keeps it for ever and never has an old one.
struct Assets: Sendable {
    struct Asset: Sendable {
        var path: String
        var type: String
        var bytes: ByteBuffer
        var tag: String
    }

    private let byPath: [String: Asset]
    let stylePath: String
    let scriptPath: String

    init() {
        let style = Asset(name: "style", ending: "css", type: "text/css; charset=utf-8", text: styleSheet)
        let script = Asset(name: "page", ending: "js", type: "text/javascript; charset=utf-8", text: pageScript)
        stylePath = style.path
        scriptPath = script.path
        byPath = [style.path: style, script.path: script]
    }

    func add(to router: Router<WebContext>) {
        router.get("/static/{file}") { [byPath] request, _ -> Response in
            guard let asset = byPath[request.uri.path] else { throw HTTPError(.notFound) }
            let headers: HTTPFields = [
                .contentType: asset.type, .cacheControl: "public, max-age=31536000, immutable", .eTag: asset.tag,
                .xContentTypeOptions: "nosniff",
            ]
            if request.headers[.ifNoneMatch] == asset.tag { return Response(status: .notModified, headers: headers) }
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: asset.bytes))
        }
        // For pages that do not know the digest: asked again each time, and answered in a few bytes.
        router.get("/static/style.css") { [byPath, stylePath] request, _ -> Response in
            guard let asset = byPath[stylePath] else { throw HTTPError(.notFound) }
            let headers: HTTPFields = [.contentType: asset.type, .cacheControl: "no-cache", .eTag: asset.tag]
            if request.headers[.ifNoneMatch] == asset.tag { return Response(status: .notModified, headers: headers) }
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: asset.bytes))
        }
        // Browsers ask for it by themselves.
        router.get("/favicon.ico") { _, _ in
            Response(status: .noContent, headers: [.cacheControl: "public, max-age=86400"])
        }
    }
}

extension Assets.Asset {
    init(name: String, ending: String, type: String, text: String) {
        let digest = SHA256.hash(data: Array(text.utf8)).prefix(8).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
        self.init(
            path: "/static/\(name).\(digest).\(ending)", type: type, bytes: ByteBuffer(string: text),
            tag: "\"\(digest)\"")
    }
}
