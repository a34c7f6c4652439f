import Access
import Codecs
import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Web

@Suite struct ConnectionTableTests {
    private static let limits = ConnectionTable.Limits(all: 6, ofAddress: 3)

    @Test func clientWithManyConnectionsLosesItsOwn() {
        var table = ConnectionTable(Self.limits)
        #expect(
            (1...3).map { _ in table.open("a") } == [
                .admitted(1, closing: nil), .admitted(2, closing: nil), .admitted(3, closing: nil),
            ])
        #expect(table.open("a") == .admitted(4, closing: 1))
        #expect(table.open("b") == .admitted(5, closing: nil) && table.count == 4)
    }

    @Test func addressWithMostConnectionsLosesOne() {
        var table = ConnectionTable(Self.limits)
        for address in ["x", "x", "y", "y", "y", "z"] { _ = table.open(address) }
        #expect(table.open("w") == .admitted(7, closing: 3) && table.count == 6)
        // Of two addresses with as many, the choice does not depend on the order.
        #expect(table.open("w") == .admitted(8, closing: 1))
    }

    @Test func busyConnectionsStayOpen() {
        var table = ConnectionTable(Self.limits)
        for _ in 0..<3 { _ = table.open("a") }
        table.setBusy(1, true)
        table.setBusy(2, true)
        #expect(table.open("a") == .admitted(6, closing: 3))
        table.setBusy(6, true)
        #expect(table.open("a") == .refused && table.count == 3)
        // After its response it is the youngest of the idle ones.
        for id in [1, 6, 2] as [UInt64] { table.setBusy(id, false) }
        guard case .admitted(_, closing: 1) = table.open("a") else { return #expect(Bool(false)) }
    }

    @Test func connectionsOfAProxyAreThoseOfManyClients() {
        var table = ConnectionTable(Self.limits)
        for id in 1...6 { #expect(table.open("p", isProxy: true) == .admitted(UInt64(id), closing: nil)) }
        #expect(table.open("p", isProxy: true) == .admitted(7, closing: 1) && table.count == 6)
        #expect(table.open("a") == .admitted(8, closing: 2))
    }

    @Test func closedConnectionsMakeRoom() {
        var table = ConnectionTable(Self.limits)
        for _ in 0..<3 { _ = table.open("a") }
        table.close(2)
        table.close(2)
        #expect(table.open("a") == .admitted(4, closing: nil) && table.count == 3)
    }
}

/// On an event loop whose clock the test moves.
@Suite struct ConnectionHandlerTests {
    private static let head = HTTPRequestPart.head(
        HTTPRequest(method: .post, scheme: nil, authority: "localhost", path: "/"))

    private let connections = Connections(
        .init(all: 3, ofAddress: 2), proxies: TrustedProxies([IPNetwork("192.0.2.9")].compactMap(\.self)),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    private let loop = EmbeddedEventLoop()

    private func connect(from address: String = "192.0.2.1") throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: ConnectionHandler(connections), loop: loop)
        try channel.connect(to: SocketAddress(ipAddress: address, port: 1)).wait()
        return channel
    }

    private func wait(_ seconds: Int64) { loop.advanceTime(by: .seconds(seconds)) }

    @Test func missingHeaderClosesTheConnection() throws {
        let channel = try connect()
        wait(19)
        #expect(channel.isActive && connections.count == 1)
        wait(1)
        #expect(!channel.isActive && connections.count == 0)
    }

    @Test func bodyMustMakeProgress() throws {
        let channel = try connect()
        wait(19)
        try channel.writeInbound(Self.head)
        wait(29)
        // A single byte is no progress.
        try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "a")))
        #expect(channel.isActive)
        wait(1)
        #expect(!channel.isActive)
    }

    @Test func largeBodyHasALongerDeadline() throws {
        let channel = try connect()
        try channel.writeInbound(Self.head)
        for _ in 0..<8 {
            wait(20)
            try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 0, count: 600 << 10)))
        }
        try channel.writeInbound(HTTPRequestPart.end(nil))
        // The response has no time limit.
        wait(3600)
        #expect(channel.isActive)
    }

    /// The response is sent before the request ends: an endless body.
    @Test func restOfAnUnwantedBodyIsNotAwaited() throws {
        let channel = try connect()
        try channel.writeInbound(Self.head)
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .contentTooLarge)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        for _ in 0..<19 {
            loop.advanceTime(by: .milliseconds(100))
            try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 0, count: 1 << 20)))
        }
        #expect(channel.isActive)
        loop.advanceTime(by: .milliseconds(100))
        #expect(!channel.isActive)
    }

    @Test func unreadAnswerClosesTheConnection() throws {
        let channel = try connect()
        try channel.writeInbound(Self.head)
        try channel.writeInbound(HTTPRequestPart.end(nil))
        for _ in 0..<5 {
            channel.isWritable = false
            channel.pipeline.fireChannelWritabilityChanged()
            wait(59)
            channel.isWritable = true
            channel.pipeline.fireChannelWritabilityChanged()
        }
        #expect(channel.isActive)
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
        wait(60)
        #expect(!channel.isActive)
    }

    @Test func requestInProgressDoesNotDelayTheShutdown() throws {
        let channel = try connect()
        try channel.writeInbound(Self.head)
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        wait(3)
        #expect(channel.isActive)
        wait(1)
        #expect(!channel.isActive)
    }

    @Test func aProxyHasNoLimitOfItsOwn() throws {
        let channels = try (0..<3).map { _ in try connect(from: "192.0.2.9") }
        #expect(channels.allSatisfy(\.isActive) && connections.count == 3)
    }

    @Test func theOldestOfTooManyIsClosed() throws {
        let channels = try (0..<3).map { _ in try connect() }
        #expect(channels.map(\.isActive) == [false, true, true] && connections.count == 2)
        for channel in channels.dropFirst() {
            try channel.writeInbound(Self.head)
            try channel.writeInbound(HTTPRequestPart.end(nil))
        }
        // Both wait for a response, so the new one is refused.
        #expect(try !connect().isActive && connections.count == 2)
    }
}
