import DovecotFixture
import Glibc
import IMAP
import LoopbackFixture
import Synchronization
import Testing

@testable import CurlTransport

@Suite struct WaitingTests {
    private static let server: Result<DovecotFixture, any Error> = Result {
        try DovecotFixture(users: ["idle": "a", "wake": "b", "stop": "c", "poll": "d", "sleep": "e"])
    }

    private func connect(_ user: String, _ password: String, _ wake: Wake) throws -> Session<CurlConnection> {
        try Session(
            over: CurlConnection(
                to: endpoint(try Self.server.get()), credential: Credential(user: user, password: password), wake: wake)
        )
    }

    @Test func idleSeesAMail() throws {
        let server = try Self.server.get()
        try server.deliver(mail(1), to: "idle")
        var session = try connect("idle", "a", Wake())
        _ = try session.examine(.inbox)
        try server.deliver(mail(2), to: "idle")
        #expect(try session.idle(renewAfter: .seconds(60)) == .changed)
        let found = try session.search(SearchCriteria(first: UID(2)))
        #expect(found.description == "2")
        #expect(try session.idle(renewAfter: .milliseconds(1)) == .renewed)
        session.logout()
    }

    @Test func pollingSeesAMail() throws {
        let server = try Self.server.get()
        var session = try connect("poll", "d", Wake())
        _ = try session.examine(.inbox)
        #expect(try session.pause(for: .milliseconds(1)) == .renewed)
        try server.deliver(mail(1), to: "poll")
        #expect(try session.pause(for: .milliseconds(1)) == .changed)
        session.logout()
    }

    @Test func wakeEndsIdle() throws {
        let wake = Wake()
        var session = try connect("wake", "b", wake)
        _ = try session.examine(.inbox)
        wake.wake()
        #expect(try session.idle(renewAfter: .seconds(60)) == .woken)
        let waker = Thread { wake.wake() }
        #expect(try session.idle(renewAfter: .seconds(60)) == .woken)
        waker.join()
        // A consumed wake does not affect a command.
        wake.wake()
        #expect(try session.search(SearchCriteria()).isEmpty)
        #expect(try session.idle(renewAfter: .seconds(60)) == .woken)
        #expect(try session.idle(renewAfter: .milliseconds(1)) == .renewed)
        session.logout()
    }

    /// The machine was suspended while the client was in IDLE: the connection is probed at once, whatever time is left.
    @Test func suspendEndsTheWait() throws {
        var connection = try CurlConnection(
            to: endpoint(try Self.server.get()), credential: Credential(user: "sleep", password: "e"), wake: Wake())
        connection.pollSlice = 1
        // The second and later readings show that an hour has passed.
        let asleep = Asleep()
        connection.suspended = { asleep.looks.add(1, ordering: .relaxed).oldValue == 0 ? .zero : .seconds(3600) }
        var session = try Session(over: connection)
        _ = try session.examine(.inbox)
        #expect(try session.idle(renewAfter: .seconds(3600)) == .renewed)
        #expect(try session.noop() == false, "the line is good")
        session.logout()
        #expect(Suspension.total > .seconds(-1))
    }

    private final class Asleep: Sendable {
        let looks = Atomic(0)
    }

    @Test func stopEndsEveryWait() throws {
        let wake = Wake()
        var session = try connect("stop", "c", wake)
        _ = try session.examine(.inbox)
        let stopper = Thread { wake.stop() }
        let error = #expect(throws: IMAPError.self) { _ = try session.idle(renewAfter: .seconds(60)) }
        stopper.join()
        #expect(error?.retry == .stopped)
        #expect(throws: IMAPError.self) { try session.noop() }
        let again = #expect(throws: IMAPError.self) { _ = try connect("stop", "c", wake) }
        #expect(again?.retry == .stopped)
    }

    /// A server that accepts the connection and sends nothing: neither TLS nor a greeting.
    @Test(arguments: [Endpoint.TLS.implicit, .startTLS]) func stopEndsConnecting(_ tls: Endpoint.TLS) throws {
        let mute = try MuteListener()
        let wake = Wake()
        let stopper = Thread {
            mute.acceptOne()
            wake.stop()
        }
        let error = #expect(throws: IMAPError.self) {
            _ = try CurlConnection(
                to: Endpoint(host: "127.0.0.1", port: mute.port, tls: tls),
                credential: Credential(user: "u", password: "p"), wake: wake)
        }
        stopper.join()
        #expect(error?.retry == .stopped)
    }

    @Test(arguments: [Endpoint.TLS.implicit, .startTLS]) func connectingHasATimeout(_ tls: Endpoint.TLS) throws {
        let mute = try MuteListener()
        var endpoint = Endpoint(host: "127.0.0.1", port: mute.port, tls: tls)
        endpoint.connectTimeout = .milliseconds(200)
        let error = #expect(throws: IMAPError.self) {
            _ = try CurlConnection(to: endpoint, credential: Credential(user: "u", password: "p"), wake: Wake())
        }
        #expect(error?.kind == .timedOut && error?.retry == .later)
    }

    @Test func deadServerIsDetected() throws {
        let server = try DovecotFixture(users: ["user": "secret"])
        var session = try Session(
            over: CurlConnection(
                to: endpoint(server), credential: Credential(user: "user", password: "secret"), wake: Wake()))
        _ = try session.examine(.inbox)
        server.kill()
        let error = #expect(throws: IMAPError.self) { _ = try session.idle(renewAfter: .seconds(60)) }
        #expect(error?.retry == .now || error?.retry == .later)
        try server.start()
        var again = try Session(
            over: CurlConnection(
                to: endpoint(server), credential: Credential(user: "user", password: "secret"), wake: Wake()))
        #expect(try again.examine(.inbox).exists == 0)
        server.stop()
    }
}

/// A thread for blocking tests, because the pool has few threads.
final class Thread {
    private var handle = pthread_t()

    init(_ body: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(Box(body))
        pthread_create(
            &handle, nil,
            { context in
                if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, box.toOpaque())
    }

    func join() { pthread_join(handle, nil) }

    private final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}

/// A loopback port that accepts connections and sends nothing.
final class MuteListener: Sendable {
    private let listener: Int32
    let port: UInt16

    init() throws {
        port = try freePort()
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let (listener, length) = (listener, socklen_t(MemoryLayout<sockaddr_in>.size))
        let listens = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 5) == 0
            }
        }
        try #require(listens)
    }

    /// Returns after a client has connected.
    func acceptOne() { _ = accept(listener, nil, nil) }

    deinit { close(listener) }
}
