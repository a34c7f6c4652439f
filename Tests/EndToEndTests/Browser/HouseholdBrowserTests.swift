import BrowserFixture
import Foundation
import LoopbackFixture
import Testing

extension EndToEnd {
    /// An owner and a reader side by side in a real browser, at the real program.
    @Suite(.serialized, .enabled(if: WebDriver.isInstalled)) struct HouseholdInTheBrowser {
        private func open(
            _ site: WebSite, _ driver: WebDriver, script: Bool = true, width: Int = 1280
        ) throws
            -> Browser
        {
            let browser = try Browser(driver, script: script)
            try browser.resize(to: width)
            try browser.open("http://localhost:\(site.port)/")
            return browser
        }

        private func logIn(_ browser: Browser, as name: String? = nil, _ passphrase: String) throws {
            if let name { try browser.type(name, into: "input[name=name]") }
            try browser.type(passphrase, into: "input[name=passphrase]")
            try browser.click("button[type=submit]")
            try browser.waits(for: "Overview", in: "h1")
        }

        /// The owner adds a reader; the reader opens the link, sees the books, and is offered no change.
        @Test(.timeLimit(.minutes(5)), arguments: [true, false]) func ownerAndReader(script: Bool) throws {
            let site = try WebSite()
            try site.setPassphrase()
            let driver = try WebDriver()
            let owner = try open(site, driver, script: script)
            #expect(try owner.count("input[name=name]") == 0, "one user is asked for the passphrase only")
            try logIn(owner, WebSite.passphrase)
            try owner.click("a", saying: "Settings")
            try owner.click("main a", saying: "Users")
            try owner.waits(for: "Users", in: "h1")
            try check(owner, script)
            let add = "section[aria-labelledby=add]"
            try owner.type("Ravi", into: "\(add) input[name=name]")
            try owner.choose("reader", in: "\(add) select[name=role]")
            try owner.type(WebSite.passphrase, into: "\(add) input[name=passphrase]")
            try owner.click("\(add) button")
            try owner.waits(for: "Pass this link on to Ravi", in: "main")
            try check(owner, script)
            let link = try owner.text("pre").trimmingCharacters(in: .whitespacesAndNewlines)
            let path = try #require(link.firstRange(of: "/start?code=")).lowerBound

            let reader = try open(site, driver, script: script, width: 390)
            try reader.open("http://localhost:\(site.port)\(link[path...])")
            try reader.waits(for: "Ravi, choose your passphrase", in: "main")
            try check(reader, script)
            let passphrase = "maple ocean kite"
            try reader.type(passphrase, into: "input[name=new]")
            try reader.type(passphrase, into: "input[name=again]")
            try reader.click("button[type=submit]")
            try reader.waits(for: "Overview", in: "h1")

            try owner.open("http://localhost:\(site.port)/app/budgets")
            try reader.open("http://localhost:\(site.port)/app/budgets")
            #expect(try owner.count("main form[method=post]") > 0 && reader.count("main form[method=post]") == 0)
            try reader.open("http://localhost:\(site.port)/app/transactions/new")
            try reader.waits(for: "Your role is reader", in: "main")
            // The browser's console names the status of the page.
            if script { #expect(try reader.complaints().allSatisfy { $0.contains("403") }) }
            try reader.open("http://localhost:\(site.port)/app/settings")
            try reader.waits(for: "Logins", in: "main")
            #expect(try !reader.text("main").contains("Users"))
            try check(reader, script)

            // The next login asks for a name; a disabled user has none.
            try reader.click("footer button", saying: "Log out")
            try reader.waits(until: "the login") { try reader.count("input[name=name]") == 1 }
            try check(reader, script)
            try logIn(reader, as: "ravi", passphrase)
            try owner.open("http://localhost:\(site.port)/app/settings/users")
            try owner.click("section[aria-labelledby=members] li:nth-child(2) summary")
            try owner.click("form[action$='/disable'] button")
            try owner.waits(for: "The user is disabled", in: ".notice")
            try reader.open("http://localhost:\(site.port)/app/budgets")
            try reader.waits(until: "the login") { try reader.count("input[name=passphrase]") == 1 }
        }

        private func check(_ browser: Browser, _ script: Bool) throws {
            if script { #expect(try browser.complaints() == []) }
        }
    }
}
