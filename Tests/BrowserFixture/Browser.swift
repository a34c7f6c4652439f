import Foundation
import Glibc

/// One window of a headless Chromium with an empty profile. CSS selectors name the elements.
public final class Browser {
    private let driver: WebDriver
    private let session: String

    /// - Parameter script: false to disable JavaScript.
    public init(_ driver: WebDriver, script: Bool = true) throws {
        self.driver = driver
        var options: [String: Any] = [
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        ]
        if !script { options["prefs"] = ["profile.managed_default_content_settings.javascript": 2] }
        let wanted: [String: Any] = ["goog:chromeOptions": options, "goog:loggingPrefs": ["browser": "ALL"]]
        let value = try driver.ask("POST", "/session", ["capabilities": ["alwaysMatch": wanted]]) as? [String: Any]
        guard let session = value?["sessionId"] as? String else {
            throw BrowserError(description: "the browser does not start")
        }
        self.session = session
    }

    deinit { _ = try? driver.ask("DELETE", "/session/\(session)") }

    @discardableResult
    private func ask(_ method: String, _ path: String, _ body: [String: Any]? = nil) throws -> Any? {
        try driver.ask(method, "/session/\(session)\(path)", body)
    }

    /// - Parameter width: in CSS pixels; may be narrower than a real window.
    public func resize(to width: Int) throws {
        let metrics: [String: Any] = ["width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": false]
        try ask("POST", "/goog/cdp/execute", ["cmd": "Emulation.setDeviceMetricsOverride", "params": metrics])
    }

    /// Sets the colour scheme that the person prefers.
    public func prefer(dark: Bool) throws {
        let feature = ["name": "prefers-color-scheme", "value": dark ? "dark" : "light"]
        try ask(
            "POST", "/goog/cdp/execute", ["cmd": "Emulation.setEmulatedMedia", "params": ["features": [feature]]])
    }

    /// Returns the faults that axe-core finds on the page, each with its rule and the elements.
    public func faults(by axe: String) throws -> [String] {
        try ask("POST", "/execute/sync", ["script": axe, "args": []])
        let run = """
            const done = arguments[0];
            axe.run({ resultTypes: ['violations'] }).then(
              found => done(found.violations.map(fault =>
                fault.id + ': ' + fault.nodes.slice(0, 5).map(node => node.target.join(' ')).join(', '))),
              error => done(['axe: ' + error]));
            """
        return try ask("POST", "/execute/async", ["script": run, "args": []]) as? [String] ?? ["axe gave no result"]
    }

    public func open(_ address: String) throws { try ask("POST", "/url", ["url": address]) }

    public var address: String { get throws { try ask("GET", "/url") as? String ?? "" } }
    public var title: String { get throws { try ask("GET", "/title") as? String ?? "" } }

    /// Returns the visible text of the first matching element.
    public func text(_ selector: String = "body") throws -> String {
        guard let element = try elements(selector).first else { return "" }
        // A navigation in between removes the element.
        return (try? ask("GET", "/element/\(element)/text") as? String) ?? ""
    }

    public func count(_ selector: String) throws -> Int { try elements(selector).count }

    public func value(_ selector: String) throws -> String {
        try ask("GET", "/element/\(element(selector))/property/value") as? String ?? ""
    }

    /// An element in the form in which requests name it (WebDriver, section 11).
    private static func reference(_ element: String) -> [String: String] {
        ["element-6066-11e4-a52e-4f735466cecf": element]
    }

    /// Clicks the first matching element once it is visible and not covered.
    /// - Parameter words: text that the element must contain.
    public func click(_ selector: String, saying words: String? = nil) throws {
        try waitUntil("\(selector)\(words.map { " saying '\($0)'" } ?? "") at \(try address)") {
            let found = try elements(selector).first { element in
                guard let words else { return true }
                return (try ask("GET", "/element/\(element)/text") as? String)?.contains(words) ?? false
            }
            guard let found else { return false }
            // Not behind a bar at an edge of the window, as a person would scroll.
            let element = Self.reference(found)
            let scroll = "arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })"
            try ask("POST", "/execute/sync", ["script": scroll, "args": [element]])
            try ask("POST", "/element/\(found)/click", [:])
            return true
        }
    }

    /// Taps the middle of the first matching element with a finger.
    public func tap(_ selector: String) throws {
        let element = try element(selector)
        let origin = Self.reference(element)
        try ask(
            "POST", "/execute/sync", ["script": "arguments[0].scrollIntoView({ block: 'center' })", "args": [origin]])
        let actions: [[String: Any]] = [
            ["type": "pointerMove", "duration": 0, "origin": origin, "x": 0, "y": 0],
            ["type": "pointerDown", "button": 0], ["type": "pointerUp", "button": 0],
        ]
        let finger: [String: Any] = [
            "type": "pointer", "id": "finger", "parameters": ["pointerType": "touch"], "actions": actions,
        ]
        try ask("POST", "/actions", ["actions": [finger]])
    }

    public func type(_ text: String, into selector: String) throws {
        let element = try element(selector)
        try ask("POST", "/element/\(element)/clear", [:])
        try ask("POST", "/element/\(element)/value", ["text": text])
    }

    /// Chooses the first option of a select with this text.
    public func choose(_ option: String, in selector: String) throws {
        let select = try element(selector)
        let options =
            (try ask("POST", "/element/\(select)/elements", ["using": "css selector", "value": "option"])
            as? [[String: Any]] ?? []).compactMap { $0.values.first as? String }
        guard
            let found = try options.first(where: {
                try (ask("GET", "/element/\($0)/property/text") as? String) == option
            })
        else {
            throw BrowserError(description: "\(selector) has no option '\(option)'")
        }
        try ask("POST", "/element/\(found)/click", [:])
    }

    /// Presses keys one after the other, once the page's script has run. The focused element receives them.
    public func press(_ keys: String...) throws {
        try waitUntil("the page at \(try address)") {
            try script("return document.readyState") as? String == "complete"
        }
        let actions = keys.flatMap { [["type": "keyDown", "value": $0], ["type": "keyUp", "value": $0]] }
        try ask("POST", "/actions", ["actions": [["type": "key", "id": "keyboard", "actions": actions]]])
    }

    public func script(_ text: String) throws -> Any? {
        try ask("POST", "/execute/sync", ["script": text, "args": []])
    }

    /// Waits until the first matching element contains `words`.
    public func waits(for words: String, in selector: String = "body") throws {
        try waitUntil("'\(words)' in \(selector) at \(try address):\n\(try text(selector).prefix(1500))") {
            try text(selector).contains(words)
        }
    }

    public func waits(until what: String, _ condition: () throws -> Bool) throws {
        try waitUntil("\(what) at \(try address)", condition)
    }

    /// Adds an authenticator that keeps passkeys and verifies its user (Web Authentication Level 2, section 11).
    /// Returns its number.
    public func addAuthenticator() throws -> String {
        let properties: [String: Any] = [
            "protocol": "ctap2", "transport": "internal", "hasResidentKey": true, "hasUserVerification": true,
            "isUserVerified": true, "isUserConsenting": true,
        ]
        return try ask("POST", "/webauthn/authenticator", properties) as? String ?? ""
    }

    /// Sets whether the authenticator recognises its user.
    public func setVerifies(_ authenticator: String, _ verifies: Bool) throws {
        try ask("POST", "/webauthn/authenticator/\(authenticator)/uv", ["isUserVerified": verifies])
    }

    /// Returns new errors and warnings of the console, including violations of the content security policy.
    public func complaints() throws -> [String] {
        (try ask("POST", "/se/log", ["type": "browser"]) as? [[String: Any]] ?? [])
            .filter { ["SEVERE", "WARNING"].contains($0["level"] as? String ?? "") }.map { "\($0["message"] ?? "")" }
    }

    private func element(_ selector: String) throws -> String {
        var found: String?
        try waitUntil("\(selector) at \(try address)") {
            found = try elements(selector).first
            return found != nil
        }
        return found ?? ""
    }

    private func elements(_ selector: String) throws -> [String] {
        (try ask("POST", "/elements", ["using": "css selector", "value": selector]) as? [[String: Any]] ?? [])
            .compactMap { $0.values.first as? String }
    }
}
