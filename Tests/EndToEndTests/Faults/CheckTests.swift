import DovecotFixture
import Foundation
import Testing

extension EndToEnd {
    /// `spendwised check` against a mail server. The clock's state depends on the machine: 0 or 1.
    @Suite struct CheckCommand {
        private func check(_ station: Station, _ arguments: [String] = []) throws -> (status: Int32, output: String) {
            let program = try station.start(["check"] + arguments)
            let status = try program.exit()
            station.expectDiscreet(program)
            #expect(!program.output.contains(Station.password))
            return (status, program.output)
        }

        @Test(.timeLimit(.minutes(1))) func soundSetupIsReportedAndNothingChanges() throws {
            let station = try Station()
            try station.deliver([Watching.coffee("good", minutes: 1)])
            let (status, output) = try check(station)
            #expect(status == 1 && output.contains("warning  ledger: \(station.database) does not exist"), "\(output)")
            for line in [
                "ok       configuration: ", "ok       profiles: 3 banks", "ok       credential personal: ",
                "ok       login personal: user at 127.0.0.1:", "ok       folder personal/INBOX: 1 message\n",
            ] {
                #expect(output.contains(line), "\(line): \(output)")
            }
            #expect(!FileManager.default.fileExists(atPath: station.database))
            try station.pass()
            let before = try Data(contentsOf: URL(filePath: station.database))
            let (later, text) = try check(station)
            #expect(later <= 1 && text.contains("ok       ledger: ") && !text.contains("FAILED"), "\(text)")
            #expect(try Data(contentsOf: URL(filePath: station.database)) == before)
        }

        @Test(.timeLimit(.minutes(1))) func eachFaultIsReportedWithItsRemedy() throws {
            let station = try Station(users: ["asha", "ravi"])
            station.mailboxes[0].passwordFile = try station.scratch.write("not-the-password\n", to: "wrong")
            station.mailboxes[1].folders = "[INBOX, Nowhere]"
            var unread = station.mailboxes[1]
            (unread.name, unread.passwordFile) = ("unread", "missing")
            station.mailboxes.append(unread)
            let (status, output) = try check(station)
            #expect(status == 2)
            for words in [
                "ok       credential asha", "FAILED   login asha: ", "AUTHENTICATIONFAILED",
                "ok       folder ravi/INBOX: 0 messages", "FAILED   folder ravi/Nowhere: ",
                "FAILED   credential unread: ", "install -m 600",
            ] {
                #expect(output.contains(words), "\(words): \(output)")
            }
            #expect(!output.contains("not-the-password"))
        }

        @Test(.timeLimit(.minutes(1))) func offlineConnectsToNoServer() throws {
            let station = try Station()
            station.mailboxes[0].port = 1
            let (status, output) = try check(station, ["--offline"])
            #expect(status == 1 && output.contains("ok       credential personal"), "\(output)")
            #expect(!output.contains("login personal"))
        }

        @Test(.timeLimit(.minutes(1))) func brokenConfigurationFails() throws {
            let station = try Station()
            station.mailboxes[0].more = "    pasword_file: x"
            let (status, output) = try check(station, ["--json"])
            #expect(status == 2 && output.hasPrefix(#"{"level":"failed","#), "\(output)")
            #expect(output.contains("unknown key 'pasword_file'"), "\(output)")
        }
    }
}
