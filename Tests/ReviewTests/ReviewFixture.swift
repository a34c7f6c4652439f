import Chronology
import ChronologyFixture
import Foundation
import Ledger
import Review
import Store

/// A ledger with invented mails that wait for review. Removed with its value.
final class ReviewFixture {
    let folder: String
    let store: Store
    let service: ReviewService<Store>

    var path: String { folder + "/ledger.db" }

    init() throws {
        folder = NSTemporaryDirectory() + "review-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        store = try Store(path: folder + "/ledger.db")
        service = ReviewService(store)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Records a mail with a draft that waits.
    func recordDraft(_ uid: UInt32, merchant: String = "CAFE MOON") throws -> ReviewID {
        var draft = TransactionDraft(
            amount: Money(minorUnits: Int64(uid) * 100, currency: .inr), type: .expense, channel: .upi,
            date: CalendarDate(daysSince1970: 20_000), occurredAt: 1_767_600_000)
        draft.merchant = merchant
        draft.account = "4410"
        draft.reference = "61000000000\(uid)"
        draft.spans = [.amount: 3..<(3 + "\(uid)".utf8.count)]
        let decision = Decision(
            .review(draft), by: Decision.Source(profile: "hdfc", bank: "HDFC Bank", template: "hdfc/x"),
            confidence: 0.6, reasons: [Reason(.newSender, weight: 0.6, note: "new")])
        return .transaction(try record(uid, decision)?.transactionID ?? 0)
    }

    /// Records a mail that could not be read.
    func recordBlank(_ uid: UInt32) throws -> ReviewID {
        let decision = Decision(
            .review(nil), by: Decision.Source(profile: "hdfc", bank: "HDFC Bank"), confidence: 0)
        return .mail(try record(uid, decision)?.mailID ?? "")
    }

    @discardableResult
    func record(_ uid: UInt32, _ decision: Decision) throws -> RecordedMail? {
        let entry = MailEntry(at: MailLocation(mailbox: "m", folder: "INBOX", uidValidity: 1, uid: uid), decision) {
            $0.messageID = "<\(uid)@x>"
            $0.contentDigest = [UInt8(uid)]
            $0.fromAddress = "a@x.example"
            $0.subject = "Mail \(uid)"
            $0.sentAt = 1_767_600_000
            $0.raw = Array("From: a@x.example\r\nSubject: Mail \(uid)\r\n\r\nRs.\(uid).00 paid to CAFE MOON\r\n".utf8)
        }
        return try store.recording.record([entry]).first
    }

    /// Changes an item as another surface would.
    func changeAmount(of id: ReviewID, to minor: Int64) throws {
        var edit = TransactionEdit()
        edit.amount = Money(minorUnits: minor, currency: .inr)
        try ReviewService(store, by: Actor(.page)).correct(id, seen: .anything) { _ in edit }
    }

    func row(_ id: ReviewID) throws -> TransactionRow? { try service.item(id)?.transaction }

    static var booking: TransactionEdit {
        var edit = TransactionEdit()
        edit.amount = Money(minorUnits: 123_450, currency: .inr)
        edit.type = .expense
        edit.date = CalendarDate(daysSince1970: 20_000)
        return edit
    }
}
