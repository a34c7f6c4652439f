import DovecotFixture
import Foundation
import Glibc
import LoopbackFixture
import Testing

extension EndToEnd {
    /// Landlock around a role: files that the configuration does not name cannot be opened, not even by root.
    @Suite struct RoleFiles {
        /// Starts a role with a folder of profiles, to which the test adds a link to a file elsewhere.
        private func start(
            _ role: String, _ station: Station, _ environment: [String: String] = [:]
        ) throws -> Program {
            station.settings = "web: { listen: '127.0.0.1:\(try freePort())' }"
            try station.scratch.write(Reloading.bank, to: "parsers/acme/_bank.yaml")
            station.parsers.append(station.scratch.path + "/parsers")
            let daemon = try station.start([role], environment: environment)
            try daemon.logs(role == "web" ? "info serving" : "watching")
            return daemon
        }

        private func link(_ file: String, _ station: Station) throws {
            try FileManager.default.createSymbolicLink(
                atPath: station.scratch.path + "/parsers/acme/spend.yaml", withDestinationPath: file)
        }

        private func stop(_ daemon: Program) throws {
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 20) == 0, "\(daemon.errors)")
        }

        @Test(.timeLimit(.minutes(2)), arguments: ["ingest", "web", "run"])
        func aFileElsewhereCannotBeOpened(role: String) throws {
            let (station, elsewhere) = (try Station(), try Scratch())
            let file = try elsewhere.write(Reloading.spend, to: "spend.yaml")
            let daemon = try start(role, station)
            // The kernel of this machine is too old.
            guard !daemon.errors.contains("files are not restricted by Landlock") else { return try stop(daemon) }
            try link(file, station)
            daemon.signal(SIGHUP)
            try daemon.logs("profiles not reloaded")
            #expect(daemon.errors.contains("Permission denied"), "\(daemon.errors)")
            try stop(daemon)
        }

        /// The target of a link that is there at the start belongs to the configuration.
        @Test(.timeLimit(.minutes(2))) func theTargetOfALinkIsRead() throws {
            let (station, elsewhere) = (try Station(), try Scratch())
            let file = try elsewhere.write(Reloading.spend, to: "spend.yaml")
            try station.scratch.write("", to: "parsers/acme/README")
            try link(file, station)
            let daemon = try start("ingest", station)
            daemon.signal(SIGHUP)
            try daemon.logs("profiles reloaded")
            try stop(daemon)
        }

        /// The files of mailboxes that were added on the page, even for a process of the same user.
        @Test(.timeLimit(.minutes(2))) func theWebRoleCannotOpenTheKeyForPasswords() throws {
            let (station, elsewhere) = (try Station(), try Scratch())
            let environment = ["XDG_STATE_HOME": elsewhere.path]
            let ingest = try station.start(["ingest"], environment: environment)
            try ingest.logs("watching")
            let folder = elsewhere.path + "/spendwise/"
            let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
            let daemon = try start("web", station, environment)
            guard !daemon.errors.contains("files are not restricted by Landlock") else { return try stop(daemon) }
            try link(folder + name + "/mailbox-key", station)
            daemon.signal(SIGHUP)
            try daemon.logs("profiles not reloaded")
            #expect(daemon.errors.contains("Permission denied"), "\(daemon.errors)")
            try stop(daemon)
            try stop(ingest)
        }

        @Test(.timeLimit(.minutes(2))) func aPasswordCommandMayReadAnyFile() throws {
            let (station, elsewhere) = (try Station(), try Scratch())
            let file = try elsewhere.write(Station.password + "\n", to: "password")
            station.mailboxes[0].secret = "    password_command: cat \(file)"
            let daemon = try start("ingest", station)
            #expect(daemon.errors.contains("files are not restricted: a password_command may need any of them"))
            try stop(daemon)
        }
    }
}
