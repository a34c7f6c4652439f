import AuthorizationFixture
import DovecotFixture
import Foundation
import Testing

extension EndToEnd {
    /// Consent, tokens and their expiry, with the real programs, a real mail server and the tests' authorization
    /// server.
    @Suite struct OAuth {
        final class Stage {
            let authority: AuthorizationFixture
            let station: Station
            let tokenFile: String

            /// - Parameter tokens: folder of the refresh token's file, created with mode 0700.
            init(_ more: String = "") throws {
                authority = try AuthorizationFixture(user: "user")
                var options = DovecotFixture.Options()
                options.introspectionURL = authority.introspectionURL
                options.mechanisms = "oauthbearer xoauth2"
                station = try Station(options: options)
                try authority.startTLS(certificate: station.server.certificateFile, key: station.server.keyFile)
                let secret = try station.scratch.write(AuthorizationFixture.clientSecret, to: "client-secret")
                tokenFile = station.scratch.path + "/tokens/personal"
                try FileManager.default.createDirectory(
                    atPath: station.scratch.path + "/tokens", withIntermediateDirectories: true)
                station.mailboxes[0].secret = """
                        oauth:
                          authorization_endpoint: \(authority.authorizationEndpoint)
                          token_endpoint: \(authority.tokenEndpoint)
                          client_id: \(AuthorizationFixture.clientID)
                          client_secret_file: \(secret)
                          refresh_token_file: \(tokenFile)
                          ca_file: \(station.server.caFile)
                    \(more)
                    """
                // A login that the server leaves unanswered, for example after a kill, ends before a test does.
                station.mailboxes[0].more = "    timeout: 10s"
            }

            /// Stores a refresh token, like an earlier login.
            func consent() throws {
                try station.scratch.write(authority.issueRefreshToken() + "\n", to: "tokens/personal")
            }

            var token: String { (try? String(contentsOfFile: tokenFile, encoding: .utf8)) ?? "" }

            func expectDiscreet(_ program: Program, _ location: SourceLocation = #_sourceLocation) {
                let output = program.errors + program.output
                for secret in authority.secrets + [token.trimmingCharacters(in: .whitespacesAndNewlines)]
                where !secret.isEmpty {
                    #expect(!output.contains(secret), sourceLocation: location)
                }
            }

            /// Runs `parserctl login`. The test acts as the browser.
            func login(
                _ arguments: [String] = [], expecting status: Int32 = 0, _ location: SourceLocation = #_sourceLocation,
                browser: (_ url: String) throws -> Void
            ) throws -> Program {
                let program = try station.start(["login", "personal"] + arguments, of: "parserctl")
                try waitUntil("the address\n\(program.errors)") { program.hasEnded || program.address != nil }
                if let address = program.address { try browser(address) }
                let got = try program.exit(within: 30)
                #expect(got == status, "\(program.errors)\(program.output)", sourceLocation: location)
                expectDiscreet(program, location)
                return program
            }

            /// Follows the redirection to the loopback interface.
            func allow(_ url: String) throws {
                let page = try HTTP.get(authority.consent(to: url)).text
                guard page.contains("Thank you") else { throw Failed(description: page) }
            }
        }

        @Test(.timeLimit(.minutes(3))) func fromConsentToRevocation() throws {
            let stage = try Stage()
            let first = Watching.coffee("first", minutes: 1)
            try stage.station.deliver([first])

            // Without consent the daemon reports what to do. It continues after the login.
            let daemon = try stage.station.start(["ingest"])
            try daemon.logs("parserctl login")
            let login = try stage.login { try stage.allow($0) }
            #expect(login.output.contains(stage.tokenFile))
            #expect(stage.authority.secrets.contains(stage.token.trimmingCharacters(in: .newlines)))
            #expect(
                try FileManager.default.attributesOfItem(atPath: stage.tokenFile)[.posixPermissions] as? Int == 0o600)
            try daemon.logs("watching")
            try waitUntil("the first mail") { stage.station.ledger.mails == 1 }

            #expect(stage.authority.grants == ["authorization_code", "refresh_token"])
            let second = Watching.coffee("second", minutes: 2)
            try stage.station.deliver([second])
            try waitUntil("the second mail") { stage.station.ledger.mails == 2 }
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            stage.expectDiscreet(daemon)
            stage.station.expectDiscreet(daemon)

            // A revoked consent is reported as an error. A new one resolves it.
            stage.authority.revoke()
            let third = Watching.coffee("third", minutes: 3)
            try stage.station.deliver([third])
            #expect(try stage.station.pass(expecting: 1).contains("re-consent needed"))
            #expect(try stage.station.control(["status", "--json"]).contains("re-consent needed"))
            _ = try stage.login { try stage.allow($0) }
            try stage.station.pass()
            try stage.station.expectBooked([first, second, third])
        }

        @Test(.timeLimit(.minutes(1))) func rotatedTokenIsStored() throws {
            let stage = try Stage()
            try stage.consent()
            stage.authority.rotate()
            let before = stage.token
            for _ in 0..<2 { try stage.station.pass() }
            #expect(
                stage.token != before && stage.authority.secrets.contains(stage.token.trimmingCharacters(in: .newlines))
            )
        }

        /// systemd credentials are read-only: a rotated token is stored beside the ledger until the credential changes.
        @Test(.timeLimit(.minutes(1))) func rotatedTokenOfCredentialIsStoredBesideTheLedger() throws {
            let stage = try Stage()
            stage.authority.rotate()
            let credentials = stage.station.scratch.path + "/credentials"
            stage.station.mailboxes[0].secret = stage.station.mailboxes[0].secret?.replacing(
                stage.tokenFile, with: "handed-out")
            for round in 1...2 {
                let token = stage.authority.issueRefreshToken()
                try stage.station.scratch.write(token, to: "credentials/handed-out", mode: 0o440)
                for _ in 0..<2 {
                    let program = try stage.station.start(
                        ["ingest", "--once"], environment: ["CREDENTIALS_DIRECTORY": credentials])
                    #expect(try program.exit() == 0, "round \(round): \(program.errors)")
                }
                #expect(try String(contentsOfFile: credentials + "/handed-out", encoding: .utf8) == token)
            }
            let spare = stage.station.scratch.path + "/refresh-token-personal"
            #expect(try FileManager.default.attributesOfItem(atPath: spare)[.posixPermissions] as? Int == 0o600)
        }

        struct Fault: Sendable, CustomTestStringConvertible {
            var behaviour: AuthorizationFixture.Behaviour
            var message: String
            var testDescription: String { message }
        }

        static let faults = [
            Fault(behaviour: .answer(status: 200, body: "<html>hello</html>"), message: "not as a token endpoint does"),
            Fault(behaviour: .answer(status: 500, body: "oops"), message: "HTTP 500"),
            Fault(behaviour: .answer(status: 401, body: #"{"error":"invalid_client"}"#), message: "client_secret_file"),
            Fault(
                behaviour: .answer(status: 400, body: #"{"error":"redirect_uri_mismatch"}"#), message: "redirect_port"),
            Fault(behaviour: .answer(status: 200, body: #"{"access_token":"a"}"#), message: "gave no refresh token"),
            Fault(behaviour: .huge, message: "more than 65536 bytes"),
            Fault(behaviour: .cut, message: "no token from localhost"),
        ]

        @Test(.timeLimit(.minutes(1)), arguments: faults) func failedLoginReportsReasonAndChangesNothing(
            fault: Fault
        ) throws {
            let stage = try Stage()
            try stage.consent()
            let before = stage.token
            stage.authority.behave(fault.behaviour)
            let program = try stage.login(expecting: 1) { try stage.allow($0) }
            #expect(program.errors.contains(fault.message), "\(program.errors)")
            #expect(stage.token == before)
        }

        @Test(.timeLimit(.minutes(1))) func daemonSurvivesFaultyTokenEndpoint() throws {
            let stage = try Stage()
            try stage.consent()
            stage.authority.behave(.answer(status: 503, body: ""))
            let daemon = try stage.station.start(["ingest"])
            try daemon.logs("HTTP 503")
            stage.authority.behave(.correct)
            try daemon.logs("watching")
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            stage.expectDiscreet(daemon)
        }

        /// A valid token serves the next connection, too. A rejected one is replaced immediately, without new consent.
        @Test(.timeLimit(.minutes(2))) func tokenIsReusedUntilRejected() throws {
            let stage = try Stage()
            try stage.consent()
            let daemon = try stage.station.start(["ingest"])
            try daemon.logs("watching")
            #expect(stage.authority.grants == ["refresh_token"])
            for (mail, renewals) in [("kept", 1), ("renewed", 2)] {
                stage.station.server.kill()
                if renewals == 2 { stage.authority.expire() }
                try stage.station.deliver([Watching.coffee(mail, minutes: renewals)])
                try stage.station.server.start()
                try waitUntil("the mail \(mail)\n\(daemon.errors)\n\(stage.station.server.log)") {
                    stage.station.ledger.mails == renewals
                }
                #expect(stage.authority.grants.count == renewals, "\(mail)")
            }
            #expect(!daemon.errors.contains("re-consent"))
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
            stage.expectDiscreet(daemon)
        }

        @Test(.timeLimit(.minutes(1))) func stopDoesNotWaitForSilentTokenEndpoint() throws {
            let stage = try Stage()
            try stage.consent()
            stage.authority.behave(.silent)
            let daemon = try stage.station.start(["ingest"])
            try waitUntil("the request") { stage.authority.requests > 0 }
            daemon.signal(SIGTERM)
            #expect(try daemon.exit(within: 10) == 0)
        }

        @Test(.timeLimit(.minutes(1))) func foreignAnswersAreRejected() throws {
            let stage = try Stage()
            let program = try stage.login { url in
                let redirect = try stage.authority.consent(to: url)
                let root = String(redirect.prefix { $0 != "?" })
                #expect(try HTTP.get(root + "favicon.ico").status == 404)
                #expect(try HTTP.get(root + "?code=x&state=forged").text.contains("An old answer"))
                #expect(
                    try HTTP.get(root + "?code=<script>alert(1)</script>&state=forged").text.contains("script") == false
                )
                try stage.allow(url)
            }
            #expect(program.errors.contains("An answer to another login was ignored"))
            #expect(stage.authority.grants == ["authorization_code"])
        }

        @Test(
            .timeLimit(.minutes(1)),
            arguments: [
                ("error=access_denied", "consent was refused"), ("nothing=here", "holds no answer"),
                ("code=never-issued", "does not accept the code"),
            ])
        func refusedConsentEndsLogin(query: String, message: String) throws {
            let stage = try Stage()
            let program = try stage.login(expecting: 1) { url in
                let redirect = try stage.authority.consent(to: url)
                let state = try #require(
                    redirect.split(separator: "&").first { $0.contains("state=") }?.split(separator: "?").last)
                _ = try HTTP.get(String(redirect.prefix { $0 != "?" }) + "?\(query)&\(state)")
            }
            #expect(program.errors.contains(message), "\(program.errors)")
            #expect(stage.token == "" && !program.errors.contains("never-issued"))
        }

        @Test(.timeLimit(.minutes(1))) func addressCanBePasted() throws {
            let stage = try Stage("      redirect_port: 4321")
            let input = stage.station.scratch.path + "/input"
            #expect(mkfifo(input, 0o600) == 0)
            let program = try stage.station.start(["login", "--paste", "personal"], of: "parserctl", input: input)
            try waitUntil("the address\n\(program.errors)") {
                program.hasEnded || program.output.contains("paste it here")
            }
            let answer = try stage.authority.consent(to: try #require(program.address))
            #expect(answer.hasPrefix("http://127.0.0.1:4321/?"))
            try #require(FileHandle(forUpdatingAtPath: input)).write(contentsOf: Data("  \(answer)\n".utf8))
            #expect(try program.exit(within: 30) == 0, "\(program.errors)")
            #expect(stage.authority.secrets.contains(stage.token.trimmingCharacters(in: .newlines)))
        }
    }
}
