import Codecs
import Crypto
import Deflate
import HTTPTypes
import Hummingbird
import NIOCore

/// The response of an API route, before content coding.
struct Answer: Sendable {
    enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// Written while it is generated, without a copy in memory.
        case stream(@Sendable (inout any ResponseBodyWriter) async throws -> Void)
    }

    var status: HTTPResponse.Status = .ok
    var headers: HTTPFields = [:]
    var body: Body = .none

    static func json(_ value: JSON, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Answer {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        return Answer(status: status, headers: headers, body: .bytes(value.utf8))
    }

    static let noContent = Answer(status: .noContent)

    static func created(_ value: JSON, at location: String, headers: HTTPFields = [:]) -> Answer {
        var headers = headers
        headers[.location] = location
        return .json(value, status: .created, headers: headers)
    }

    /// Adds the ETag to the response of a GET; returns 304 if the client has that representation.
    func tagged(for request: Request, as tag: ETag? = nil) -> Answer {
        guard status == .ok, case .bytes(let bytes) = body else { return self }
        let tag = tag ?? ETag(of: bytes)
        var answer = self
        answer.headers[.eTag] = tag.text
        // Private data: only the client's own cache may store it, and must revalidate it.
        answer.headers[.cacheControl] = "private, no-cache"
        guard tag.isListed(in: request.headers[values: .ifNoneMatch], weakly: true) else { return answer }
        answer.status = .notModified
        answer.body = .none
        answer.headers[.contentType] = nil
        return answer
    }

    /// - Parameter coding: the content coding to use.
    func response(_ coding: ContentCoding = .identity) -> Response {
        switch body {
        case .none: return Response(status: status, headers: headers)
        case .bytes(let bytes):
            guard coding == .gzip, bytes.count >= ContentCoding.smallest, let encoder = GzipEncoder() else {
                return Response(status: status, headers: varied, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
            }
            let packed = bytes.withUnsafeBytes { encoder.add($0, isLast: true) }
            return Response(status: status, headers: zipped, body: .init(byteBuffer: ByteBuffer(bytes: packed)))
        case .stream(let write):
            guard coding == .gzip else {
                return Response(
                    status: status, headers: varied,
                    body: .init { writer in
                        try await write(&writer)
                        try await writer.finish(nil)
                    })
            }
            return Response(
                status: status, headers: zipped,
                body: .init { writer in
                    guard let encoder = GzipEncoder() else {
                        throw HTTPError(.insufficientStorage, message: "no memory to compress with")
                    }
                    var packing: any ResponseBodyWriter = GzipWriter(base: writer, encoder: encoder)
                    try await write(&packing)
                    try await packing.finish(nil)
                })
        }
    }

    /// The headers, with the information that the content depends on Accept-Encoding.
    private var varied: HTTPFields {
        var headers = headers
        headers[.vary] = "Accept-Encoding"
        return headers
    }

    private var zipped: HTTPFields {
        var headers = varied
        headers[.contentEncoding] = "gzip"
        if let tag = headers[.eTag] { headers[.eTag] = ETag.zipped(tag) }
        return headers
    }
}

/// A strong validator (RFC 9110, section 8.8.3).
struct ETag: Hashable, Sendable {
    /// The value with its quotation marks.
    let text: String

    init(_ value: String) { text = "\"\(value)\"" }

    /// - Parameter quoted: a value with its quotation marks.
    init(quoted: String) { text = quoted }

    /// The digest of a representation.
    init(of bytes: [UInt8]) {
        self.init(Hexadecimal.text(SHA256.hash(data: bytes).prefix(12)))
    }

    /// Returns true if the values of a precondition header contain this tag or `*`.
    ///
    /// - Parameter weakly: compare weakly, `W/"x"` equal to `"x"`, as If-None-Match does (section 13.1.2).
    func isListed(in values: [String], weakly: Bool = false) -> Bool {
        values.flatMap { $0.split(separator: ",") }.contains {
            var tag = $0.drop { $0 == " " || $0 == "\t" }
            while tag.last == " " || tag.last == "\t" { tag.removeLast() }
            if tag == "*" { return true }
            if weakly, tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
            return tag == text || tag == Self.zipped(text)
        }
    }

    /// Returns the tag of the compressed representation (RFC 9110, section 8.8.3.3).
    static func zipped(_ tag: String) -> String { tag.dropLast() + "-gzip\"" }
}
