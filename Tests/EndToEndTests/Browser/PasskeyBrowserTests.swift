import BrowserFixture
import Foundation
import LoopbackFixture
import Testing

extension EndToEnd {
    /// Passkeys of a real browser with a virtual authenticator, at the real program.
    @Suite(.serialized, .enabled(if: WebDriver.isInstalled)) struct Passkeys {
        private func open(_ site: WebSite, _ driver: WebDriver, at host: String, script: Bool = true) throws -> Browser
        {
            let browser = try Browser(driver, script: script)
            try browser.resize(to: 1280)
            try browser.open("http://\(host):\(site.port)/")
            return browser
        }

        private func logIn(_ browser: Browser) throws {
            try browser.type(WebSite.passphrase, into: "input[name=passphrase]")
            try browser.click("button[type=submit]")
            try browser.waits(for: "Overview", in: "h1")
        }

        private func logOut(_ browser: Browser) throws {
            try browser.click("footer button", saying: "Log out")
            try browser.waits(until: "the login") { try browser.count("input[name=passphrase]") == 1 }
        }

        /// Gives name and passphrase, which the page asks for before the authenticator.
        private func begin(_ browser: Browser, _ name: String) throws {
            try browser.click("a", saying: "Settings")
            try browser.click("a", saying: "Add a passkey")
            try browser.type(name, into: "input[name=name]")
            try browser.type(WebSite.passphrase, into: "main input[name=passphrase]")
            try browser.click("button", saying: "Continue")
            try browser.waits(for: name, in: "h2")
        }

        @Test(.timeLimit(.minutes(5))) func aPasskeyReplacesThePassphraseInTheBrowser() throws {
            let site = try WebSite()
            try site.setPassphrase()
            let driver = try WebDriver()
            let browser = try open(site, driver, at: "localhost")
            #expect(try browser.count("[data-passkey]") == 0, "there is none yet")
            let authenticator = try browser.addAuthenticator()
            try logIn(browser)
            try begin(browser, "my phone")
            #expect(try browser.complaints() == [])
            try browser.click("button", saying: "Make the passkey")
            try browser.waits(for: "The passkey was added.", in: ".notice")
            #expect(try browser.text("main").contains("my phone"))

            // The same authenticator again.
            try begin(browser, "again")
            try browser.click("button", saying: "Make the passkey")
            try browser.waits(for: "This device has a passkey of SpendWise already.", in: "main")

            // Twice: the second answer has the next counter.
            for _ in 0..<2 {
                try logOut(browser)
                try browser.click("[data-passkey]")
                try browser.waits(for: "Overview", in: "h1")
            }
            try logOut(browser)

            // A finger that the authenticator does not know.
            try browser.setVerifies(authenticator, false)
            try browser.click("[data-passkey]")
            try browser.waits(for: "The passkey was not used.", in: "main")
            try browser.setVerifies(authenticator, true)

            // A form that outlived its login is sent after the login with the passkey.
            try browser.click("[data-passkey]")
            try browser.waits(for: "Overview", in: "h1")
            try browser.click("a", saying: "Settings")
            try site.sql("DELETE FROM login_sessions")
            try browser.click("button[aria-label='Remove my phone']")
            try browser.waits(for: "What you entered is kept", in: "main")
            try browser.click("[data-passkey]")
            try browser.waits(for: "The passkey was removed", in: ".notice")
            try logOut(browser)
            #expect(try browser.count("[data-passkey]") == 0)
        }

        /// The link that the program prints sets the first passphrase, once.
        @Test(.timeLimit(.minutes(5))) func theFirstVisitorSetsThePassphrase() throws {
            let site = try WebSite()
            try waitUntil("the link\n\(site.log)") { site.log.contains("open within an hour: http") }
            let link = try #require(site.log.firstMatch(of: #/open within an hour: (\S+)/#)).1
            let driver = try WebDriver()
            let browser = try Browser(driver)
            try browser.open(String(link))
            try browser.type(WebSite.passphrase, into: "input[name=new]")
            try browser.type(WebSite.passphrase, into: "input[name=again]")
            try browser.click("button[type=submit]")
            try browser.waits(for: "Mailboxes", in: "h1")
            #expect(try browser.complaints() == [])
            try browser.open(String(link))
            try browser.waits(for: "This link is wrong, used or older than an hour.", in: "main")
            let other = try open(site, driver, at: "localhost")
            try logIn(other)
        }

        /// The passphrase works without the script; the page says what needs it.
        @Test(.timeLimit(.minutes(5))) func withoutScriptAndAtAnAddress() throws {
            let site = try WebSite()
            try site.setPassphrase()
            let driver = try WebDriver()
            let plain = try open(site, driver, at: "localhost", script: false)
            try logIn(plain)
            try begin(plain, "my phone")
            #expect(try plain.text("main").contains("A passkey needs the script of this page."))

            let browser = try open(site, driver, at: "127.0.0.1")
            try logIn(browser)
            try browser.click("a", saying: "Settings")
            #expect(try browser.text("main").contains("None can be added at this address"))
            try browser.open("http://127.0.0.1:\(site.port)/app/settings/passkeys")
            try browser.waits(for: "never for an IP address", in: "main")
        }
    }
}
