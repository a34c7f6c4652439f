import NIOCore
import NIOPosix

extension ReplicaClient {
    /// Opens the event stream of a household, as its page does, and closes it after `body`.
    func watch(_ host: String, token: String, _ body: (inout EventNumbers) async throws -> Void) async throws {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        try await channel.executeThenClose { inbound, outbound in
            let head = [
                "GET /app/events HTTP/1.1", "Host: \(host)", "Accept: text/event-stream",
                "Authorization: Bearer \(token)", "Connection: close",
            ]
            try await outbound.write(ByteBuffer(string: head.joined(separator: "\r\n") + "\r\n\r\n"))
            var numbers = EventNumbers(inbound.makeAsyncIterator())
            try await body(&numbers)
        }
    }
}

/// The numbers of an event stream, without heartbeats.
struct EventNumbers {
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var text = ""

    init(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator) { self.inbound = inbound }

    /// Waits for a number; `nil` at the end of the stream.
    mutating func next() async throws -> String? {
        while true {
            if let match = text.firstMatch(of: /data: (\d+)\n/) {
                let number = String(match.1)
                text.removeSubrange(..<match.range.upperBound)
                return number
            }
            guard let buffer = try await inbound.next() else { return nil }
            text += String(buffer: buffer)
        }
    }
}
