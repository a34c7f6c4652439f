import Codecs
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import Web

/// The page as an app of a phone or a desktop, and its colours.
@Suite struct InstallationTests {
    /// A browser requests the manifest and the icons without cookies.
    @Test(arguments: PageLanguage.allCases) func theManifestNeedsNoLogin(language: PageLanguage) async throws {
        let site = try Site()
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            let login = try await client.execute(
                uri: "/login", method: .get, headers: [.accept: "text/html", .acceptLanguage: language.rawValue])
            let dark = try await client.execute(
                uri: "/login", method: .get, headers: [.accept: "text/html", .cookie: "spendwise-theme=dark"])
            #expect(dark.words.contains("data-theme=\"dark\""))
            let link = try #require(login.words.firstMatch(of: #/<link rel="manifest" href="([^"]+)">/#)?.output.1)
            let answer = try await client.execute(uri: String(link), method: .get)
            #expect(answer.status == .ok && answer.headers[.contentType] == "application/manifest+json")
            let manifest = try JSON(parsing: Array(buffer: answer.body))
            #expect(manifest["lang"]?.textValue == language.rawValue)
            #expect(manifest["name"]?.textValue == "SpendWise" && manifest["display"]?.textValue == "standalone")
            #expect(manifest["start_url"]?.textValue == "/" && manifest["scope"]?.textValue == "/")
            let icons = try #require(manifest["icons"]?.elements)
            #expect(icons.count == 2)
            for icon in icons {
                let image = try await client.execute(uri: try #require(icon["src"]?.textValue), method: .get)
                #expect(image.status == .ok && image.headers[.contentType] == icon["type"]?.textValue)
                guard icon["type"]?.textValue == "image/png" else { continue }
                // Width and height of the header (PNG, section 11.2.1).
                let bytes = Array(buffer: image.body)
                let side = WebManifest.pictureSide
                let size = [0, 0, UInt8(side >> 8), UInt8(side & 0xFF)]
                #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) && bytes.dropFirst(16).starts(with: size + size))
                #expect(icon["sizes"]?.textValue == "\(side)x\(side)")
            }
        }
    }

    @Test func shortcutsOfTheAppArePages() async throws {
        let site = try PageSite()
        let manifest = try JSON(parsing: Array(WebManifest.text(.hindi, icon: "/i", picture: "/p").utf8))
        let shortcuts = try #require(manifest["shortcuts"]?.elements)
        #expect(shortcuts.count == 4)
        for shortcut in shortcuts {
            let path = try #require(shortcut["url"]?.textValue)
            let answer = try await site.ask {
                try await $0.execute(uri: path, method: .get, headers: [.accept: "text/html"])
            }
            #expect(answer.status == .ok, "\(path)")
            #expect(shortcut["name"]?.textValue?.contains(#/[\u{900}-\u{97F}]/#) == true)
        }
    }

    @Test func aChosenThemeIsKept() async throws {
        let site = try PageSite()
        func page(_ path: String, cookie: String) async throws -> String {
            try await site.ask {
                try await $0.execute(uri: path, method: .get, headers: [.accept: "text/html", .cookie: cookie])
            }.words
        }
        #expect(!(try await page("/", cookie: "a=b")).contains("data-theme"))
        for theme in ["light", "dark"] {
            let chosen = try await site.ask {
                try await $0.submit("/app/theme", [("theme", theme), ("back", "/app/dues")])
            }
            #expect(chosen.status == .seeOther && chosen.headers[.location] == "/app/dues")
            let cookie = String(try #require(chosen.headers[.setCookie]).prefix { $0 != ";" })
            for path in ["/", "/app/nothing"] {
                #expect(try await page(path, cookie: cookie).contains("<html lang=\"en\" data-theme=\"\(theme)\">"))
            }
            let words = try await page("/", cookie: cookie)
            #expect(words.contains(">Colours of the device</button>") && !words.contains("value=\"\(theme)\""))
        }
        let back = try await site.ask { try await $0.submit("/app/theme", [("theme", "device")]) }
        #expect(back.headers[.setCookie]?.hasPrefix("spendwise-theme=device;") == true)
        let unknown = try await site.ask { try await $0.submit("/app/theme", [("theme", "red\" onload=\"x")]) }
        #expect(unknown.status == .notFound && unknown.headers[.setCookie] == nil)
        #expect(!(try await page("/", cookie: "spendwise-theme=red")).contains("data-theme"))
    }
}
