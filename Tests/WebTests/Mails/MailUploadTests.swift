import Access
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Store
import Synchronization
import Testing

@testable import Web

/// The upload of saved mails, and forms with a file whose login has ended.
@Suite struct MailUploadTests {
    private final class Given: Sendable {
        let files = Mutex<[String]>([])
    }

    private static let body =
        "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"one.eml\"\r\n\r\nFrom: a@bank.example\r\n\r\nPaid\r\n--XX--\r\n"
    private static let type: HTTPFields = [.accept: "text/html", .contentType: "multipart/form-data; boundary=XX"]

    private func send(
        _ client: any TestClientProtocol, _ query: String = "", _ headers: HTTPFields = [:], cookie: String? = nil
    ) async throws -> TestResponse {
        var fields = Self.type
        for header in headers { fields[header.name] = header.value }
        if let cookie { fields[.cookie] = cookie }
        return try await client.execute(
            uri: "/app/mailboxes/upload" + query, method: .post, headers: fields,
            body: ByteBuffer(string: Self.body))
    }

    @Test func theFileIsPassedOn() async throws {
        let site = try PageSite()
        let given = Given()
        var services = site.services
        services.recordMails = { file, name in
            given.files.withLock { $0.append(name + ": " + String(decoding: file, as: UTF8.self)) }
            return UploadedMails(mails: 5, fromBanks: 3, known: 1)
        }
        try await Application(router: WebApplication.router(services), logger: services.logger).test(.router) {
            client in
            let form = try await client.page("/app/mailboxes")
            #expect(form.words.contains("Upload mails") && form.words.contains("/app/mailboxes/upload?csrf="))
            let answer = try await send(client)
            #expect(answer.status == .ok)
            for words in ["Mails in the file: 5", "Of banks: 3", "Recorded before: 1", "/app/mails?mailbox=upload"] {
                #expect(answer.words.replacing("&#x3D;", with: "=").contains(words), "\(words)")
            }
        }
        #expect(given.files.withLock { $0 } == ["one.eml: From: a@bank.example\r\n\r\nPaid"])
    }

    @Test func aFileWithoutMailsIsRefused() async throws {
        let site = try PageSite()
        var services = site.services
        services.recordMails = { _, _ in UploadedMails() }
        try await Application(router: WebApplication.router(services), logger: services.logger).test(.router) {
            client in
            let answer = try await send(client)
            #expect(answer.status == .unprocessableContent && answer.words.contains("The file holds no mail"))
        }
    }

    /// A program that keeps no mails cannot pass one on.
    @Test func notOfferedWithoutKeptMails() async throws {
        let site = try PageSite()
        try await site.ask { client in
            let page = try await client.page("/app/mailboxes")
            let answer = try await send(client)
            #expect(!page.words.contains("Upload mails") && answer.status == .notFound)
        }
    }

    /// The login leads back to the page of the form, which says that the file is to be chosen again.
    @Test func aLoginThatEndedLeadsBackToTheForm() async throws {
        let site = try Site()
        try site.setPassphrase()
        try await site.application.test(.router) { client in
            let headers: HTTPFields = [
                .fetchSite: "same-origin", .referer: "http://localhost/app/mailboxes?done=saved",
            ]
            let answer = try await send(client, "?csrf=x", headers)
            #expect(answer.status == .seeOther)
            #expect(answer.headers[.location] == "/login?next=/app/mailboxes%3Fdone%3Dfile-lost")
            // After a login in another window, the form has the token of the former one.
            let cookie = try await client.session()
            let other = try await send(client, "?csrf=x", headers, cookie: cookie)
            #expect(other.status == .seeOther && other.headers[.location] == "/app/mailboxes?done=file-lost")
            let page = try await client.ask(
                .get, "/app/mailboxes?done=file-lost", cookie: cookie, [.accept: "text/html"])
            #expect(page.text.contains("choose it again"))
            let foreign = try await send(client, "?csrf=x", [.fetchSite: "cross-site"], cookie: cookie)
            #expect(foreign.status == .forbidden)
        }
    }
}
