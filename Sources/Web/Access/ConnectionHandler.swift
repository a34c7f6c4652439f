import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// One connection's place among the others, and the times that its client must keep. On the connection's own event
/// loop.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let connections: Connections
    private var id: UInt64?
    /// By when the client must have said the rest of its request, taken some of the answer, and be done because the
    /// daemon ends.
    private var reading: NIODeadline?
    private var writing: NIODeadline?
    private var leaving: NIODeadline?
    private var bodyAllowance = 0
    private var isReadingBody = false
    private var task: (due: NIODeadline, scheduled: Scheduled<Void>)?

    init(_ connections: Connections) { self.connections = connections }

    func handlerAdded(context: ChannelHandlerContext) { if context.channel.isActive { begin(context) } }
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
        id = connections.open(context.channel, from: WebContext.address(context.channel.remoteAddress))
        guard id != nil else { return context.close(promise: nil) }
        reading = .now(context) + connections.times.header
        watch(context)
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
            if let id { connections.note(id, isAnswered: true) }
        }
        watch(context)
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            if let id { connections.note(id, isAnswered: false) }
            if isReadingBody {
                reading = .now(context) + connections.times.rest
                // What comes of the body now changes nothing.
                bodyAllowance = .max
                watch(context)
            }
        }
        context.write(data, promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        writing = context.channel.isWritable ? nil : .now(context) + connections.times.answer
        watch(context)
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            leaving = .now(context) + connections.times.leave
            watch(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// Looks again when the first of the times is over.
    private func watch(_ context: ChannelHandlerContext) {
        guard let due = [reading, writing, leaving].compactMap(\.self).min() else { return }
        if let task {
            if task.due <= due { return }
            task.scheduled.cancel()
        }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        task = (due, context.eventLoop.scheduleTask(deadline: due) { bound.value.0.look(bound.value.1) })
    }

    private func look(_ context: ChannelHandlerContext) {
        task = nil
        let now = NIODeadline.now(context)
        if [reading, writing, leaving].contains(where: { $0.map { $0 <= now } ?? false }) {
            context.close(promise: nil)
        } else {
            watch(context)
        }
    }
}

extension NIODeadline {
    /// By the event loop's clock, which tests move.
    fileprivate static func now(_ context: ChannelHandlerContext) -> NIODeadline { context.eventLoop.now }
}

@available(*, unavailable)
extension ConnectionHandler: Sendable {}
