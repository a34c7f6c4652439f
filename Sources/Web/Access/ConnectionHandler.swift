import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Registers a connection in ``Connections`` and enforces the deadlines of its client. Runs on the connection's event
/// loop.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let connections: Connections
    private var id: UInt64?
    /// Deadlines: for the rest of the request, for the client to accept bytes of the response, and for the last request
    /// during a shutdown.
    private var reading: NIODeadline?
    private var writing: NIODeadline?
    private var leaving: NIODeadline?
    private var bodyAllowance = 0
    private var isReadingBody = false
    private var task: (due: NIODeadline, scheduled: Scheduled<Void>)?

    init(_ connections: Connections) { self.connections = connections }

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        // A test's channel has no decoder.
        if let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) {
            do { try pipeline.addHandler(AmbiguousRequests(), position: .after(decoder)) } catch {
                return context.close(promise: nil)
            }
        }
        if context.channel.isActive { begin(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard id == nil else { return }
        id = connections.open(context.channel)
        guard id != nil else { return context.close(promise: nil) }
        reading = .now(context) + connections.times.header
        scheduleCheck(context)
    }

    private func end() {
        if let id { connections.close(id) }
        task?.scheduled.cancel()
        task = nil
        (reading, writing, leaving) = (nil, nil, nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            isReadingBody = true
            bodyAllowance = connections.times.bodyBytes
            reading = .now(context) + connections.times.body
        case .body(let bytes):
            bodyAllowance -= bytes.readableBytes
            if bodyAllowance < 0, let due = reading {
                bodyAllowance = connections.times.bodyBytes
                reading = due + connections.times.body
            }
        case .end:
            isReadingBody = false
            reading = nil
            if let id { connections.setBusy(id, true) }
        }
        scheduleCheck(context)
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            if let id { connections.setBusy(id, false) }
            if isReadingBody {
                reading = .now(context) + connections.times.rest
                // The rest of the body is discarded and does not extend the deadline.
                bodyAllowance = .max
                scheduleCheck(context)
            }
        }
        context.write(data, promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        writing = context.channel.isWritable ? nil : .now(context) + connections.times.answer
        scheduleCheck(context)
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            leaving = .now(context) + connections.times.leave
            scheduleCheck(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// Schedules ``checkDeadlines(_:)`` for the earliest deadline.
    private func scheduleCheck(_ context: ChannelHandlerContext) {
        guard let due = [reading, writing, leaving].compactMap(\.self).min() else { return }
        if let task {
            if task.due <= due { return }
            task.scheduled.cancel()
        }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        task = (due, context.eventLoop.scheduleTask(deadline: due) { bound.value.0.checkDeadlines(bound.value.1) })
    }

    private func checkDeadlines(_ context: ChannelHandlerContext) {
        task = nil
        let now = NIODeadline.now(context)
        if [reading, writing, leaving].contains(where: { $0.map { $0 <= now } ?? false }) {
            context.close(promise: nil)
        } else {
            scheduleCheck(context)
        }
    }
}

extension NIODeadline {
    /// The time of the event loop's clock, which tests set.
    fileprivate static func now(_ context: ChannelHandlerContext) -> NIODeadline { context.eventLoop.now }
}

@available(*, unavailable)
extension ConnectionHandler: Sendable {}

/// Refuses requests that another server in between could read in another way, which the decoder accepts: several Host
/// fields (RFC 9112, section 3.2), and chunks in HTTP/1.0 (section 6.1). The connection ends.
final class AmbiguousRequests: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private var isRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data), !isRefused {
            isRefused =
                head.headers["host"].count > 1
                || head.version != .http1_1 && head.headers.contains(name: "transfer-encoding")
            if isRefused { context.fireErrorCaught(HTTPParserError.invalidHeaderToken) }
        }
        if !isRefused { context.fireChannelRead(data) }
    }
}

@available(*, unavailable)
extension AmbiguousRequests: Sendable {}
