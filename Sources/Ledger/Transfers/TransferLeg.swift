public import Chronology

/// One side of a possible transfer between two of the user's own accounts.
public struct TransferLeg: Hashable, Sendable {
    public enum Flow: Hashable, Sendable {
        case debit, credit

        /// Out of the account, or into it.
        public var word: String { self == .debit ? "out" : "in" }
    }

    public var id: Int64
    /// The bank's key, and the last digits of the own account at it.
    public var bank: String
    public var account: String
    public var type: TransactionType
    public var amount: Money
    public var date: CalendarDate
    /// Seconds since 1970 UTC; noon of the day if no time is printed.
    public var instant: UnixTime = .epoch
    public var hasTime = false
    /// The counterparty's name and UPI address, as printed.
    public var counterparty = ""
    public var reference: String?
    /// True if a mapping or a person assigned a category that is not a transfer: a shop's, a salary.
    public var isSomethingElse = false

    public init(id: Int64, bank: String, account: String, type: TransactionType, amount: Money, date: CalendarDate) {
        self.id = id
        self.bank = bank
        self.account = account
        self.type = type
        self.amount = amount
        self.date = date
    }

    public var flow: Flow { Self.flow(of: type, counterparty: counterparty) }

    /// The direction of a transaction: that of its side in a linked transfer. An unlinked transfer without a
    /// counterparty counts as received, because alerts of cards and loans confirm a payment without a name.
    public static func flow(of type: TransactionType, linked: Flow? = nil, counterparty: String) -> Flow {
        linked ?? (type == .income || type == .transfer && counterparty.isEmpty ? .credit : .debit)
    }

    /// True if a template read it as a movement between own accounts, such as a payment that a card received.
    public var isTransfer: Bool { type == .transfer }

    /// Digits of the counterparty's account if its name consists of them or names the account: `A/c XX4321`,
    /// `XXXXXXXX4321`, `Credit Card ending 4321`.
    public var counterpartyAccount: String? { Self.account(in: counterparty) }

    /// True if the counterparty is a credit card, or a service that only pays card bills.
    public var paysCard: Bool { Self.namesCard(counterparty) }

    static func namesCard(_ counterparty: String) -> Bool {
        let words = CategoryRules.normalized(counterparty)
        return cardWords.contains {
            words == $0 || words.hasPrefix($0 + " ") || words.hasSuffix(" " + $0) || words.contains(" \($0) ")
        }
    }

    private static let cardWords = [
        "credit card", "creditcard", "card payment", "card bill", "cc payment", "cc bill", "cred", "cred club",
        "dreamplug technologies", "sbi card", "sbi cards", "sbicard",
    ]

    /// At least four digits after a mask, or after the word account or ending.
    static func account(in text: String) -> String? {
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            guard isDigit(bytes[index]) else {
                index += 1
                continue
            }
            let start = index
            while index < bytes.count, isDigit(bytes[index]) { index += 1 }
            let length = index - start
            guard (4...18).contains(length) else { continue }
            let masked = start >= 2 && isMask(bytes[start - 1]) && isMask(bytes[start - 2])
            let named = CategoryRules.normalizedBytes(String(decoding: bytes[..<start], as: UTF8.self))
            let words = String(decoding: named, as: UTF8.self)
            guard masked || accountWords.contains(where: words.hasSuffix) else { continue }
            return String(decoding: bytes[(index - min(length, 6))..<index], as: UTF8.self)
        }
        return nil
    }

    private static let accountWords = [
        " a c", " ac", "account", "acct", "account no", "ac no", "a c no", "ending", "ending with", "ending in",
    ]
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isMask(_ byte: UInt8) -> Bool { byte | 0x20 == UInt8(ascii: "x") || byte == UInt8(ascii: "*") }
}
