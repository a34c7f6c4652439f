import Access
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// The changes of the ledger as server-sent events (HTML Living Standard, section 9.2), for the page's script.
enum EventRoute {
    static let path = "/app/events"
    private static let mediaType = "text/event-stream"

    static func add(to router: Router<WebContext>, _ services: WebServices) {
        router.get(RouterPath(path)) { request, context in
            guard request.headers[values: .accept].contains(where: { $0.contains(mediaType) }) else {
                throw Refusal(
                    status: .notAcceptable, title: "Not acceptable",
                    detail: "This is a stream of events: ask for \(mediaType).")
            }
            if let site = request.headers[.fetchSite], site != "same-origin" {
                throw Refusal.crossSite("Only the pages of this site read its events.")
            }
            let login = LedgerEvents.Login(
                kind: context.identity.kind, id: context.identity.id ?? context.address)
            guard let stream = try await services.events.open(for: login) else {
                throw Refusal.tooMany(60)
            }
            return Response(
                status: .ok,
                // For a proxy that would collect the answer.
                headers: [.contentType: mediaType, .cacheControl: "no-store", .accelBuffering: "no"],
                body: ResponseBody { writer in
                    try await request.body.consumeWithInboundCloseHandler { _ in
                        try await write(stream, to: &writer)
                    } onInboundClosed: {
                        stream.end()
                    }
                    try await writer.finish(nil)
                })
        }
    }

    /// Writes until the stream or the server ends, each number once, and a comment for a heartbeat.
    private static func write(_ stream: LedgerEvents.Stream, to writer: inout any ResponseBodyWriter) async throws {
        var last: UInt64?
        for await number in stream.numbers.cancelOnGracefulShutdown() {
            try await writer.write(ByteBuffer(string: number == last ? ":\n\n" : "data: \(number)\n\n"))
            last = number
        }
    }
}
