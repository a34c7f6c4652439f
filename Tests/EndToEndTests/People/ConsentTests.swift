import AuthorizationFixture
import Codecs
import DovecotFixture
import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// A mailbox that a person adds on the page with OAuth, without the script: both roles, a real mail server and the
    /// tests' authorization server. The test is the browser.
    @Suite(.serialized, .enabled(if: access(WebSite.curl, X_OK) == 0)) struct Consents {
        final class Page {
            let authority: AuthorizationFixture
            let site: NewMailbox.Site
            var station: Station { site.station }
            private var cookie: String?
            /// Codes and secrets that were sent; the program may not repeat any.
            private var typed: [String] = [AuthorizationFixture.clientSecret, WebSite.passphrase]

            init(_ web: String = "") throws {
                authority = try AuthorizationFixture(user: "user")
                var options = DovecotFixture.Options()
                options.introspectionURL = authority.introspectionURL
                options.mechanisms = "oauthbearer xoauth2"
                site = try NewMailbox.Site(web, options: options)
                try authority.startTLS(
                    certificate: site.station.server.certificateFile, key: site.station.server.keyFile)
            }

            func logIn() throws {
                let input = try station.scratch.write(WebSite.passphrase + "\n", to: "passphrase")
                let set = try station.start(["passphrase", "set"], of: "parserctl", input: input)
                guard try set.exit() == 0 else { throw Failed(description: set.errors) }
                let answer = try ask("/login", ["--data-urlencode", "passphrase=\(WebSite.passphrase)"])
                guard let given = answer.cookie else { throw Failed(description: answer.text) }
                cookie = given
            }

            private func ask(_ path: String, _ arguments: [String] = []) throws -> HTTP.Answer {
                let login = cookie.map { ["-H", "Cookie: \($0)"] } ?? []
                let program = try Program(
                    WebSite.curl,
                    ["-sS", "-i", "--noproxy", "*", "--max-time", "30", "-H", "Accept: text/html"] + login + arguments
                        + [
                            site.address(path)
                        ], in: station.scratch)
                try program.exit(within: 60)
                return HTTP.Answer(text: program.output)
            }

            func get(_ path: String) throws -> String { try ask(path).body }

            func post(_ form: PageForm) throws -> HTTP.Answer {
                let body = try station.scratch.write(FormEncoding.encode(form.fields), to: "body")
                return try ask(form.action, ["--data-binary", "@\(body)"])
            }

            /// The form of the client, filled in.
            func client(_ user: String = "user") throws -> PageForm {
                var form = try PageForm(
                    get("/app/settings/mailboxes/new?address=user@localhost.example&login=other"), with: "client_id")
                form["client_id"] = AuthorizationFixture.clientID
                form["authorization_endpoint"] = authority.authorizationEndpoint
                form["token_endpoint"] = authority.tokenEndpoint
                form["user"] = user
                form["host"] = "localhost"
                form["port"] = "\(station.server.port)"
                form["authority"] = try String(contentsOfFile: station.server.caFile, encoding: .utf8)
                form["step"] = "consent"
                return form
            }

            /// The link to the authorization server.
            static func link(_ page: String) throws -> String {
                let found = try #require(page.firstMatch(of: #/href="(https:[^"]*)" target="_blank"/#), "\(page)")
                return PageForm.unescaped(found.output.1)
            }

            /// The form of the consent on a page, with the consent given.
            func allowed(_ page: String, secret: String = AuthorizationFixture.clientSecret) throws -> PageForm {
                var form = try PageForm(page, with: "redirect_address")
                let redirect = try authority.consent(to: Self.link(page))
                typed.append(try #require(redirect.split(separator: "code=").last.map(String.init)))
                form["redirect_address"] = redirect
                form["client_secret"] = secret
                form["passphrase"] = WebSite.passphrase
                form["step"] = "answer"
                return form
            }

            /// Sends the form and returns the page of the setup once the mail reader has answered.
            func result(of form: PageForm) throws -> String {
                let answer = try post(form)
                let path = try #require(answer.header("Location"), "\(answer.text)")
                var page = ""
                try waitUntil("the mail reader\n\(site.ingest.errors)\n\(page)") {
                    page = try get(path)
                    return !page.contains("The login is being tested.") && !page.contains("is being taken into use")
                }
                return page
            }

            func accept(_ page: String) throws -> String { try result(of: PageForm(page, with: "trust")) }

            func expectDiscreet(_ location: SourceLocation = #_sourceLocation) throws {
                try site.expectDiscreet(typed + authority.secrets, location)
            }

            func exists(_ file: String) throws -> Bool {
                FileManager.default.fileExists(atPath: try site.state() + "/" + file)
            }
        }

        @Test(.timeLimit(.minutes(5))) func fromTheFormToARenewedConsent() throws {
            let page = try Page()
            let station = page.station
            try station.deliver([Watching.coffee("one", minutes: 3)])
            try page.logIn()
            let asked = try page.post(page.client())
            #expect(asked.status == 200, "\(asked.text)")
            let tested = try page.result(of: page.allowed(asked.body))
            #expect(tested.contains("The login works") && tested.contains("1 of banks"), "\(tested)")
            #expect(try !page.exists("tokens/personal"), "nothing is written before the person accepts")
            #expect(try page.accept(tested).contains("The mailbox is being read."))
            try waitUntil("the first mail\n\(page.site.ingest.errors)") { try station.ledger.booked().count == 1 }
            #expect(page.authority.grants == ["authorization_code", "refresh_token"])
            for (file, content) in [("clients", AuthorizationFixture.clientSecret), ("tokens", nil)] {
                let path = try page.site.state() + "/\(file)/personal"
                let text = try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .newlines)
                #expect(page.authority.secrets.contains(text) && (content == nil || content == text))
                #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
            }
            #expect(try page.get("/app/mailboxes").contains("logs in by OAuth at localhost"))

            // The consent ends. It is reported as that of a configured mailbox, and renewed on the page.
            station.server.kill()
            page.authority.revoke()
            try station.deliver([Watching.coffee("two", minutes: 2)])
            try station.server.start()
            try page.site.ingest.logs("re-consent needed")
            try waitUntil("the report") { try page.get("/app/mailboxes").contains("re-consent needed") }
            #expect(try station.control(["status", "--json"]).contains("re-consent needed"))
            let path = "/app/settings/mailboxes/consent?name=personal"
            #expect(try page.get("/app/mailboxes").contains(path))
            var forged = try page.allowed(page.get(path))
            forged["redirect_address"] = "http://127.0.0.1:47113/?state=\(forged["state"])&code=never-issued"
            let refused = try page.result(of: forged)
            #expect(refused.contains("did not accept the code") && refused.contains(path), "\(refused)")
            let renewed = try page.result(of: page.allowed(page.get(path)))
            #expect(renewed.contains("The consent is renewed."), "\(renewed)")
            try waitUntil("the second mail\n\(page.site.ingest.errors)") { try station.ledger.booked().count == 2 }
            try page.expectDiscreet()

            _ = try page.post(PageForm(page.get("/app/settings/mailboxes/remove?name=personal"), with: "name"))
            try page.site.ingest.logs("mailbox removed on the page")
            for file in ["tokens/personal", "clients/personal", "authorities/personal"] {
                #expect(try !page.exists(file), "\(file)")
            }
        }

        /// Each fault has its sentence, and the next consent needs nothing typed anew but what was at fault.
        @Test(.timeLimit(.minutes(5))) func everyFaultHasARemedy() throws {
            let page = try Page(", authentication: none")
            try page.station.deliver([Watching.coffee("one", minutes: 3)])
            var asked = try page.post(page.client()).body
            func state() throws -> String { try PageForm(asked, with: "redirect_address")["state"] }
            for (answer, words) in [
                ("", "allow the access first"), ("http://127.0.0.1:47113/", "it holds no code"),
                ("http://127.0.0.1:47113/?code=7&state=forged", "belongs to an earlier request"),
                ("http://127.0.0.1:47113/?error=access_denied&state=\(try state())", "The access was refused"),
            ] {
                var form = try page.allowed(asked)
                form["redirect_address"] = answer
                let refused = try page.post(form)
                #expect(refused.status == 422 && refused.body.contains(words), "\(refused.text)")
                #expect(try Page.link(refused.body) == Page.link(asked))
            }
            #expect(page.authority.requests == 0)

            var refused = try page.result(of: page.allowed(asked, secret: "not-the-secret"))
            #expect(refused.contains("does not know this client"), "\(refused)")
            // The values of the client are there again, to be corrected.
            var form = try PageForm(refused, with: "client_id")
            #expect(form["client_id"] == AuthorizationFixture.clientID && form["host"] == "localhost")
            #expect(form["authority"].contains("BEGIN CERTIFICATE"))
            form["step"] = "consent"
            asked = try page.post(form).body

            var forged = try page.allowed(asked)
            forged["redirect_address"] = "http://127.0.0.1:47113/?state=\(try state())&code=never-issued"
            refused = try page.result(of: forged)
            #expect(refused.contains("did not accept the code"), "\(refused)")
            for (behaviour, words) in [
                (AuthorizationFixture.Behaviour.answer(status: 503, body: ""), "cannot be reached"),
                (.answer(status: 200, body: #"{"access_token":"a"}"#), "gave no refresh token"),
                (.cut, "cannot be reached"),
            ] {
                page.authority.behave(behaviour)
                refused = try page.result(of: page.allowed(refused, secret: ""))
                #expect(refused.contains(words), "\(refused)")
            }
            page.authority.behave(.correct)
            let tested = try page.result(of: page.allowed(refused, secret: ""))
            #expect(tested.contains("The login works"), "\(tested)")
            #expect(try page.accept(tested).contains("The mailbox is being read."))
            try waitUntil("the mail") { try page.station.ledger.booked().count == 1 }
            try page.expectDiscreet()
        }

        /// A token of another account is good for its own mailbox only.
        @Test(.timeLimit(.minutes(5))) func theMailServerRefusesAnotherUser() throws {
            let page = try Page(", authentication: none")
            let asked = try page.post(page.client("other")).body
            let refused = try page.result(of: page.allowed(asked))
            #expect(refused.contains("refused the login with this consent"), "\(refused)")
            #expect(try PageForm(refused, with: "client_id")["user"] == "other")
            #expect(try !page.exists("tokens/personal"))
            try page.expectDiscreet()
        }

        /// kill -9 between the test and the acceptance: the refresh token is in the ledger, sealed, and the code is
        /// redeemed once.
        @Test(.timeLimit(.minutes(5))) func aCrashDoesNotLoseTheToken() throws {
            let page = try Page(", authentication: none")
            try page.station.deliver([Watching.coffee("one", minutes: 3)])
            let asked = try page.post(page.client()).body
            let tested = try page.result(of: page.allowed(asked))
            try page.site.ingest.crash()
            _ = try page.post(PageForm(tested, with: "trust"))
            try page.site.restartIngest()
            try waitUntil("the mail\n\(page.site.ingest.errors)") { try page.station.ledger.booked().count == 1 }
            #expect(page.authority.grants == ["authorization_code", "refresh_token"])
            try page.expectDiscreet()
        }
    }
}
