import Chronology
import Foundation
import Glibc
import Logging
import Processes
import Profiles
import Settings
import Store
import Testing

@testable import Daemon
@testable import Ingest

/// Supervision by systemd's watchdog, with a socket in place of systemd.
@Suite struct SupervisionTests {
    /// A mailbox thread that does not report within its time hangs. WATCHDOG=1 is withheld until it reports again.
    @Test(.timeLimit(.minutes(5))) func hangingMailboxWithholdsWatchdog() async throws {
        let folder = NSTemporaryDirectory() + "supervision-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let socket = try Datagrams(folder + "/notify")
        let states = MailboxStates()
        func report(_ reason: String, within seconds: Int64) {
            states.set(
                MailboxHealth(mailbox: "personal", state: .watching, since: .epoch) {
                    $0.reason = reason
                }, within: seconds)
        }
        let service = SupervisionService(
            systemd: SystemdNotifier(address: socket.name, watchdogInterval: 0.005),
            mailboxes: WatchedMailboxes(states: states) { _ in preconditionFailure("no mailbox is added") },
            context: MailboxContext(
                store: try Store(path: folder + "/ledger.db"),
                profiles: ProfilesInForce(try ProfileSet(directories: [], samples: false)), states: states,
                logger: Logger(label: "test"), decisions: DecisionSettings()))
        report("well", within: 3600)
        let running = Task { try await service.run() }
        defer { running.cancel() }
        #expect(try await socket.next("STATUS=personal: watching (well)").contains("WATCHDOG=1"))
        report("hangs", within: -2)
        _ = try await socket.next("STATUS=personal: watching (hangs)")
        for number in 0..<3 {
            report("still \(number)", within: -2)
            // Each check sends the watchdog message first, then the status.
            let messages = try await socket.next("STATUS=personal: watching (still \(number))")
            #expect(!messages.contains("WATCHDOG=1"), "\(messages)")
        }
        report("well again", within: 60)
        _ = try await socket.next("WATCHDOG=1")
    }

    @Test(arguments: [(1, 1024, true), (100, 1024, true), (1000, 1024, false), (1000, 16_384, true)])
    func openFiles(mailboxes: Int, allowed: Int, isEnough: Bool) {
        let problem = OpenFiles.problem(mailboxes: mailboxes, allowed: allowed)
        #expect((problem == nil) == isEnough)
        if let problem { #expect(problem.contains("LimitNOFILE=") && problem.contains("\(allowed)")) }
    }

    @Test(arguments: [(200, 300, 1024, false), (200, 300, 2260, true), (200, 300, 2259, false), (0, 864, 1024, true)])
    func openFilesOfCopies(copies: Int, sockets: Int, allowed: Int, isEnough: Bool) {
        let problem = OpenFiles.problem(copies: copies, sockets: sockets, unit: "x@.service", allowed: allowed)
        #expect((problem == nil) == isEnough)
        if let problem {
            #expect(problem.hasPrefix("200 working copies need up to 2260 open files"), "\(problem)")
            #expect(problem.contains("'systemctl edit x@.service'"))
        }
    }

    @Test func raisesSoftLimitToHardLimit() {
        OpenFiles.raise()
        var limit = rlimit()
        #expect(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 && limit.rlim_cur == limit.rlim_max)
    }
}

/// A datagram socket read on its own thread.
fileprivate final class Datagrams: Sendable {
    let name: String
    private let descriptor: Int32

    init(_ name: String) throws {
        self.name = name
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name.utf8) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        try #require(bound == 0)
    }

    deinit { close(descriptor) }

    /// Returns all messages up to and including `words`.
    func next(_ words: String) async throws -> [String] {
        try await onDedicatedThread { [descriptor] in
            var received: [String] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            while received.last != words, case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
                received.append(String(decoding: buffer[..<count], as: UTF8.self))
            }
            return received
        }
    }
}
