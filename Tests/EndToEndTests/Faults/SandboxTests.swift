import DovecotFixture
import Foundation
import Glibc
import LoopbackFixture
import Testing

fileprivate enum Sandbox {
    static let script = Program.root + "/scripts/sandboxed"

    static func arguments(_ role: String, writable: [String]) -> [String] {
        ["--readable", Program.root, "--readable", Program.binaries]
            + writable.flatMap { ["--writable", $0] } + [Program.root + "/systemd/spendwise-\(role).service"]
    }

    /// A container may forbid namespaces.
    static let isPossible: Bool = {
        guard let scratch = try? Scratch(),
            let program = try? Program(script, arguments("web", writable: []) + ["/bin/true"], in: scratch)
        else { return false }
        return (try? program.exit()) == 0
    }()
}

extension EndToEnd {
    /// The programs under the restrictions of their systemd units.
    @Suite(.enabled(if: Sandbox.isPossible, "needs python3-seccomp, bubblewrap and systemd")) struct Sandboxed {
        func start(_ role: String, _ command: [String], on station: Station) throws -> Program {
            let folders = [station.scratch.path, URL(filePath: station.server.caFile).deletingLastPathComponent().path]
            return try Program(
                Sandbox.script, Sandbox.arguments(role, writable: folders) + command, in: station.scratch)
        }

        /// Sends SIGTERM to the daemon itself: bubblewrap, its parent, does not pass signals on.
        func stop(_ command: [String]) throws {
            let line = command.joined(separator: "\0")
            let daemon = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }.first {
                (try? String(contentsOfFile: "/proc/\($0)/cmdline", encoding: .utf8))?.hasPrefix(line) ?? false
            }
            kill(try #require(daemon), SIGTERM)
        }

        /// The filter is in force: otherwise the other test would prove nothing.
        @Test(.timeLimit(.minutes(1)), arguments: ["ingest", "web", "backup", "fleet@"])
        func unitForbids(role: String) throws {
            let station = try Station()
            for forbidden in [
                "touch /etc/spendwise-was-here", "python3 -c 'import os; os.nice(-1)'", "unshare -U true",
                "mount -t tmpfs none /mnt",
                "python3 -c 'import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW)'",
                "python3 -c 'import ctypes; raise SystemExit(ctypes.CDLL(None).ptrace(0, 0, 0, 0) < 0)'",
                "python3 -c 'import mmap; mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANON, prot=7)'",
            ] {
                let program = try start(role, ["/bin/sh", "-c", forbidden], on: station)
                #expect(try program.exit() != 0, "\(forbidden)")
            }
            let allowed = try start(
                role, ["/bin/sh", "-c", "touch \(station.scratch.path)/x && stat -c %a \(station.scratch.path)/x"],
                on: station)
            #expect(try allowed.exit() == 0 && allowed.output == "600\n", "\(allowed.errors)")
        }

        /// The unit of the web role lets the program start itself and the one that reads PDFs, and both give up their
        /// rights.
        @Test(
            .timeLimit(.minutes(2)),
            arguments: [("january.csv", StatementCommands.table), ("january.pdf", StatementCommands.pdf)])
        func theChildReadsAStatement(name: String, text: String) throws {
            let station = try Station()
            let options = [
                "--database", station.scratch.path + "/books.db", "--parsers", Program.root + "/parsers",
            ]
            let account = try Program(
                "parserctl", ["account", "add", "Savings", "--type", "bank", "--currency", "INR"] + options,
                in: station.scratch)
            #expect(try account.exit() == 0, "\(account.errors)")
            let file = try station.scratch.write(text, to: name)
            let read = try start(
                "web", [Program.binaries + "/parserctl", "statement", file, "--account", "1"] + options, on: station)
            #expect(try read.exit() == 2 && read.output.contains("CAFE MOON"), "\(read.errors)")
        }

        @Test(.timeLimit(.minutes(2))) func bothRolesAndBackupWork() throws {
            let station = try Station()
            station.settings = "web: { listen: '127.0.0.1:\(try freePort())' }"
            // More than the matches after which a pattern would be translated to machine code.
            let mails = (1...25).map { Watching.coffee("coffee-\($0)", minutes: $0) }
            try station.deliver(Array(mails.dropLast()))
            let configuration = try station.configuration()
            let roles = ["ingest", "web"].map { [Program.binaries + "/spendwised", $0, "--config", configuration] }
            let ingest = try start("ingest", roles[0], on: station)
            try ingest.logs("watching")
            try station.deliver(mails.suffix(1))
            try waitUntil("all mails\n\(ingest.errors)") { station.ledger.mails == mails.count }
            let web = try start("web", roles[1], on: station)
            try web.logs("info serving")
            let backups = station.scratch.path + "/backups"
            try FileManager.default.createDirectory(atPath: backups, withIntermediateDirectories: true)
            let backup = try start(
                "backup",
                [
                    Program.binaries + "/parserctl", "backup", "--config", configuration, "--directory",
                    backups,
                ], on: station)
            #expect(try backup.exit() == 0, "\(backup.errors)")
            try station.expectBooked(mails)
            for (program, command) in zip([ingest, web], roles) {
                try stop(command)
                #expect(try program.exit(within: 20) == 0, "\(program.errors)")
                station.expectDiscreet(program)
            }
        }
    }
}
