import DovecotFixture
import Foundation
import Glibc
import Testing

extension EndToEnd {
    @Suite struct ManyMailboxes {
        /// If the system allows few watches (fs.inotify.max_user_instances), the server polls.
        private static var options: DovecotFixture.Options {
            var options = DovecotFixture.Options()
            options.settings = "mailbox_idle_check_interval = 1 secs"
            return options
        }

        /// The cost of a waiting mailbox is the difference between two hundred and fifty, so the program itself is not
        /// counted.
        @Test(.timeLimit(.minutes(5))) func twoHundredMailboxesInOneProcess() throws {
            let users = (0..<200).map { "user\($0)" }
            let station = try Station(users: users, options: Self.options)
            let all = station.mailboxes
            func watch(_ count: Int) throws -> Program {
                station.mailboxes = Array(all.prefix(count))
                let daemon = try station.start(["ingest"])
                try waitUntil("\(count) mailboxes to watch", seconds: 180) {
                    daemon.errors.split(separator: " watching ").count > count || daemon.hasEnded
                }
                return daemon
            }
            let database = station.database
            station.database = station.scratch.path + "/few.db"
            let few = try watch(50)
            station.database = database
            let many = try watch(200)
            // Memory of the start is returned some seconds later.
            var (less, more) = (0, 0)
            try waitUntil("less than 200 kB a mailbox: 50 take \(less) kB, 200 \(more) kB") {
                (less, more) = (few.anonymousKilobytes, many.anonymousKilobytes)
                return more - less < 150 * 200
            }
            few.signal(SIGTERM)
            #expect(try few.exit(within: 20) == 0)
            let chosen = [0, 99, 199] + (0..<5).map { _ in Int.random(in: 0..<200) }
            for (number, index) in chosen.enumerated() {
                try station.deliver([Watching.coffee("new\(number)", minutes: number)], to: users[index])
                try waitUntil("the new mail of \(users[index])") { station.ledger.mails == number + 1 }
            }
            #expect(
                try station.ledger.column("SELECT mailbox FROM processed_emails ORDER BY message_id")
                    == chosen.map { users[$0] })
            many.signal(SIGTERM)
            #expect(try many.exit(within: 20) == 0)
            #expect(try station.ledger.count("SELECT count(*) FROM mailbox_health WHERE state = 'stopped'") == 200)
        }

        @Test(.timeLimit(.minutes(2))) func tooFewOpenFilesAreReportedAtStart() throws {
            let station = try Station()
            station.mailboxes = (0..<100).map { number in
                var box = station.mailboxes[0]
                box.name = "box\(number)"
                return box
            }
            let daemon = try Program(
                "/usr/bin/prlimit",
                [
                    "--nofile=300:300", Program.binaries + "/spendwised", "ingest", "--config",
                    try station.configuration(),
                ], in: station.scratch)
            #expect(try daemon.exit(within: 60) == 1)
            #expect(
                daemon.errors.contains("100 mailboxes need") && daemon.errors.contains("LimitNOFILE="),
                "\(daemon.errors)")
        }

        /// The thread limit applies by user, and not to root.
        @Test(
            .enabled(
                if: AnotherUser.canRunTheDaemon, "another user's threads are limited, and he must get at the program"),
            .timeLimit(.minutes(2)))
        func tooFewThreadsEndTheDaemonWithRemedy() throws {
            let station = try Station()
            let box = station.mailboxes[0]
            station.mailboxes = (0..<60).map { number in
                var box = box
                box.name = "box\(number)"
                return box
            }
            let configuration = try station.configuration()
            // The user owns the folder and its content.
            for path in [station.scratch.path, configuration, box.passwordFile] {
                chown(path, AnotherUser.number, AnotherUser.number)
            }
            let daemon = try AnotherUser.run(
                [
                    "/usr/bin/prlimit", "--nproc=30:30", Program.binaries + "/spendwised", "ingest", "--config",
                    configuration,
                ], in: station.scratch)
            #expect(try daemon.exit(within: 60) == 1)
            #expect(
                daemon.errors.contains("too few threads") && daemon.errors.contains("TasksMax="), "\(daemon.errors)")
        }
    }
}

/// A user without privileges.
fileprivate enum AnotherUser {
    /// An unused user ID.
    static let number = uid_t(3_000_000 + UInt32(getpid()))

    static func run(_ command: [String], in scratch: Scratch) throws -> Program {
        try Program(
            "/usr/bin/setpriv", ["--reuid=\(number)", "--regid=\(number)", "--clear-groups"] + command, in: scratch)
    }

    /// Only root can switch users, and the project or the temporary folder may be in a folder that only root can read.
    static let canRunTheDaemon: Bool = {
        guard getuid() == 0, let scratch = try? Scratch() else { return false }
        return
            (try? run(["/usr/bin/test", "-x", Program.binaries + "/spendwised", "-a", "-x", scratch.path], in: scratch)
            .exit()) == 0
    }()
}
