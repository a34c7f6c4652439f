import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// A Maildir as the mailbox.
    @Suite struct Maildirs {
        /// A configuration with one Maildir and no IMAP mailbox.
        private final class Place {
            let scratch: Scratch
            var ledger: LedgerFile { LedgerFile(path: scratch.path + "/ledger.db") }
            private let config: String
            private var count = 0

            init(poll: String = "5m") throws {
                scratch = try Scratch()
                for folder in ["", "/.Bank.Alerts"] {
                    for name in ["tmp", "new", "cur"] {
                        try FileManager.default.createDirectory(
                            atPath: "\(scratch.path)/Mail\(folder)/\(name)", withIntermediateDirectories: true)
                    }
                }
                config = try scratch.write(
                    """
                    database: \(scratch.path)/ledger.db
                    parsers: \(try scratch.threeBanks())
                    categories: \(Program.root)/config/categories.yaml
                    mailboxes:
                      - name: local
                        maildir: Mail
                        folders: [INBOX, Bank/Alerts]
                        authserv_id: mx.google.com
                        since: 90d
                        poll: \(poll)
                    """, to: "spendwise.yaml")
            }

            /// Delivers like a mail delivery agent: writes in `tmp`, then renames.
            @discardableResult
            func deliver(_ mail: Mail, _ folder: String = "", to directory: String = "new") throws -> String {
                count += 1
                let name = "\(mail.arrived).M\(count)P7.host"
                let path = "\(scratch.path)/Mail\(folder)"
                try scratch.write(mail.bytes, to: "Mail\(folder)/tmp/\(name)")
                var times = [timeval(tv_sec: mail.arrived, tv_usec: 0), timeval(tv_sec: mail.arrived, tv_usec: 0)]
                utimes("\(path)/tmp/\(name)", &times)
                let target = "\(path)/\(directory)/\(name)" + (directory == "cur" ? ":2,S" : "")
                guard rename("\(path)/tmp/\(name)", target) == 0 else {
                    throw Failed(description: "\(target): \(String(cString: strerror(errno)))")
                }
                return target
            }

            func start(_ arguments: [String] = [], of program: String = "spendwised") throws -> Program {
                try Program(program, arguments + ["--config", config], in: scratch)
            }

            func pass(expecting status: Int32 = 0) throws -> String {
                let program = try start(["ingest", "--once"])
                #expect(try program.exit() == status, "\(program.errors)")
                return program.errors
            }

            var files: [String] {
                get throws { try FileManager.default.subpathsOfDirectory(atPath: scratch.path + "/Mail").sorted() }
            }
        }

        @Test(.timeLimit(.minutes(3))) func onePassBooksExistingMailAndChangesNothing() throws {
            let place = try Place()
            let mails = Catalogue.mixed()
            for (index, mail) in mails.enumerated() {
                try place.deliver(mail, index % 4 == 0 ? "/.Bank.Alerts" : "", to: index % 2 == 0 ? "new" : "cur")
            }
            try place.scratch.write("not whole", to: "Mail/tmp/half")
            var old = Mail.iciciCard("old", 5_500, at: "OLD COFFEE", India.daysAgo(200, 9, 1), in: Catalogue.cafe)
            old.outcome = "not looked at"
            try place.deliver(old)
            let files = try place.files
            _ = try place.pass()
            #expect(
                try place.ledger.booked()
                    == Dictionary(mails.compactMap { mail in mail.booked.map { (mail.id, $0) } }) { first, _ in first })
            let rows = try place.ledger.rows("SELECT message_id, status FROM processed_emails").map {
                "\($0[0].prefix { $0 != "@" }) \($0[1])"
            }.sorted()
            // Either of two copies may be the first. A message that is not from a bank has no row.
            let expected = mails.filter { !["not fetched", "unclaimed"].contains($0.outcome) }.map {
                "\($0.id) \($0.outcome)"
            }.sorted()
            #expect(rows == expected)
            #expect(try place.files == files)
            let dump = try place.ledger.dump()
            _ = try place.pass()
            #expect(try place.ledger.dump() == dump)

            // A rescan reads older mail.
            let program = try place.start(
                ["rescan", "--bank", "icici", "--since", India.text("%Y-%m-%d", India.daysAgo(300, 1, 1))],
                of: "parserctl")
            #expect(try program.exit() == 0)
            _ = try place.pass()
            #expect(try place.ledger.booked()["old"] == old.booked)
            #expect(try place.files == files)
        }

        @Test(.timeLimit(.minutes(3))) func mailIsBookedOnDelivery() throws {
            let place = try Place()
            let daemon = try place.start(["ingest"])
            try daemon.logs("watching")
            let (first, second, third) = (
                Watching.coffee("first", minutes: 1), Watching.coffee("second", minutes: 2),
                Watching.coffee("third", minutes: 3)
            )
            let path = try place.deliver(first)
            try waitUntil("the first mail's row") { place.ledger.mails == 1 }
            // A mail program reads it and sets a flag.
            let read = place.scratch.path + "/Mail/cur/" + (path.split(separator: "/").last.map(String.init) ?? "")
            rename(path, read + ":2,S")
            rename(read + ":2,S", read + ":2,FS")
            // Linked instead of renamed, and in the other folder.
            let linked = try place.deliver(second, "/.Bank.Alerts", to: "tmp")
            link(linked, linked.replacing("/.Bank.Alerts/tmp/", with: "/.Bank.Alerts/new/"))
            unlink(linked)
            try waitUntil("the second mail's row") { place.ledger.mails == 2 }
            try place.deliver(third, to: "cur")
            try waitUntil("the third mail's row") { place.ledger.mails == 3 }
            #expect(
                try place.ledger.booked()
                    == ["first": first.booked, "second": second.booked, "third": third.booked].compactMapValues(\.self))
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            #expect(try place.ledger.column("SELECT state FROM mailbox_health") == ["stopped"])
        }

        private static let mostEvents =
            (try? String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)).flatMap {
                Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
            } ?? 0

        /// More events than the kernel's queue holds.
        @Test(.enabled(if: (1...200_000).contains(mostEvents)), .timeLimit(.minutes(3)))
        func mailIsFoundAfterQueueOverflow() throws {
            let place = try Place()
            let daemon = try place.start(["ingest"])
            try daemon.logs("watching")
            daemon.signal(SIGSTOP)
            let names = ["/Mail/new/.a", "/Mail/new/.b"].map { place.scratch.path + $0 }
            try place.scratch.write("", to: "Mail/new/.a")
            for index in 0..<(Self.mostEvents + 100) { rename(names[index % 2], names[1 - index % 2]) }
            let mail = Watching.coffee("dropped", minutes: 1)
            try place.deliver(mail)
            daemon.signal(SIGCONT)
            try waitUntil("the mail's row") { place.ledger.mails == 1 }
            // The next event arrives again.
            try place.deliver(Watching.coffee("next", minutes: 2))
            try waitUntil("the next mail's row") { place.ledger.mails == 2 }
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
        }

        @Test(.timeLimit(.minutes(3))) func removedFolderIsReadAfterItReturns() throws {
            let place = try Place()
            let daemon = try place.start(["ingest"])
            try daemon.logs("watching")
            rename(place.scratch.path + "/Mail", place.scratch.path + "/Away")
            try waitUntil("the mailbox's state") {
                try place.ledger.column("SELECT state FROM mailbox_health") == ["waiting"]
            }
            #expect(
                try place.ledger.column("SELECT reason FROM mailbox_health").first?.contains("No such file") ?? false)
            rename(place.scratch.path + "/Away", place.scratch.path + "/Mail")
            let mail = Watching.coffee("back", minutes: 1)
            try place.deliver(mail)
            try waitUntil("the mail's row") { place.ledger.mails == 1 }
            try waitUntil("the mailbox's state") {
                try place.ledger.column("SELECT state FROM mailbox_health") == ["watching"]
            }
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
        }

        @Test(.timeLimit(.minutes(3))) func unreadableFileIsReportedAndOthersAreRead() throws {
            let place = try Place()
            let (bad, good) = (Watching.coffee("bad", minutes: 1), Watching.coffee("good", minutes: 2))
            let path = try place.deliver(bad)
            try place.deliver(good)
            unlink(path)
            // A dangling link is not a message. A link to itself cannot be opened, even by root.
            symlink("nothing", path)
            _ = try place.pass()
            #expect(try place.ledger.booked() == ["good": good.booked].compactMapValues(\.self))
            rmdir(place.scratch.path + "/Mail/.Bank.Alerts/cur")
            #expect(
                try place.pass(expecting: 1).contains(
                    "/Mail/.Bank.Alerts/cur: No such file or directory; a Maildir has"))
            unlink(path)
            try place.deliver(bad)
            _ = try place.pass(expecting: 1)
            #expect(try place.ledger.booked() == ["good": good.booked, "bad": bad.booked].compactMapValues(\.self))
        }
    }
}
