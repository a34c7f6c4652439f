import Access
import Chronology
import ChronologyFixture
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Ledger
import Logging
import NIOCore
import Profiles
import Store

@testable import Web

/// The page over a separate ledger, for a local client without login. Removed with its value.
final class PageSite: Sendable {
    let folder: String
    let store: Store
    let services: WebServices

    /// - Parameter parsers: the text of a bank's files by their paths; without any no bank is known.
    init(parsers: [String: String] = [:], homeCurrency: Currency = .inr) throws {
        folder = NSTemporaryDirectory() + "pages-" + UUID().uuidString
        for (name, text) in parsers {
            let file = URL(filePath: folder + "/parsers/" + name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        store = try Store(path: folder + "/ledger.db", homeCurrency: homeCurrency)
        let profiles = try ProfileSet(directories: parsers.isEmpty ? [] : [folder + "/parsers"], samples: false)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        // As the web role; the tests write what other roles do.
        let restricted = try Store(path: folder + "/ledger.db", homeCurrency: homeCurrency)
        try restricted.restrictWrites(to: .web)
        var services = WebServices(
            store: restricted, profiles: { profiles }, mailboxes: [], version: "1", logger: logger, access: .open)
        services.profileFolders = [folder + "/parsers"]
        services.statementProgram = Self.statementProgram
        self.services = services
    }

    /// The tests' own program cannot read one.
    private static let statementProgram =
        URL(
            filePath: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        ).deletingLastPathComponent().path + "/parserctl"

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Sends requests to the routes without a socket.
    func ask<Result>(_ body: @escaping @Sendable (any TestClientProtocol) async throws -> Result) async throws -> Result
    {
        try await Application(router: WebApplication.router(services), logger: services.logger).test(.router) {
            try await body($0)
        }
    }

    static let mail =
        "From: alerts@bank.example\r\nSubject: Paid\r\nDate: Mon, 05 Jan 2026 10:12:00 +0530\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nRs. 250.00 was paid to "

    /// Records a mail with a payment to `merchant`; returns its transaction.
    @discardableResult
    func record(
        _ uid: UInt32, merchant: String, _ minor: Int64 = 25_000, waits: Bool = false, currency: Currency = .inr,
        on day: CalendarDate? = nil, subject: String = "Paid",
        type: TransactionType? = .expense, account: String = "4321", vpa: String? = nil,
        template: String? = "example/paid", text: String? = nil, bank: String = "example"
    ) throws -> Int64 {
        try store.recordAlert(
            uid, merchant: merchant, minor, waits: waits, currency: currency, on: day, subject: subject, type: type,
            account: account, vpa: vpa, template: template, text: text, bank: bank)
    }
}

extension Store {
    /// Records a mail with a payment to `merchant`; returns its transaction.
    @discardableResult
    func recordAlert(
        _ uid: UInt32, merchant: String, _ minor: Int64 = 25_000, waits: Bool = false, currency: Currency = .inr,
        on day: CalendarDate? = nil, subject: String = "Paid",
        type: TransactionType? = .expense, account: String = "4321", vpa: String? = nil,
        template: String? = "example/paid", text: String? = nil, bank: String = "example"
    ) throws -> Int64 {
        let day = day ?? CalendarDate(daysSince1970: (Int(Date().timeIntervalSince1970) + 19_800) / 86400)
        var draft = TransactionDraft(
            amount: Money(minorUnits: minor, currency: currency), type: type, channel: .upi, date: day,
            occurredAt: UnixTime(day) + 16_200)
        draft.time = TimeOfDay(hour: 10, minute: 0, second: Int(uid % 60))
        draft.merchant = merchant
        draft.vpa = vpa
        draft.account = account
        draft.reference = "R\(uid)"
        draft.spans = [.amount: 4..<10, .merchant: 23..<(23 + merchant.utf8.count)]
        let decision = Decision(
            waits ? .review(draft) : .book(draft),
            by: Decision.Source(
                profile: bank, bank: "Example Bank", version: "1", template: template,
                authentication: "pass: genuine by dmarc"),
            confidence: waits ? 0.4 : 0.95,
            reasons: [
                type == nil
                    ? Reason(.directionMissing, weight: 0.5, note: "no word gives the direction")
                    : Reason(.secondAmount, weight: 0.8, note: "there is another amount")
            ])
        let now = UnixTime.now
        let entry = MailEntry(
            at: MailLocation(mailbox: "personal", folder: "INBOX", uidValidity: 1, uid: uid), decision
        ) {
            $0.messageID = "<\(uid)@bank.example>"
            $0.contentDigest = [UInt8(truncatingIfNeeded: uid), 1]
            $0.fromAddress = "alerts@bank.example"
            $0.subject = subject
            $0.sentAt = now
            $0.receivedAt = now
            $0.raw = Array((PageSite.mail + (text ?? merchant)).utf8)
        }
        return try recording.record([entry]).first?.transactionID ?? 0
    }
}

extension TestClientProtocol {
    func page(_ uri: String) async throws -> TestResponse {
        try await execute(uri: uri, method: .get, headers: [.accept: "text/html"])
    }

    func submit(_ uri: String, _ fields: [(String, String)]) async throws -> TestResponse {
        try await execute(
            uri: uri, method: .post,
            headers: [.accept: "text/html", .contentType: "application/x-www-form-urlencoded"],
            body: ByteBuffer(string: FormFields.encoded(fields)))
    }
}

extension TestResponse {
    var words: String { String(buffer: body) }

    /// Group of edits that the page offers to undo.
    var undo: String? {
        headers[.location].flatMap { FormFields(query: String($0.split(separator: "?").last ?? ""))["undo"] }
    }
}
