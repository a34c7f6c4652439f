import Testing
import YAMLSource

@testable import Settings

@Suite struct ProviderFileTests {
    private let file: ProviderFile

    init() throws { file = try ProviderFile.shipped() }

    struct Known: CustomTestStringConvertible {
        let address: String
        let host: String
        var port = 993
        var authservID: String?
        var user: String?

        var testDescription: String { address }
    }

    @Test(arguments: [
        Known(address: "asha@gmail.com", host: "imap.gmail.com", authservID: "mx.google.com"),
        Known(address: "Asha@GoogleMail.com", host: "imap.gmail.com", authservID: "mx.google.com"),
        Known(address: "asha@hotmail.com", host: "outlook.office365.com", authservID: "outlook.com"),
        Known(address: "asha@yahoo.co.in", host: "imap.mail.yahoo.com", authservID: "*.yahoo.com"),
        Known(address: "asha@icloud.com", host: "imap.mail.me.com", authservID: "*.icloud.com"),
        Known(address: "asha@fastmail.com", host: "imap.fastmail.com", authservID: "*.messagingengine.com"),
        Known(address: "asha@zoho.in", host: "imap.zoho.in", authservID: "mx.zohomail.in"),
        Known(address: "asha@gmx.de", host: "imap.gmx.net", authservID: "gmx.net"),
        Known(address: "asha@web.de", host: "imap.web.de"),
        Known(address: "asha@proton.me", host: "127.0.0.1", port: 1143, authservID: "mail.protonmail.ch"),
        Known(address: "asha@rediffmail.com", host: "imap.rediffmail.com"),
        Known(address: "asha@mail.com", host: "imap.mail.com"),
        Known(address: "asha@aol.com", host: "imap.aol.com", authservID: "*.yahoo.com"),
        Known(address: "asha@yandex.ru", host: "imap.yandex.com", authservID: "*.yandex.net"),
        Known(address: "asha@mailbox.org", host: "imap.mailbox.org"),
        Known(address: "asha@posteo.net", host: "posteo.de", authservID: "posteo.de"),
        Known(address: "asha@migadu.com", host: "imap.migadu.com"),
        Known(address: "asha@runbox.com", host: "mail.runbox.com"),
        Known(address: "asha@ik.me", host: "mail.infomaniak.com", authservID: "mx.infomaniak.com"),
        Known(address: "asha@ovh.fr", host: "ssl0.ovh.net"),
        Known(address: "asha@ionos.de", host: "imap.ionos.de"),
        Known(address: "asha@strato.de", host: "imap.strato.de"),
        Known(address: "asha@t-online.de", host: "secureimap.t-online.de"),
        Known(address: "asha@orange.fr", host: "imap.orange.fr"),
        Known(address: "asha@free.fr", host: "imap.free.fr"),
        Known(address: "asha@libero.it", host: "imapmail.libero.it"),
        Known(address: "asha@btinternet.com", host: "mail.btinternet.com"),
        Known(address: "asha@comcast.net", host: "imap.comcast.net"),
        Known(address: "asha@localhost", host: "localhost", user: "asha"),
    ]) func addressFindsItsProvider(known: Known) throws {
        let provider = try #require(file.provider(ofAddress: known.address))
        #expect(provider.host == known.host && provider.port == known.port)
        #expect(provider.authservID == known.authservID)
        #expect(provider.user(ofAddress: known.address) == known.user ?? known.address)
        #expect(file.provider(ofHost: known.host) != nil)
    }

    @Test func unknownDomainHasNoProvider() {
        for address in ["asha@example.com", "asha", "", "asha@", "asha@gmail.com.example"] {
            #expect(file.provider(ofAddress: address) == nil)
        }
    }

    /// Every provider explains its password in one sentence with its name, and gives a page only by https.
    @Test func everyProviderExplainsItsPassword() {
        #expect(file.providers.count >= 30)
        for provider in file.providers {
            #expect(provider.passwordSentence.contains(provider.name) && provider.passwordSentence.hasSuffix("."))
            #expect(!provider.passwordSentence.contains("{"))
            #expect(provider.passwordPage?.hasPrefix("https://") ?? true)
            #expect(provider.oauth.map { ["gmail", "outlook"].contains($0) } ?? true)
        }
    }

    @Test(arguments: [
        ("password: ap", "unknown kind 'ap'"), ("password: none", "neither a password nor oauth"),
        ("password: app\n    port: 0", "a port from 1 to 65535"),
        ("password: app\n    tls: none", "unknown value 'none'"),
        ("password: app\n    authserv: x", "unknown key 'authserv'"),
    ]) func faultyEntryIsRefused(lines: String, message: String) {
        let text = """
            passwords: { app: '{name} wants one.', none: '{name} has none.' }
            providers:
              a:
                name: A
                domains: [a.example]
                host: imap.a.example
                \(lines)

            """
        #expect {
            _ = try ProviderFile(YAMLFile(path: "p.yaml", bytes: Array(text.utf8)))
        } throws: { "\($0)".contains(message) }
    }

    @Test func domainOfTwoProvidersIsRefused() {
        let entry = "{ name: A, domains: [a.example], host: imap.a.example, password: app }"
        let text = "passwords: { app: '{name}.' }\nproviders:\n  a: \(entry)\n  b: \(entry)\n"
        #expect {
            _ = try ProviderFile(YAMLFile(path: "p.yaml", bytes: Array(text.utf8)))
        } throws: { "\($0)".contains("the domain 'a.example' is of the provider in line 3 already") }
    }
}
