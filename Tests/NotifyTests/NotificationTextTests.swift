import Codecs
import Ledger
import Settings
import Testing

@testable import Notify
@testable import Store

@Suite struct NotificationTextTests {
    /// The notice for one sink about the events of these mails.
    private func notice(_ sinkText: String = "", _ mails: (Desk) -> [MailEntry]) throws -> Notice {
        let desk = try Desk()
        let store = try desk.open()
        let delivery = try desk.delivery(
            "  - { name: hook, kind: webhook, url: 'https://example.com/', secret_file: s\(sinkText) }\n", store)
        try delivery.prepare()
        try store.recording.record(mails(desk))
        let (events, _) = try store.outbox.unposted(of: "hook", limit: 1000)
        let message = OutboxMessage(
            seq: 1, id: "0190", sink: "hook", target: "", state: .waiting, isUrgent: false, events: events.map(\.id),
            eventCount: events.count, createdAt: monday, dueAt: monday,
            attempts: 0)
        return try #require(Notice(events, of: message, for: delivery.sinks[0]))
    }

    /// Everything that is sent, for every kind of receiver.
    private func payloads(_ notice: Notice) -> String {
        let mail = MailText.compose(
            id: notice.id, from: "a@example.com", to: ["b@example.com"], subject: notice.title, body: notice.body,
            at: notice.createdAt)
        let lines = String(decoding: mail, as: UTF8.self)
        let encoded = lines.components("\r\n\r\n").last ?? ""
        let body = Base64.standard.decode(encoded.utf8.filter { $0 != 0x0D && $0 != 0x0A }) ?? []
        return [
            notice.title, notice.body, WebhookSender.payload(notice), APNsSender.payload(notice), lines,
            String(decoding: body, as: UTF8.self),
        ].joined(separator: "\n")
    }

    @Test func paymentIsReportedInOneLine() throws {
        let notice = try notice { [$0.mail()] }
        #expect(notice.title == "INR 1234.50 spent")
        #expect(notice.body == "CAFÉ NOIR · HDFC Bank 4321 · 2026-01-05 12:13")
        let json = WebhookSender.payload(notice)
        #expect(
            json.hasPrefix(
                #"{"type":"transaction.booked","timestamp":"2026-01-05T08:00:00Z","data":{"transaction":1,"status":"confirmed","transaction_type":"expense","channel":"upi","amount":"1234.50","currency":"INR","merchant":"CAFÉ NOIR","#
            ), "\(json)")
        // No reference and no balance: a notification does not need them.
        #expect(!json.contains("REF1"))
    }

    @Test func incomeAndDrafts() throws {
        #expect(try notice { [$0.mail(type: .income)] }.title == "INR 1234.50 received")
        #expect(try notice { [$0.mail(type: .transfer)] }.title == "INR 1234.50 transferred")
        let review = try notice { [$0.mail("SOMEBODY", 1_00, .review)] }
        #expect(review.title == "To review: INR 1.00" && review.items.first?.type == "review.waiting")
    }

    /// What a receiver of the page gets.
    @Test func hiddenDetailsAppearNowhere() throws {
        let notice = try notice(", details: hidden") { [$0.mail(), $0.mail("SOMEBODY", 1_00, .review)] }
        let all = payloads(notice)
        #expect(all.contains("A payment was booked") && all.contains("Something waits for review"), "\(all)")
        for text in [
            "1234", "1.00", "INR", "NOIR", "SOMEBODY", "4321", "HDFC", "hdfc", "\"merchant", "\"transaction\"",
        ] {
            #expect(!all.contains(text), "\(text): \(all)")
        }
    }

    @Test func hiddenAmountAppearsNowhere() throws {
        for type in [TransactionType.expense, .income, .transfer] {
            for title in ["", ", title: '{amount} {merchant}', body: '{amount}'"] {
                for mails in [1, 5] {
                    let notice = try notice(", amount: hidden" + title) { desk in
                        (0..<mails).map { _ in desk.mail(type: type) }
                    }
                    let all = payloads(notice)
                    #expect(
                        !all.contains("1234") && !all.contains("1,234") && !all.contains("123450")
                            && !all.contains("INR"), "\(all)")
                    #expect(all.contains("CAFÉ NOIR"))
                }
            }
        }
        #expect(try notice(", amount: hidden") { [$0.mail()] }.title == "A payment")
        #expect(try notice(", amount: hidden") { [$0.mail(type: .income)] }.title == "Money received")
    }

    @Test func hiddenMerchantAppearsNowhere() throws {
        for mails in [1, 5] {
            let all = payloads(
                try notice(", merchant: hidden, title: 'at {merchant} {category}'") { desk in
                    (0..<mails).map { _ in desk.mail() }
                })
            #expect(!all.contains("NOIR") && all.contains("1234.50"), "\(all)")
        }
    }

    @Test func placeholdersAreFilled() throws {
        let notice = try notice(
            ", title: '{{{amount}}} {type}', body: '{merchant}|{account}|{digits}|{bank}|{channel}|{category}|{date} {time}|{reason}'"
        ) { [$0.mail()] }
        #expect(notice.title == "{INR 1234.50} expense")
        #expect(notice.body == "CAFÉ NOIR|HDFC Bank 4321|4321|hdfc|upi|Uncategorized|2026-01-05 12:13|booked")
    }

    @Test func manyEventsBecomeADigest() throws {
        let notice = try notice { desk in (0..<11).map { desk.mail("SHOP \($0)", 100, $0 == 10 ? .review : .recorded) }
        }
        #expect(notice.title == "10 transactions, 1 to review" && notice.count == 11 && notice.kind == .review)
        #expect(notice.body.split(separator: "\n").count == 11 && notice.body.hasSuffix("and 1 more"))
        #expect(notice.body.hasPrefix("INR 1.00 spent · SHOP 0 · HDFC Bank 4321 · 2026-01-05 12:13\n"))
        #expect(
            WebhookSender.payload(notice).hasPrefix(
                #"{"type":"digest","timestamp":"2026-01-05T08:00:00Z","data":{"count":11,"events":[{"type":"transaction.booked""#
            ))
    }

    @Test func aSendersTextIsOneLine() throws {
        let notice = try notice { [$0.mail("EVIL\r\nBcc: x@example.com\u{202E}\u{0}\"}")] }
        #expect(!notice.body.contains("\n") && !notice.body.contains("\r") && !notice.body.contains("\u{202E}"))
        #expect(WebhookSender.payload(notice).contains(#"EVIL Bcc: x@example.com"#))
        let long = try self.notice { [$0.mail(String(repeating: "long ", count: 100_000))] }
        #expect(APNsSender.payload(long).utf8.count < 4096)
    }

    @Test func decidedItemsSendNoNotification() throws {
        let desk = try Desk()
        let store = try desk.open()
        try desk.delivery("  - { name: hook, kind: webhook, url: 'https://example.com/', secret_file: s }\n", store)
            .prepare()
        let draft = try store.recording.record([desk.mail("SOMEBODY", 100, .review)])[0]
        try store.review.accept(.transaction(try #require(draft.transactionID)))
        let events = try store.outbox.unposted(of: "hook", limit: 10).events
        let sink = try desk.sinks("  - { name: hook, kind: webhook, url: 'https://example.com/', secret_file: s }\n")[0]
        #expect(events.count == 1 && NotificationText.of(events[0], for: sink) == nil)
    }
}

extension String {
    fileprivate func components(_ separator: String) -> [String] {
        var parts: [String] = [""]
        var rest = self[...]
        while !rest.isEmpty {
            if rest.utf8.starts(with: separator.utf8) {
                parts.append("")
                rest = Substring(rest.utf8.dropFirst(separator.utf8.count))
            } else {
                parts[parts.count - 1].unicodeScalars.append(rest.unicodeScalars[rest.unicodeScalars.startIndex])
                rest = Substring(rest.unicodeScalars.dropFirst())
            }
        }
        return parts
    }
}
