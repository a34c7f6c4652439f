import Chronology
import Foundation
import HTTPTypes
import HummingbirdTesting
import Ledger
import Review
import Store
import Testing

@testable import Web

/// Templates that a person has used from the page: the request, its result and its end. The web role writes no file.
@Suite struct ActivatedTemplatesPageTests {
    static let fields: [(String, String)] = [
        ("want", "read"), ("template", "example/upi-paid"), ("yaml", "template: example/upi-paid\r\nkind: x\r\n"),
        ("amount", "250.00"), ("merchant", "CORNER <SHOP>"),
    ]

    private static func ask(_ site: PageSite, _ id: Int64, _ more: [(String, String)] = []) async throws -> TestResponse
    {
        let fields = Self.fields.filter { field in !more.contains { $0.0 == field.0 } } + more
        return try await site.ask { try await $0.submit("/app/settings/templates", fields + [("item", "\(id)")]) }
    }

    @Test func aDraftIsOfferedAndAskedFor() async throws {
        let site = try TemplatePageTests.site()
        try FileManager.default.removeItem(atPath: site.folder + "/parsers/example/paid.yaml")
        let id = try site.record(
            1, merchant: "CORNER SHOP", waits: true, template: "generic", text: TemplatePageTests.text)
        let page = try await site.ask {
            try await $0.submit(
                "/app/review/\(id)/template",
                [("want", "read"), ("name", "upi-paid"), ("amount", "250"), ("merchant", "corner shop")])
        }
        #expect(page.words.contains("Use this template"), "\(page.words)")
        let yaml = try #require(page.words.firstMatch(of: #/name="yaml" value="([^"]*)"/#)).1
        #expect(yaml.contains("template: example/upi-paid") && !page.words.contains("name=\"passphrase\""))
        let asked = try await Self.ask(site, id)
        #expect(asked.headers[.location] == "/app/settings/templates?done=template-asked")
        let request = try #require(try site.store.templateActivations.requested().first)
        #expect(request.yaml == "template: example/upi-paid\nkind: x\n", "lines end as in a file")
        #expect(request.expected == [.amount: "250.00", .merchant: "CORNER <SHOP>"])
        #expect(try site.store.mails.raw(ofMail: request.mail) != nil)

        let waits = try await site.ask { try await $0.page("/app/settings/templates") }.words
        #expect(waits.contains("example/upi-paid") && waits.contains("waits for the mail reader"))
        // Once more: it waits already.
        let again = try await Self.ask(site, id)
        #expect(again.status == .unprocessableContent && again.words.contains("is being tested already"))
    }

    @Test func aRefusalIsShownWithItsReason() async throws {
        let site = try TemplatePageTests.site()
        let id = try site.record(1, merchant: "CORNER", text: TemplatePageTests.text)
        _ = try await Self.ask(site, id, [("want", "ignore")])
        let rows = site.store.templateActivations
        let request = try #require(try rows.requested().first)
        #expect(request.expected == nil)
        try rows.refused(request, because: "it breaks <the> sample", at: .now)
        let page = try await site.ask { try await $0.page("/app/settings/templates") }.words
        #expect(
            page.contains("refused") && page.contains("it breaks &lt;the&gt; sample") && !page.contains(">Deactivate<"))
    }

    @Test func anActivationIsNoticedAndEnded() async throws {
        let site = try TemplatePageTests.site()
        let id = try site.record(1, merchant: "CORNER", text: TemplatePageTests.text)
        _ = try await Self.ask(site, id)
        let rows = site.store.templateActivations
        try rows.activated(try #require(try rows.requested().first), at: .now)
        let number = try #require(try rows.active().first).id
        #expect(
            try await site.ask { try await $0.page("/") }.words.contains("The template example/upi-paid was activated"))
        let seen = try await site.ask { try await $0.submit("/app/settings/templates/\(number)/seen", []) }
        #expect(seen.headers[.location] == "/")
        #expect(try await !site.ask { try await $0.page("/") }.words.contains("example/upi-paid"))

        let list = try await site.ask { try await $0.page("/app/settings/templates") }.words
        #expect(list.contains("Example Bank") && list.contains("in use since") && list.contains("0 mails read by it"))
        let path = "/app/settings/templates/\(number)/deactivate"
        let question = try await site.ask { try await $0.page(path) }.words
        #expect(question.contains("Deactivate example/upi-paid?"))
        #expect(try rows.active().first?.withdrawAskedAt == nil, "the question changes nothing")
        #expect(try await site.ask { try await $0.submit(path, []) }.status == .seeOther)
        #expect(try rows.requested().first?.withdrawAskedAt != nil)
        let ending = try await site.ask { try await $0.page("/app/settings/templates") }.words
        #expect(ending.contains("to be deactivated"))
        // A template that does not load says so.
        try rows.setFaults(["example/upi-paid": "unknown <key>"])
        let faulty = try await site.ask { try await $0.page("/app/settings/templates") }.words
        #expect(faulty.contains("unknown &lt;key&gt;"))
    }

    @Test(arguments: ["_shared/x", "other/paid", "example/_bank", "example/../x", "example", ""])
    func otherNamesAreRefused(
        template: String
    ) async throws {
        let site = try TemplatePageTests.site()
        let id = try site.record(1, merchant: "CORNER", text: TemplatePageTests.text)
        #expect(try await Self.ask(site, id, [("template", template)]).status == .notFound)
        #expect(try site.store.templateActivations.all().isEmpty)
    }

    @Test func badRequestsAreRefused() async throws {
        let site = try TemplatePageTests.site()
        let id = try site.record(1, merchant: "CORNER", text: TemplatePageTests.text)
        #expect(try await Self.ask(site, 99).status == .notFound)
        let large = String(repeating: "x", count: TemplateActivation.maximumBytes + 1)
        #expect(try await Self.ask(site, id, [("yaml", large)]).status == .unprocessableContent)
        for path in ["/app/settings/templates/9/deactivate", "/app/settings/templates/x/seen"] {
            #expect(try await site.ask { try await $0.submit(path, []) }.status == .notFound)
        }
        #expect(try site.store.templateActivations.all().isEmpty)
    }

    /// With a login the passphrase is asked again, and a wrong one keeps what was entered.
    @Test func thePassphraseIsAskedAgain() async throws {
        let site = try Site()
        try site.setPassphrase()
        let id = try Self.waitingMail(in: site.store)
        try await site.application.test(.router) { client in
            let person = try await PasskeyPageTests.Person(client)
            let fields = [
                ("item", id), ("template", "example/paid"), ("yaml", "template: example/paid\n"), ("want", "ignore"),
            ]
            for wrong in ["", "wrong"] {
                let page = try await person.post("/app/settings/templates", fields + [("passphrase", wrong)])
                #expect(page.status == .unprocessableContent && page.text.contains("Use this template"), "\(page.text)")
                #expect(page.text.contains("value=\"template: example/paid\n\""))
            }
            #expect(try site.store.templateActivations.all().isEmpty)
            let asked = try await person.post("/app/settings/templates", fields + [("passphrase", Site.passphrase)])
            #expect(asked.status == .seeOther, "\(asked.text)")
            #expect(try site.store.templateActivations.requested().map(\.askedBy).count == 1)
            let events = try site.store.audit.latest(limit: 100).map(\.event)
            #expect(events.contains("template asked for: example/paid"), "\(events)")
        }
    }

    /// The review item of a retained mail that no template reads.
    private static func waitingMail(in store: Store) throws -> String {
        let decision = Decision(.review(nil), by: Decision.Source(profile: "example", isAuthentic: true))
        let location = MailLocation(mailbox: "personal", folder: "INBOX", uidValidity: 1, uid: 1)
        _ = try store.recording.record([MailEntry(at: location, decision) { $0.raw = Array(PageSite.mail.utf8) }])
        return try #require(try store.review.queue(limit: 1).first?.id).argument
    }
}
