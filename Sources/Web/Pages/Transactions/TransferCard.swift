import Ledger
import Store

/// A transfer between own accounts in words.
enum TransferText {
    /// `transfer to HDFC Bank 4321`, as one of the two halves has it.
    static func direction(_ transfer: TransferRow, of id: Int64) -> String {
        transfer.debit?.id == id
            ? "transfer to \(account(transfer.credit))" : "transfer from \(account(transfer.debit))"
    }

    static func account(_ row: TransactionRow?) -> String {
        guard let row else { return "another account of yours" }
        return row.accountName ?? row.accountDigits.map { "account \($0)" } ?? "another account of yours"
    }
}

/// What the page of a transaction says of the transfer that it is half of, or may be.
struct TransferCard: Sendable {
    struct Candidate: Sendable {
        var id: String
        var merchant: String
        var about: String
        var isFirst: Bool
    }

    /// The transaction's own number.
    var own: String
    /// The transfer's.
    var number = ""
    var title: String
    var sentence = ""
    var why: String?
    /// The other half.
    var otherPath: String?
    var other: String?
    var isLinked = false
    var isAsked = false
    var candidates: [Candidate] = []
    var back: String

    /// `nil` where nothing about it could be a transfer.
    init?(of row: TransactionRow, in store: Store, back: String) throws {
        own = "\(row.id)"
        self.back = back
        if let transfer = try store.transfer(of: row.id) {
            let half = transfer.debit?.id == row.id ? transfer.credit : transfer.debit
            number = "\(transfer.id)"
            isLinked = transfer.state == .linked
            isAsked = !isLinked
            let words = TransferText.direction(transfer, of: row.id)
            title = isLinked ? "Transfer between your accounts" : "A transfer between your accounts?"
            sentence =
                isLinked
                ? "It is a \(words) and counts neither as spent nor as received."
                : "It may be a \(words). Then it would count neither as spent nor as received."
            why = transfer.why.split(separator: ": ").last.map { String($0) + "." }
            otherPath = half.map { "/app/transactions/\($0.id)?" + FormFields.encoded([("back", back)]) }
            other = half.map {
                "\($0.vendor ?? $0.vpa ?? "No merchant"), \(DayText.text(iso: $0.date)), \(TransferText.account($0))"
            }
            return
        }
        title = "Part of a transfer?"
        candidates = try store.transferCandidates(for: row.id).enumerated().map { index, other in
            Candidate(
                id: "\(other.id)", merchant: other.vendor ?? other.vpa ?? "No merchant",
                about: [
                    DayText.text(iso: other.date), other.accountName ?? other.accountDigits,
                    other.type == .income ? "received" : other.type == .expense ? "spent" : "transfer",
                ]
                .compactMap { $0 }.joined(separator: " · "), isFirst: index == 0)
        }
        if candidates.isEmpty { return nil }
    }
}

let transferCardTemplate = #"""
    {{#transfer}}<section class="card" aria-labelledby="transfer"><h2 id="transfer">{{title}}</h2>
    {{#isLinked}}<p>{{sentence}}</p>{{/isLinked}}{{#isAsked}}<p>{{sentence}}</p>{{/isAsked}}{{#.why}}<p class="note">Because {{.}}</p>{{/.why}}{{#.otherPath}}<p>The other half: <a href="{{.}}">{{other}}</a></p>{{/.otherPath}}
    {{#isLinked}}<form method="post" action="/app/transfers/{{number}}/refuse" class="actions"><input type="hidden" name="csrf" value="{{frame.formToken}}"><input type="hidden" name="back" value="{{back}}"><button class="plain">It is no transfer</button></form>{{/isLinked}}
    {{#isAsked}}<div class="actions"><form method="post" action="/app/transfers/{{number}}/confirm"><input type="hidden" name="csrf" value="{{frame.formToken}}"><input type="hidden" name="back" value="{{back}}"><button>Yes, a transfer</button></form><form method="post" action="/app/transfers/{{number}}/refuse"><input type="hidden" name="csrf" value="{{frame.formToken}}"><input type="hidden" name="back" value="{{back}}"><button class="plain">No</button></form></div>{{/isAsked}}
    {{^empty(candidates)}}<details><summary>Choose its other half: the same amount within a week</summary><form method="post" action="/app/transfers/link"><input type="hidden" name="csrf" value="{{frame.formToken}}"><input type="hidden" name="back" value="{{back}}"><input type="hidden" name="id" value="{{own}}">
    {{#candidates}}<label class="check"><input type="radio" name="other" value="{{id}}"{{#isFirst}} checked{{/isFirst}}><span>{{merchant}}<small>{{about}}</small></span></label>{{/candidates}}<p class="actions"><button class="plain">Link as a transfer</button></p></form></details>{{/empty(candidates)}}</section>{{/transfer}}
    """#
