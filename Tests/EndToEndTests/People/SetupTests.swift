import AuthorizationFixture
import DovecotFixture
import Foundation
import Testing

extension EndToEnd {
    /// `parserctl setup` against a mail server.
    @Suite struct SetupCommand {
        /// A mailbox with two alerts of banks and a private mail, and a folder for the files of the set-up.
        private func station() throws -> Station {
            let station = try Station()
            try station.deliver([
                Watching.coffee("one", minutes: 3), Watching.coffee("two", minutes: 2),
                Mail(
                    id: "letter", from: "Ravi <ravi@example.org>", subject: "Hello", text: "Lunch?",
                    arrived: Int(Date().timeIntervalSince1970) - 60, outcome: "not fetched"),
            ])
            return station
        }

        private func config(_ station: Station) -> String { station.scratch.path + "/home/spendwise.yaml" }

        private func arguments(_ station: Station, _ more: [String] = []) throws -> [String] {
            [
                "setup", "--address", "user@localhost", "--host", "localhost", "--port", "\(station.server.port)",
                "--ca-file", station.server.caFile, "--parsers", station.parsers[0], "--config", config(station),
            ] + more
        }

        private func run(
            _ station: Station, _ arguments: [String], input: String = "/dev/null"
        ) throws -> (status: Int32, output: String, errors: String) {
            let program = try Program("parserctl", arguments, input: input, in: station.scratch)
            let status = try program.exit()
            #expect(!(program.output + program.errors).contains(Station.password))
            return (status, program.output, program.errors)
        }

        private func mode(_ path: String) throws -> Int {
            try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
        }

        @Test(.timeLimit(.minutes(2))) func addressAndPasswordLeadToBookedMail() throws {
            let station = try station()
            let password = station.mailboxes[0].passwordFile
            let run = try run(station, try arguments(station, ["--password-file", password, "--first-pass"]))
            #expect(run.status == 0, "\(run.errors)")
            for words in [
                "The login works: 3 mails in 'INBOX', 2 of banks in 90d:",
                "'mx.google.com' confirm the sender of 2 of 2",
            ] {
                #expect(run.output.contains(words), "\(run.output)")
            }
            let folder = station.scratch.path + "/home"
            #expect(
                try String(contentsOfFile: folder + "/credentials/personal", encoding: .utf8) == Station.password + "\n"
            )
            #expect(try mode(folder + "/credentials/personal") == 0o600)
            #expect(try mode(folder + "/credentials") == 0o700)
            #expect(try mode(config(station)) == 0o644)
            let text = try String(contentsOfFile: config(station), encoding: .utf8)
            #expect(text.contains("authserv_id: mx.google.com") && !text.contains(Station.password))
            let list = try Program("parserctl", ["list", "--json", "--config", config(station)], in: station.scratch)
            #expect(try list.exit() == 0, "\(list.errors)")
            #expect(list.output.split(separator: "\n").count == 2, "\(list.output)")
        }

        @Test(.timeLimit(.minutes(1))) func resultIsOneObjectForPrograms() throws {
            let station = try station()
            let input = station.mailboxes[0].passwordFile
            let run = try run(station, try arguments(station, ["--password-file", "-", "--json"]), input: input)
            #expect(run.status == 0, "\(run.errors)")
            let object = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
            #expect(object["authserv_id"] as? String == "mx.google.com" && object["messages"] as? Int == 3)
            #expect((object["banks"] as? [[String: Any]])?.first?["messages"] as? Int == 2)
            #expect((object["written"] as? [String])?.count == 2)
        }

        @Test(.timeLimit(.minutes(1))) func wrongPasswordWritesNothing() throws {
            let station = try station()
            let wrong = try station.scratch.write("not-the-password\n", to: "wrong")
            let run = try run(station, try arguments(station, ["--password-file", wrong]))
            #expect(run.status == 1)
            #expect(
                run.errors.contains("AUTHENTICATIONFAILED")
                    && run.errors.contains("accepts the password of the mailbox"))
            #expect(!run.errors.contains("not-the-password"))
            #expect(!FileManager.default.fileExists(atPath: station.scratch.path + "/home"))
        }

        @Test(.timeLimit(.minutes(1))) func missingFolderIsAnsweredWithTheFoldersThereAre() throws {
            let station = try station()
            try station.deliver([Watching.coffee("kept", minutes: 4)], folder: "Bank")
            let password = station.mailboxes[0].passwordFile
            let run = try run(station, try arguments(station, ["--password-file", password, "--folder", "Banks"]))
            #expect(run.status == 1)
            #expect(run.errors.contains("there is no folder 'Banks'") && run.errors.contains("'Bank'"), "\(run.errors)")
            #expect(run.errors.contains("--folder"))
            #expect(!FileManager.default.fileExists(atPath: config(station)))
        }

        @Test(.timeLimit(.minutes(1))) func unknownHostAndUntrustedCertificateNameTheirOptions() throws {
            let station = try station()
            let password = station.mailboxes[0].passwordFile
            var unknown = try arguments(station, ["--password-file", password])
            unknown[4] = "imap.nowhere.invalid"
            let host = try run(station, unknown)
            #expect(host.status == 1 && host.errors.contains("imap.nowhere.invalid was not found"), "\(host.errors)")
            #expect(host.errors.contains("--host"))
            var untrusted = try arguments(station, ["--password-file", password])
            untrusted[8] = station.server.otherCAFile
            let certificate = try run(station, untrusted)
            #expect(certificate.status == 1 && certificate.errors.contains("authority"), "\(certificate.errors)")
            #expect(certificate.errors.contains("--ca-file"))
        }

        @Test(.timeLimit(.minutes(1)), arguments: [("--address", 1), ("--host", 3)])
        func missingAnswerIsAnErrorThatNamesTheOption(option: String, index: Int) throws {
            let station = try Station()
            var arguments = try arguments(station, ["--password-file", station.mailboxes[0].passwordFile])
            if option == "--host" { arguments[2] = "user@example.com" }
            arguments.removeSubrange(index...index + 1)
            let run = try run(station, arguments)
            #expect(run.status == 64 && run.errors.contains("\(option) is missing"), "\(run.errors)")
        }

        @Test(.timeLimit(.minutes(1))) func missingPasswordIsAnErrorThatNamesTheOption() throws {
            let station = try Station()
            let run = try run(station, try arguments(station))
            #expect(run.status == 64 && run.errors.contains("--password-file is missing"), "\(run.errors)")
        }

        @Test(.timeLimit(.minutes(1))) func existingConfigurationIsExtendedOnlyWithConsent() throws {
            let station = try station()
            let path = try station.configuration()
            let before = try String(contentsOfFile: path, encoding: .utf8)
            var arguments = try arguments(
                station, ["--password-file", station.mailboxes[0].passwordFile, "--name", "second"])
            arguments[12] = path
            arguments.removeSubrange(9...10)
            let refused = try run(station, arguments)
            #expect(
                refused.status == 64 && refused.errors.contains("has the mailboxes personal. Add 'second'?"),
                "\(refused.errors)")
            #expect(refused.errors.contains("--yes"))
            #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
            let added = try run(station, arguments + ["--yes"])
            #expect(added.status == 0, "\(added.errors)")
            let after = try String(contentsOfFile: path, encoding: .utf8)
            for line in before.split(separator: "\n") { #expect(after.contains(line)) }
            let check = try Program("spendwised", ["check", "--config", path], in: station.scratch)
            #expect(try check.exit() <= 1, "\(check.output)")
            #expect(check.output.contains("ok       login second") && check.output.contains("ok       login personal"))
            arguments[arguments.count - 1] = "personal"
            let twice = try run(station, arguments + ["--yes"])
            #expect(twice.status == 1 && twice.errors.contains("has a mailbox 'personal' already"), "\(twice.errors)")
        }

        /// As after the installation of the package: the example is there, and nothing in it is a person's.
        @Test(.timeLimit(.minutes(1))) func untouchedExampleIsReplacedWithoutAQuestion() throws {
            let station = try station()
            let example = try String(contentsOfFile: Program.root + "/config/spendwise.yaml", encoding: .utf8)
            try station.scratch.write(example, to: "home/spendwise.yaml", mode: 0o640)
            let password = station.mailboxes[0].passwordFile
            let run = try run(station, try arguments(station, ["--password-file", password]))
            #expect(run.status == 0, "\(run.errors)")
            let text = try String(contentsOfFile: config(station), encoding: .utf8)
            #expect(text.contains("host: localhost") && !text.contains("user: someone@example.com\n    # Under"))
            #expect(try mode(config(station)) == 0o640)
            // One changed word makes it a person's.
            try station.scratch.write(
                example.replacing("keep_raw: 90d", with: "keep_raw: 30d"), to: "home/spendwise.yaml")
            let refused = try self.run(station, try arguments(station, ["--password-file", password]))
            #expect(
                refused.status == 1 && refused.errors.contains("--database and --parsers are for a new"),
                "\(refused.errors)")
        }

        /// Nothing but EXAMINE and PEEK is sent, and the files of the mails keep their names, which hold the flags.
        @Test(.timeLimit(.minutes(1))) func mailboxIsOnlyRead() throws {
            let station = try Station(options: .keepingConversations)
            try station.deliver([Watching.coffee("one", minutes: 3), Watching.coffee("two", minutes: 2)])
            try station.server.keepConversations(of: "user")
            let before = station.server.flags(of: "user")
            let run = try run(station, try arguments(station, ["--password-file", station.mailboxes[0].passwordFile]))
            #expect(run.status == 0, "\(run.errors)")
            #expect(station.server.flags(of: "user") == before && before.count == 2)
            let sent = station.server.conversations(of: "user", byServer: false).joined()
            #expect(sent.contains("EXAMINE") && sent.contains("BODY.PEEK[HEADER.FIELDS"), "\(sent)")
            for word in ["SELECT", "STORE", "BODY[", "COPY", "MOVE", "EXPUNGE", "APPEND"] {
                #expect(!sent.contains(word), "\(sent)")
            }
        }

        @Test(.timeLimit(.minutes(2))) func consentLeadsToBookedMail() throws {
            let stage = try OAuth.Stage()
            let station = stage.station
            try station.deliver([Watching.coffee("one", minutes: 1)])
            let secret = try station.scratch.write(AuthorizationFixture.clientSecret + "\n", to: "secret")
            let program = try Program(
                "parserctl",
                try arguments(
                    station,
                    [
                        "--oauth-client-id", AuthorizationFixture.clientID, "--oauth-client-secret-file", secret,
                        "--oauth-authorization-endpoint", stage.authority.authorizationEndpoint,
                        "--oauth-token-endpoint", stage.authority.tokenEndpoint, "--first-pass",
                    ]), in: station.scratch)
            try waitUntil("the address\n\(program.errors)") { program.hasEnded || program.address != nil }
            try stage.allow(try #require(program.address, "\(program.errors)"))
            #expect(try program.exit() == 0, "\(program.errors)\(program.output)")
            #expect(program.output.contains("1 of banks in 90d"), "\(program.output)")
            let folder = station.scratch.path + "/home/credentials"
            for name in ["personal-refresh-token", "personal-client-secret"] {
                #expect(try mode(folder + "/" + name) == 0o600)
            }
            stage.expectDiscreet(program)
            let list = try Program("parserctl", ["list", "--json", "--config", config(station)], in: station.scratch)
            #expect(try list.exit() == 0 && list.output.split(separator: "\n").count == 1, "\(list.output)")
        }

        @Test(.timeLimit(.minutes(1))) func providerWithoutPasswordsRefusesOne() throws {
            let station = try Station()
            var arguments = try arguments(station, ["--password-file", station.mailboxes[0].passwordFile])
            (arguments[2], arguments[4]) = ("asha@hotmail.com", "outlook.office365.com")
            let run = try run(station, arguments)
            #expect(
                run.status == 1 && run.errors.contains("Outlook accepts no passwords from programs"), "\(run.errors)")
        }

        @Test(.timeLimit(.minutes(1))) func questionsAtATerminalHideThePasswordAndRepeatIt() throws {
            let station = try station()
            let pane = try Pane(in: station.scratch, columns: 120, rows: 50)
            let line = ([Program.binaries + "/parserctl"] + (try arguments(station))).joined(separator: " ")
            try pane.run("clear; " + line.replacing("--address user@localhost ", with: ""))
            try pane.shows("E-mail address:")
            try pane.run("user@localhost")
            try pane.shows("Password (not shown):")
            try pane.run("wrong-otter")
            try pane.shows("AUTHENTICATIONFAILED", "User [user]:")
            try pane.press("Enter")
            try waitUntil("the second question") {
                try pane.screen().components(separatedBy: "Password (not shown):").count == 3
            }
            try pane.run(Station.password)
            try pane.shows("2 of banks", "authserv-id")
            try pane.press("Enter")
            try pane.shows("Written:", "Read the mails of 90d now?")
            try pane.run("n")
            let screen = try pane.screen()
            #expect(!screen.contains(Station.password) && !screen.contains("wrong-otter"), "\(screen)")
            try pane.expectRestored()
        }
    }
}
