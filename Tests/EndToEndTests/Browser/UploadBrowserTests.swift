import BrowserFixture
import LoopbackFixture
import Testing

extension EndToEnd {
    /// A form with a file in a real browser.
    @Suite(.serialized, .enabled(if: WebDriver.isInstalled)) struct UploadInTheBrowser {
        /// Runs a request of the page and waits for its answer.
        private func ask(_ browser: Browser, _ request: String) throws {
            _ = try browser.script("window.answered = false; \(request).then(() => { window.answered = true; })")
            try browser.waits(until: "an answer") { try browser.script("return window.answered") as? Bool == true }
        }

        /// The login ends while the file is chosen: the page says so, and sends the file after the next login.
        @Test(.timeLimit(.minutes(3))) func theFileOutlivesTheLogin() throws {
            let site = try InTheBrowser.Site()
            let browser = try site.browser(width: 390)
            let mail = try site.station.scratch.write(Watching.coffee("saved", minutes: 1).bytes, to: "saved.eml")
            try browser.open(site.address("/app/mailboxes"))
            try browser.type(mail, into: "input[type=file]")
            try ask(
                browser,
                "fetch('/logout', { method: 'POST', body: new URLSearchParams(new FormData(document.querySelector('form[action=\"/logout\"]'))) })"
            )
            try browser.click("main button", saying: "Read")
            try browser.waits(for: "The login has ended.", in: "[data-ended]")
            try ask(
                browser,
                "fetch('/login', { method: 'POST', body: new URLSearchParams({ passphrase: '\(InTheBrowser.passphrase)' }) })"
            )
            try browser.click("main button", saying: "Read")
            try browser.waits(for: "Of banks: 1", in: "main")
            try browser.click("main a", saying: "Back")
            try browser.waits(for: "Mails", in: "h1")
            try browser.waits(for: "upload:page", in: "main")
        }
    }
}
