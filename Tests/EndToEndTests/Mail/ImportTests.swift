import Foundation
import Glibc
import Processes
import Testing

extension EndToEnd {
    /// `parserctl import`.
    @Suite struct Importing {
        static let gmail = ["--authserv-id", "mx.google.com"]

        private static func mbox(_ mails: [Mail]) -> [UInt8] {
            mails.enumerated().flatMap { index, mail in
                Array("From 15456689834351\(index)@xxx Mon Jan 05 10:00:00 +0000 2026\n".utf8)
                    + mail.bytes.filter { $0 != 0x0D } + Array("\n".utf8)
            }
        }

        private func summary(
            _ station: Station, _ arguments: [String], expecting status: Int32 = 0
        ) throws -> [String: Any] {
            let output = try station.control(["import", "--json"] + arguments, expecting: status)
            return try JSONOutput.object(output)
        }

        /// Returns the transactions without the location of their messages.
        private func transactions(_ station: Station) throws -> [String] {
            try station.ledger.facts().filter { $0.hasPrefix("transaction") }.map {
                $0.split(separator: "|", maxSplits: 2).last.map(String.init) ?? ""
            }
        }

        @Test(.timeLimit(.minutes(4))) func importBooksTheSameAsIMAPAndNothingTwice() throws {
            let station = try Station()
            let mails = Catalogue.mixed()
            try station.deliver(mails)
            let archive = try station.scratch.write(Self.mbox(mails), to: "All mail.mbox")
            for (index, mail) in mails.enumerated() {
                try station.scratch.write(
                    mail.bytes,
                    to:
                        "Mail/\(index % 3 == 0 ? "cur" : index % 3 == 1 ? "new" : ".Bank.Alerts/cur")/\(1_767_600_000 + index).M1P1.host:2,S"
                )
                try station.scratch.write(mail.bytes, to: "tree/\(index % 2)/\(100 + index).eml")
            }
            try FileManager.default.createDirectory(
                atPath: station.scratch.path + "/Mail/.Bank.Alerts/new", withIntermediateDirectories: true)
            try station.scratch.write("half a mail", to: "Mail/tmp/1")
            try station.pass()
            let booked = try station.ledger.booked()
            let facts = try transactions(station)
            #expect(booked.count > 8)

            // IMAP first: every message of the archive is a copy.
            let dump = try station.ledger.rows("SELECT * FROM transactions")
            let again = try summary(station, Self.gmail + [archive])
            #expect(again["mails"] as? Int == mails.count)
            #expect(
                (again["new"] as? [String: Int])?["recorded"] == 0 && (again["new"] as? [String: Int])?["review"] == 0)
            #expect(try station.ledger.rows("SELECT * FROM transactions") == dump)

            // The import alone, in each format: the same transactions as over IMAP.
            for (index, path) in [archive, station.scratch.path + "/Mail", station.scratch.path + "/tree"].enumerated()
            {
                station.database = station.scratch.path + "/import-\(index).db"
                let first = try summary(station, Self.gmail + [path])
                #expect(first["mails"] as? Int == mails.count, "\(path)")
                #expect(try station.ledger.booked() == booked, "\(path)")
                if index == 0 { #expect(try transactions(station) == facts) }
                #expect(
                    try station.ledger.count("SELECT count(*) FROM processed_emails WHERE status = 'quarantined'") == 2)
                let all = try station.ledger.dump().filter { !$0.hasPrefix("imports") }
                let second = try summary(station, Self.gmail + [path])
                #expect(second["known"] as? Int == first["from_banks"] as? Int)
                #expect(try station.ledger.dump().filter { !$0.hasPrefix("imports") } == all)
            }
            // The daemon then finds only copies.
            let rows = try station.ledger.rows("SELECT * FROM transactions")
            try station.pass()
            #expect(try station.ledger.rows("SELECT * FROM transactions") == rows)
        }

        @Test(.timeLimit(.minutes(3))) func unauthenticatedMailIsQuarantinedUntilReleased() throws {
            let station = try Station()
            let mails = Catalogue.mixed()
            let archive = try station.scratch.write(Self.mbox(mails), to: "all.mbox")
            let output = try station.control(["import", "--no-authserv-id", archive])
            #expect(output.contains("--authserv-id mx.google.com") && output.contains("quarantined"), "\(output)")
            #expect(try station.ledger.count("SELECT count(*) FROM transactions") == 0)
            let dry = try summary(station, Self.gmail + ["--dry-run", archive])
            #expect((dry["changed"] as? [String: Int])?["recorded"] ?? 0 > 5)
            #expect(try station.ledger.count("SELECT count(*) FROM transactions") == 0)

            let believed = try summary(station, Self.gmail + [archive])
            #expect(believed["changed"] as? [String: Int] == dry["changed"] as? [String: Int])
            #expect(
                try station.ledger.booked()
                    == Dictionary(mails.compactMap { mail in mail.booked.map { (mail.id, $0) } }) { first, _ in first })
            #expect(try station.ledger.count("SELECT count(*) FROM processed_emails WHERE status = 'quarantined'") == 2)

            station.database = station.scratch.path + "/trusting.db"
            _ = try summary(station, ["--trust-delivery", archive])
            #expect(try station.ledger.count("SELECT count(*) FROM processed_emails WHERE status = 'quarantined'") == 0)
        }

        /// Archives as Takeout gives them, with the authserv_id of the configuration.
        @Test(.timeLimit(.minutes(3))) func packedArchivesGiveTheSameBookings() throws {
            let station = try Station()
            let mails = Catalogue.mixed()
            let archive = try station.scratch.write(Self.mbox(mails), to: "all.mbox")
            let folder = station.scratch.path
            for command in ["gzip -k all.mbox", "tar czf all.tgz all.mbox", "tar cf all.tar all.mbox"] {
                let shell = try ChildProcess(
                    "/bin/sh", arguments: ["sh", "-c", "cd '\(folder)' && \(command)"], inheritsEnvironment: true,
                    seconds: 60, outputBytes: 0
                ).run()
                try #require(shell.end == .exit(0))
            }
            _ = try summary(station, [archive])
            let booked = try station.ledger.booked()
            #expect(booked.count > 8)
            for name in ["all.mbox.gz", "all.tgz", "all.tar"] {
                station.database = folder + "/\(name).db"
                let first = try summary(station, ["\(folder)/\(name)"])
                #expect(first["mails"] as? Int == mails.count, "\(name)")
                #expect(try station.ledger.booked() == booked, "\(name)")
            }
            try station.scratch.write("no mail", to: "notes.txt")
            let refused = try summary(station, [folder + "/notes.txt"], expecting: 1)
            let fault = (refused["faults"] as? [[String: Any]])?.first
            #expect((fault?["error"] as? String)?.hasPrefix("is not mail") == true, "\(refused)")
        }

        /// Lists each mail of a bank, and needs no ledger.
        @Test(.timeLimit(.minutes(3))) func dryRunListsEachMail() throws {
            let station = try Station()
            let archive = try station.scratch.write(Self.mbox(Catalogue.mixed()), to: "all.mbox")
            try station.scratch.write("", to: "empty.db")
            station.database = station.scratch.path + "/empty.db"
            let text = try station.control(["import", "--dry-run", archive])
            #expect(text.contains("recorded") && text.contains("all.mbox:1\n"), "\(text)")
            let object = try summary(station, ["--dry-run", archive])
            let each = try #require(object["each"] as? [[String: Any]])
            #expect(each.count == object["from_banks"] as? Int && each.allSatisfy { $0["outcome"] is String })
            let attributes = try FileManager.default.attributesOfItem(atPath: station.database)
            #expect(attributes[.size] as? Int == 0)
            let list = try Program(
                "parserctl", ["list", "--config", try station.configuration()], in: station.scratch)
            #expect(try list.exit() == 1 && list.errors.contains("is empty: nothing has been read yet"))
        }

        /// By transaction number, mail id and Message-ID; refusals are no usage errors.
        @Test(.timeLimit(.minutes(3))) func explainFindsMailsOfTheLedger() throws {
            let station = try Station()
            _ = try summary(station, [try station.scratch.write(Self.mbox(Catalogue.mixed()), to: "all.mbox")])
            let row = try #require(
                try station.ledger.rows(
                    "SELECT t.id, m.id, m.message_id FROM transactions t JOIN processed_emails m ON m.id = t.source_email_id WHERE t.status = 'confirmed' ORDER BY t.id"
                ).first)
            for name in row {
                let line = try JSONOutput.object(try station.control(["explain", "--json", name]))
                #expect(line["outcome"] as? String == "recorded", "\(name)")
                #expect((line["authentication"] as? String)?.hasPrefix("pass") == true, "\(name)")
            }
            for arguments in [["explain", "999999"], ["category", "why", "999999"], ["retry", "nothing"]] {
                let program = try Program(
                    "parserctl", arguments + ["--config", try station.configuration()], in: station.scratch)
                #expect(try program.exit() == 1)
                #expect(program.errors.contains("there is no") && !program.errors.contains("Usage"))
            }
            let cut = try Program(
                "parserctl", ["list", "--limit", "1", "--config", try station.configuration()], in: station.scratch)
            #expect(try cut.exit() == 0 && cut.output.contains(" more: --limit all shows them"))
            let all = try station.control(["list", "--limit", "all"])
            #expect(!all.contains("more:"))
        }

        @Test(.timeLimit(.minutes(5))) func repeatedKillsGiveTheSameResult() throws {
            let station = try Station()
            let archive = try station.scratch.write(Self.mbox(Catalogue.many(3000)), to: "many.mbox")
            let disturbed = station.database
            var interrupted = 0
            for rows in [1, 200, 600, 1000, 1400, 1800, 2200] {
                let program = try station.start(["import", archive] + Self.gmail, of: "parserctl")
                try waitUntil("\(rows) rows") { station.ledger.mails >= rows || program.hasEnded }
                // Not only at the beginning of a batch.
                usleep(UInt32.random(in: 0..<30_000))
                try program.crash()
                if station.ledger.mails > 0 { #expect(try station.ledger.column("PRAGMA integrity_check") == ["ok"]) }
                if try station.ledger.count("SELECT next_offset FROM imports") > 0 { interrupted += 1 }
            }
            #expect(interrupted >= 3, "the imports were over before they could be killed")
            let rest = try summary(station, Self.gmail + [archive])
            #expect(rest["resumed_bytes"] as? Int ?? 0 > 0 && rest["known"] as? Int == 0, "\(rest)")

            station.database = station.scratch.path + "/undisturbed.db"
            _ = try summary(station, Self.gmail + [archive])
            let expected = try station.ledger.facts()
            #expect(station.ledger.mails == 3000)
            station.database = disturbed
            #expect(try station.ledger.facts() == expected)
        }

        @Test(.timeLimit(.minutes(3))) func interruptEndsAfterCommitAndChangedFileIsReadAgain() throws {
            let station = try Station()
            let mails = Catalogue.many(3000)
            let archive = try station.scratch.write(Self.mbox(mails), to: "many.mbox")
            let program = try station.start(["import", "--json", archive] + Self.gmail, of: "parserctl")
            try waitUntil("the first rows") { station.ledger.mails > 0 || program.hasEnded }
            program.signal(SIGINT)
            #expect(try program.exit() == 130)
            let output = try JSONOutput.object(program.output)
            #expect(output["interrupted"] as? Bool == true && (output["from_banks"] as? Int) == station.ledger.mails)

            // A message inserted at the beginning: a different message is now at the old offset.
            let newer = Mail.iciciCard("newer", 9_900, at: "LATE COFFEE", India.daysAgo(1, 10, 1), in: Catalogue.cafe)
            try station.scratch.write(Self.mbox([newer] + mails), to: "many.mbox")
            let rest = try summary(station, Self.gmail + [archive])
            #expect(rest["resumed_bytes"] as? Int == 0)
            #expect(station.ledger.mails == 3001)
        }

        /// A sparse file of 400 MB: the messages between those of the bank consist of holes.
        @Test(.timeLimit(.minutes(3))) func hugeArchiveNeedsMemoryOfOneMail() throws {
            let station = try Station()
            let path = station.scratch.path + "/huge.mbox"
            let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
            try #require(file >= 0)
            defer { close(file) }
            var size = 0
            func append(_ bytes: [UInt8], hole: Int = 0) {
                #expect(pwrite(file, bytes, bytes.count, off_t(size)) == bytes.count)
                size += bytes.count + hole
            }
            let mails = Catalogue.many(60)
            for (index, mail) in mails.enumerated() {
                append(Self.mbox([mail]))
                let header = "From - Mon Jan 05 10:00:00 2026\nFrom: News <news@shop.example>\nSubject: \(index)\n\n"
                // One is longer than the size limit of a message.
                append(Array(header.utf8), hole: index == 30 ? 100 << 20 : 5 << 20)
                append([0x0A])
            }
            let program = try station.start(["import", "--json", path] + Self.gmail, of: "parserctl")
            var peak = 0
            try waitUntil("the end of the import") {
                peak = max(peak, program.peakKilobytes)
                return program.hasEnded
            }
            let output = try JSONOutput.object(program.output)
            #expect(
                output["mails"] as? Int == 120 && output["from_banks"] as? Int == 60 && output["bytes"] as? Int == size)
            #expect(station.ledger.mails == 60)
            #expect(peak > 1000 && peak * 1024 < size / 4, "\(peak) kB")
        }

        @Test(.timeLimit(.minutes(2))) func unreadableFilesAreReported() throws {
            let station = try Station()
            let output = try Program(
                "parserctl", ["import", station.scratch.path + "/nothing", "--config", try station.configuration()],
                in: station.scratch)
            #expect(try output.exit() == 1 && output.errors.contains("/nothing cannot be read: No such file"))
            let pipe = station.scratch.path + "/pipe"
            mkfifo(pipe, 0o600)
            let report = try summary(station, [pipe], expecting: 1)
            #expect((report["faults"] as? [[String: Any]])?.first?["path"] as? String == pipe)
            _ = try station.control(["import", "--trust-delivery", "--authserv-id", "x", "y"], expecting: 64)
        }
    }
}
