import Hummingbird
import InternetMessage
import Ledger
import Profiles
import Store

/// The page about SMS from a phone: how to set it up, and the outcomes of the SMS so far.
enum PhonePage {
    static func add(_ pages: Pages, to router: Router<WebContext>) {
        pages.get("/app/settings/sms", on: router) { call in
            let banks = pages.services.profiles().banks
            return try await pages.show(.phone, call) { ledger in try PhoneView(in: ledger, banks: banks) }
        }
    }
}

struct PhoneView: Sendable {
    struct Sender: Sendable {
        var bank: String
        var headers: String
    }

    /// The address that the automation calls.
    var address: String
    /// True if the address works on this machine only.
    var isLocal: Bool
    /// Banks whose SMS are read.
    var senders: [Sender]
    /// The number of SMS with each outcome, as text.
    var outcomes: [String]
    /// Headers that no profile names.
    var unknown: [String]
    var maximum = ShortMessage.maximumCharacters

    init(in ledger: Snapshot, banks: [Bank]) throws {
        let base = try ledger.access.webServer()?.url ?? "http://localhost:8001"
        address = base + "/shortcuts/transaction"
        isLocal = ["localhost", "127.0.0.1", "[::1]"].contains { base.contains("://" + $0) }
        senders = banks.filter { !$0.smsHeaders.isEmpty }.map {
            Sender(bank: $0.name, headers: $0.smsHeaders.joined(separator: ", "))
        }
        let folders = try ledger.monitoring.status().folders.filter { $0.key.mailbox == MailLocation.phone }
        outcomes = Outcome.allCases.compactMap { outcome in
            let count = folders.reduce(0) { $0 + ($1.counts[outcome] ?? 0) }
            return count > 0 ? outcome.counted(count) : nil
        }
        unknown = folders.filter { $0.counts[.unclaimed] ?? 0 > 0 }.map(\.key.folder)
    }
}
