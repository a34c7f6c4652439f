import Deflate
import HTTPTypes
import Hummingbird
import NIOCore

/// The content coding of a response (RFC 9110, section 8.4).
enum ContentCoding {
    case identity, gzip

    /// Minimum size in bytes for compression; below it the gzip header costs more than it saves.
    static let smallest = 1024

    init(_ request: Request) {
        let wanted = HeaderChoice(request.headers[values: .acceptEncoding])
        self = ["gzip", "x-gzip"].contains { (wanted.weight($0) ?? 0) > 0 } ? .gzip : .identity
    }
}

/// A content negotiation header with quality values, such as `gzip;q=0.5, *;q=0` (RFC 9110, section 12.4).
struct HeaderChoice {
    private var items: [(name: String, weight: Double)] = []

    init(_ values: [String]) {
        for item in values.flatMap({ $0.split(separator: ",") }) {
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard let name = parts.first, !name.isEmpty else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            items.append((name, weight))
        }
    }

    var isEmpty: Bool { items.isEmpty }

    /// Returns the weight of a coding; `nil` if the header does not mention it.
    func weight(_ coding: String) -> Double? {
        (items.first { $0.name == coding } ?? items.first { $0.name == "*" })?.weight
    }

    /// Returns the weight of a language, whatever the region (RFC 4647, section 3.4); 0 if the header does not mention
    /// it.
    func weight(language: String) -> Double {
        let own = items.filter { $0.name == language || $0.name.hasPrefix(language + "-") }.map(\.weight).max()
        return own ?? weight("*") ?? 0
    }

    /// Returns true if the client accepts the media type.
    func accepts(_ type: String) -> Bool {
        let whole = type.prefix { $0 != "/" } + "/*"
        return
            ([type, String(whole), "*/*", "*"].lazy.compactMap { name in items.first { $0.name == name } }.first?.weight
            ?? 0) > 0
    }
}

/// Compresses its input and writes it to another writer.
struct GzipWriter: ResponseBodyWriter {
    var base: any ResponseBodyWriter
    let encoder: GzipEncoder

    mutating func write(_ buffer: ByteBuffer) async throws {
        let packed = buffer.withUnsafeReadableBytes { encoder.add($0) }
        if !packed.isEmpty { try await base.write(ByteBuffer(bytes: packed)) }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        let end = encoder.add(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
        try await base.write(ByteBuffer(bytes: end))
        try await base.finish(trailingHeaders)
    }
}
